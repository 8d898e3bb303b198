"""Function words by language: every sentence of a text contains some, while lists of identifiers or names contain none.
They are frequent words that few related languages share; in lower case, without apostrophes."""

from __future__ import annotations

from ttcrawl.read.writing_systems import script

_WORDS = {
    # Latin script
    "af": "die van en is in het nie wat om vir hy word deur ook maar sy hulle met kan",
    "az": "və bir bu üçün ilə da də olan kimi daha edir onun sonra ki belə",
    "br": "ha da ar an ur eo gant evit war ez eus er en met pe bet ma",
    "ca": "el la els les de i en que un una per amb és no al del com més aquest aquesta són també o si",
    "cs": "a v se na je že s z do o k i pro jsou není která který nebo jako ale po při může tak jsem pokud",
    "cy": "y yr yn a i o ar ei mae wedi am gan fel oedd ac hefyd neu un sydd",
    "da": (
        "og i er det en af til at på med for der den som ikke de et kan har eller fra hvis om ved skal"
        " efter nogle når kun bliver noget mellem"
    ),
    "de": "der die und in das zu ist den von mit ein nicht für auf eine des im sich dem auch werden oder als wird an",
    "en": "the of and to in is a that for it as with be on are this by or not you from an if can which have will was",
    "eo": "la de kaj en estas al kiu por ne kun ĝi ili sed per aŭ pri tiu estis el",
    "es": "de la el que en los del las un una por con no para es se al lo como más su o si este esta puede son",
    "et": "ja on ei et see ka kui oma mis või ning ole aga selle nii välja kes kuid seda",
    "eu": "eta da du ez bat dira ere den dute edo izan zen baina egin bere horiek hau dago",
    "fi": "ja on ei se että oli joka voi kun mutta myös ovat tai niin kuin jos hän ole tämä sen olla voidaan",
    "fo": "og at í er á ikki sum til við eru av ein fyri hevur men tað um frá",
    "fr": "de la le et les des en un une du dans est que pour qui pas sur par au ce plus ne vous avec ou sont il cette",
    "fy": "de en fan it in is dy foar net op mei te as hy wie oan troch ek der",
    "ga": "an agus na ar a is le go sé do bhí tá sin mar ag nó den chun",
    "gd": "agus an na air a tha e do le gu bha gun bho ann mar nach aig",
    "gl": "de a o que e do da en un unha os para é con non as no por se máis ao pode ou son como este",
    "ha": "da ya a na ta ne su shi wannan kuma ba cikin ga don yi wani wanda sun",
    "hr": "i je u se na da su za od s koji kao ili ne iz može po što nije ako ova samo biti",
    "hu": "a az és hogy nem is egy van ez meg csak de vagy ha mint lehet már volt ezt el azt",
    "id": "yang dan di ini untuk dengan dari dalam pada itu tidak akan adalah atau ke oleh anda juga dapat sebagai",
    "is": "og að í er á sem við ekki til um það var en eru með af fyrir hann ef eða",
    "it": "di e il la che è in un per non del una le con i da si della sono al come più gli dei nel o questo essere",
    "jv": "ing lan iki kang sing saka iku ora karo kanggo dening utawa uga wong ana",
    "ku": "û li ku di bi ji de ye jî wek hat ev ew an ji bo ne her",
    "la": "et in est non ad ut cum sed quod qui quae ex si ab aut enim nec esse sunt",
    "lb": "de an a vun dat ass fir mat den en op am net zu och gëtt déi sech gouf",
    "lt": "ir yra kad su iš į tai bet kaip apie nuo arba jis ar buvo dėl gali šis po ne",
    "lv": "un ir ar no par uz kas ka tas arī kā bet vai gan pēc ja ne var šo tiek",
    "mg": "ny sy dia amin ho fa izay tsy ireo ka io na no amy ary misy",
    "mt": "u li ta il ma huwa fuq għal kien din dan minn jew hija bħala biex",
    "nl": "de het een van en in is dat te op die voor met niet zijn aan er of om ook als wordt bij kan u naar worden",
    "no": (
        "og i er det en av til at på med for som ikke de et kan har eller fra hvis om ved den etter også"
        " noen når bare blir mellom skal"
    ),
    "pl": "w i na z się do jest nie że to o jak po lub dla przez od są ale tego może który oraz jako być jeśli",
    "pt": "de a o que e do da em um para com não uma os no se na por mais as dos é ao pode ou são como este seu",
    "ro": "de și în a la cu pe care o din este un nu pentru să sau se mai că sunt poate fi prin dacă acest",
    "sk": "a v sa na je že s z do o k pre aj ako sú nie ktorý ktoré alebo ale po pri môže by byť pokiaľ",
    "sl": "in je v na se za da so z ki s pa ne tudi po kot iz ali bi lahko pri če kar",
    "so": "iyo ee in ka ku oo ah la waa u si uu aad ama isku soo loo",
    "sq": "e të në dhe i për që me një nga është nuk si u kjo por ka më janë do",
    "sr": "i je u se na da su za od koji kao ili ne iz može po što nije ako biti",
    "sv": "och i att det som en på är av för med den till inte om ett har kan eller från de så vid du ska man",
    "sw": "ya na wa kwa ni za katika la kuwa hii cha au pia kama hiyo lakini watu",
    "tl": "ang ng sa na mga ay at ito para hindi kung may ni isang o ang mga siya",
    "tk": "we bilen bu bir üçin bolan hem ol edip soň şu bolup",
    "tr": "ve bir bu için ile da de olarak çok daha olan gibi ise ya veya ancak en o kadar değil her",
    "uz": "va bu bilan uchun bir ham esa bo bolgan deb u yoki keyin",
    "vi": "của và các là có cho trong được một không này với người để những bạn từ hay khi trên sẽ thì nếu",
    # Cyrillic script
    "be": "і у на з не што да як для гэта ад або па за якія калі быў яго",
    "bg": "на и да в се за от е с не са че по като или това може ще при",
    "kk": "және бұл мен үшін бір деп осы де да болып еді кейін бар",
    "ky": "жана бул менен үчүн бир деп ошол да болгон кийин",
    "mk": "на и во да се од за со е не што како ќе по или може беше",
    "mn": "нь байна юм энэ болон ба бол биш дараа бөгөөд байгаа болно тохиолдолд",
    "ru": "и в на не с что для по как это из или от к можно если о при а этот вы будет",
    "sr-cyrl": "и у је да се на за су од са који као или не из може по што није ако",
    "tg": "ва дар аз ба ки бо ин барои аст буд ё ҳам",
    "tt": "һәм бу белән өчен бер дип да дә булган",
    "uk": "і в на з не що та для до як це або від за може якщо про у буде але",
    # Arabic script
    "ar": "في من على إلى أن هذا التي مع هذه لا أو عن ما هو كان ذلك قد",
    "fa": "در و از به که این را با است برای آن یک می تا بر هم",
    "ps": "په د او چې کې له دي هم يې دا ته",
    "ug": "بىلەن بۇ ۋە بىر ئۈچۈن دەپ ھەم",
    "ur": "کے میں کی اور ہے سے کا کو پر نے اس یہ کہ ہیں",
    # Hebrew script
    "he": "של על את לא הוא זה עם כי כל או אם גם היא אשר אין יש אל",
    "yi": "און איז די פון צו אין דער מיט פֿון אַז נישט האט",
    # Devanagari
    "hi": "के में है की से को और का यह पर हैं नहीं कि एक ने लिए",
    "mr": "आणि आहे या व हे ते आहेत असे होते तर एक",
    "ne": "र को मा छ पनि यो भएको हो छन् लाई गर्न एक",
    # Bengali
    "as": "আৰু এই কৰিব নহয় বাবে কৰক এটা পৰা নাই যদি কৰা এনে তেওঁ",
    "bn": "এবং এই করে না থেকে একটি জন্য হয় করা যে কোনো এটি যদি হবে করুন তিনি",
}

#: The lists, by language and script; the listed languages; the languages of each word.
LISTS = frozenset((name.partition("-")[0], script(words)[0]) for name, words in _WORDS.items())
LISTED = frozenset(language for language, _ in LISTS)
LANGUAGES_OF: dict[str, tuple[str, ...]] = {}
for _name, _list in _WORDS.items():
    for _word in _list.split():
        LANGUAGES_OF[_word] = (*LANGUAGES_OF.get(_word, ()), _name.partition("-")[0])
