"""Languages: scripts first, then words that hold sentences together; a declaration; and what is not known."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from ttcrawl import config
from ttcrawl.parse.links.extract import extract
from ttcrawl.parse.links.wanted import wanted
from ttcrawl.read.function_words import LANGUAGES_OF, LISTED
from ttcrawl.read.language import SURE, detected
from ttcrawl.read.page import read_page
from ttcrawl.read.writing_systems import LANGUAGES, script
from ttcrawl.web.charset.detect import to_utf8

pytestmark = pytest.mark.usefixtures("reader")

ENGLISH = "This is the first sentence of the page, and it is in English. The second one is in English as well."
JAPANESE = "すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。"

#: A language by its script alone.
SCRIPTS = {
    "el": "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.",
    "he": "כל בני אדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון.",
    "ar": "يولد جميع الناس أحراراً متساوين في الكرامة والحقوق. وقد وهبوا عقلاً وضميراً وعليهم أن يعامل بعضهم بعضاً.",
    "th": "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม",
    "ko": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을"
    " 부여받았다.",
    "ja": JAPANESE,
    "zh": "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神互相对待。",
    "hy": "Բոլոր մարդիկ ծնվում են ազատ ու հավասար իրենց արժանապատվությամբ ու իրավունքներով։",
    "ka": "ყველა ადამიანი იბადება თავისუფალი და თანასწორი თავისი ღირსებითა და უფლებებით.",
    "hi": "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और"
    " समानता प्राप्त है। उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है।",
    "ta": "மனிதப் பிறிவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர்; அவர்கள் மதிப்பிலும், உரிமைகளிலும் சமமானவர்கள்.",
    "km": "មនុស្សទាំងអស់ កើតមកមានសេរីភាព និងសមភាព ក្នុងផ្នែកសេចក្ដីថ្លៃថ្នូរនិងសិទ្ធិ។",
    "am": "የሰው፡ልጅ፡ሁሉ፡ሲወለድ፡ነጻና፡በክብርና፡በመብትም፡እኩልነት፡ያለው፡ነው።፡የተፈጥሮ፡ማስተዋልና፡ሕሊና፡ስላለው።",
    "uk": "Всі люди народжуються вільними і рівними у своїй гідності та правах."
    " Вони наділені розумом і совістю і повинні діяти.",
    "bg": "Всички хора се раждат свободни и равни по достойнство и права. Те са"
    " надарени с разум и съвест и следва да се отнасят.",
}
LATIN = {
    "nl": "Alle mensen worden vrij en gelijk in waardigheid en rechten geboren."
    " Zij zijn begiftigd met verstand en geweten.",
    "sv": "Alla människor är födda fria och lika i värde och rättigheter. De har utrustats med förnuft och samvete.",
    "es": "Todos los seres humanos nacen libres e iguales en dignidad y derechos"
    " y, dotados como están de razón y conciencia.",
    "pt": "Todos os seres humanos nascem livres e iguais em dignidade e em direitos. Dotados de razão"
    " e de consciência, devem agir uns para com os outros em espírito de fraternidade.",
    "it": "Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti."
    " Essi sono dotati di ragione e di coscienza.",
    "pl": "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i"
    " swych praw. Są oni obdarzeni rozumem i sumieniem.",
    "cs": "Všichni lidé se rodí svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem"
    " a svědomím a mají spolu jednat v duchu bratrství, a to i tehdy, když je to pro ně těžké.",
    "hu": "Minden emberi lény szabadon születik és egyenlő méltósága és joga"
    " van. Az emberek, ésszel és lelkiismerettel bírván.",
    "fi": "Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja"
    " oikeuksiltaan. Heille on annettu järki ja omatunto.",
    "tr": "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler ve birbirlerine"
    " karşı kardeşlik zihniyeti ile hareket etmelidirler.",
    "vi": "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và"
    " quyền. Mọi con người đều được tạo hóa ban cho.",
}


@pytest.mark.parametrize(("language", "text"), [*SCRIPTS.items(), *LATIN.items()])
def test_language(language: str, text: str) -> None:
    found, confidence = detected(text * 3)
    assert found == language and confidence >= SURE


def page(lines: list[str], declared: str = "") -> tuple[str, float]:
    html = f"<html lang='{declared}'><body>" + "".join(f"<p>{line}</p>" for line in lines)
    record, _, _ = read_page(LexborHTMLParser(html), html.encode(), {}, (), str, config.Record())
    assert record is not None
    return record.language, record.confidence


@pytest.mark.parametrize("language", ["ja", "zh", "th", "ko", "el", "ka"])
def test_english_sentences_on_a_page_in_another_script(language: str) -> None:
    """Only lines with spaces were sampled: a Japanese page with two English sentences was English."""
    found, confidence = page([SCRIPTS[language]] * 6 + [ENGLISH] * 2)
    assert found == language and confidence >= SURE


def test_names_in_latin_letters_on_a_page_in_another_script() -> None:
    lines = [f"<code>get_value_{n}(self, key, default=None)</code>は、キーの値を返します。" for n in range(30)]
    assert page(lines)[0] == "ja"


def test_words_of_another_script_on_an_english_page() -> None:
    assert page([ENGLISH] * 6 + [SCRIPTS["ja"], SCRIPTS["uk"]])[0] == "en"


def test_han_is_chinese_without_kana_and_japanese_with_them() -> None:
    assert script("日本国憲法前文") == ("han", 1.0)
    assert script("日本国憲法の前文である")[0] == "kana"
    assert script("中文の")[0] == "kana" and script("中文" * 40 + "の")[0] == "han"


IDENTIFIERS = {
    "camel case": "\n".join(f"QAbstractItemModel::setItemData{n}\nconst QModelIndex\nQMap" for n in range(60)),
    "Latin stems": "\n".join(
        f"std::is_trivially_destructible_v{n} boost::mpl::vector_c integral_constant" for n in range(60)
    ),
    "an index": " ".join(
        f"alloc{n} bsearch calloc div exit free getenv labs malloc qsort rand strtol" for n in range(40)
    ),
    "Scandinavian looks": "\n".join(f"kompositor::renderar_{n} förändra" for n in range(80)),
    "code": "\n".join(f"x{n} = foo(bar[{n}]); if (!x{n}) return -1;" for n in range(80)),
    "numbers": "0123456789 " * 100,
    "signs": "{}[]();" * 100,
    "nothing": "",
    "emoji": "😀🎉 " * 100,
}


@pytest.mark.parametrize("name", IDENTIFIERS)
def test_the_language_of_identifiers_is_not_known(name: str) -> None:
    assert detected(IDENTIFIERS[name])[1] < SURE
    assert page(IDENTIFIERS[name].split("\n"))[0] == ""
    assert page(IDENTIFIERS[name].split("\n"), "en-GB")[0] == "en"


def test_without_words_of_any_language_nothing_is_detected() -> None:
    assert detected(IDENTIFIERS["camel case"]) == ("", 0.0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Der Hund und die Katze sind in dem Haus.", ""),  # nine words
        ("Der Hund und die Katze sind nicht in dem Haus.", ""),
        ("Der Hund und die Katze sind nicht mehr in dem großen Haus.", "de"),
        ("Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια", ""),
        (SCRIPTS["el"], "el"),
        ("人人生而自由,在尊", ""),
        ("人人生而自由,在尊严和权利上一律平等", "zh"),
        ("มนุษย์ทั้งหลาย", ""),
        (SCRIPTS["th"], "th"),
    ],
)
def test_ten_words_say_nothing(text: str, expected: str) -> None:
    found, confidence = detected(text)
    assert found == expected and (confidence > 0) == bool(expected)


def test_a_declaration_in_any_place() -> None:
    names = "".join(f"<p>setItemData{n}</p>" for n in range(40))
    for head, headers in (
        ("<html lang=sv-SE>", {}),
        ("<meta http-equiv=content-language content=sv>", {}),
        ("<meta property=og:locale content=sv_SE>", {}),
        ("", {"content-language": "sv"}),
    ):
        html = head + names
        record, _, _ = read_page(LexborHTMLParser(html), html.encode(), headers, (), str, config.Record())
        assert record is not None and record.language == "sv" and record.confidence < SURE, head


def test_every_language_has_a_script_and_every_word_is_one() -> None:
    assert {each for languages in LANGUAGES.values() for each in languages} >= LISTED
    assert all(word == word.casefold() and len(word.split()) == 1 for word in LANGUAGES_OF)


GUIDES = {
    **{language: f"aptitude/html/{language}" for language in ("cs", "en", "es", "fi", "fr", "it", "ja", "nl", "ru")},
}


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_manual_in_nine_languages() -> None:
    """What is left untranslated is English: of those no more than a few."""
    settings, asked = config.Record(), wanted(config.Links())
    sure = right = 0
    for language, directory in GUIDES.items():
        paths = sorted((Path("/usr/share/doc") / directory).rglob("*.html"))
        if not paths:
            assert os.environ.get("CI") != "true", f"aptitude-doc-{language} is not installed"
            pytest.skip(f"aptitude-doc-{language} is not installed")
        for path in paths:
            html = to_utf8(path.read_bytes(), "")[0]
            links = extract(html, "http://a.test/", "lexbor", asked)
            record, _, _ = read_page(links.tree, html, {}, frozenset(links.anchors), str, settings)
            assert record is not None
            if record.confidence >= SURE:
                sure += 1
                right += record.language in (language, "en")
    print(f"\n{sure} pages with a confidence of {SURE} or more, {right} right")
    assert sure > 300
    assert right >= 0.97 * sure
