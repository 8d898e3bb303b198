"""The scripts in which a language is written: Latin, unless it is in these tables.

From Unicode CLDR 49: likelySubtags, and the scripts of its locales; codes are the primary subtags of BCP 47. Added:
Latin for languages that also have an orthography in it, Cyrillic for Bosnian, Montenegrin, Serbo-Croatian, Romanian,
Turkmen and Tatar, and the individual languages of macrolanguages that CLDR has under the code of these (ISO 639-3).
"""

from __future__ import annotations

from ttcrawl.read.writing_systems import HAN, HANGUL, KANA, LATIN

_LANGUAGES = {
    "greek": "el aat bgx cpg ecr grc pnt scx tsd uum xpg yej",
    "cyrillic": (
        "ab av az ba be bg bs ce cu cv kk ku kv ky mk mn os ro ru sh sr tg tk tt ug uk uz abq ady agx akv alr alt"
        " ani aqc atv azj bhh bph bua bxm chm cji ckt clw cnr crh dar ddo dlg dng enf enh eve evn gdo gin gld huz"
        " inh isv itl jct jdt kaa kap kbd kca ket khk khv kim kjh koi kpt kpy krc krk kum kva lbe lez mdf mns mrj"
        " mtm mud myv ndf neg nio niv nog oaa oac omk orv osd paq pnt rsk rue rut sah sel sgh sia sjd sjt sty tab"
        " tin tyv ude udi udm ugh ulc uzn xal xas xdq xpm xrm xrn xwo yai ykg ykh ynk yrk ysr yug yux zko zkz"
    ),
    "armenian": "hy axm hyw rmi",
    "hebrew": "he iw ji yi aij czk hbo huy itk jbe jpa jpr jrb jye lad lsd trg ydd yhd yih yud zrp",
    "arabic": (
        "ar az fa ha kk ks ku ky ms pa ps sd tg ug ur uz aao abh abv acm acq acw acx adf aeb aec aee aeq afb aib"
        " aiq apc apd arb arq ars ary arz ask atn auj auz avd avl ayh ayl ayn ayp azb bal bdz bej bft bgn bgp bhe"
        " bhm bjm bqi brh brk bsh bsk chg cja ckb clh dcc def deh dgl dmk dml esh fay faz fia fub gbz ggg gha ghr"
        " gig gjk gju glh glk grr gwc gwf gwt gzi hac haz hkh hnd hno hoh hrz hss isk jad jat jbn jdg jnd jog kbu"
        " kby kcy kfm khw klj kmz ktl kvx kxp lah lki lrc lrk lrl lsa lss luv luz mby mde mey mfa mfi mhj mki mnj"
        " mve mvy mzb mzn nli nlm ntz nyq odk omy oru ota pbt pes phl phr phv plk prc prd prs prx psh psi pst qxq"
        " rdb rmt sbn scl sdb sdf sdg sdh sds sgr sgy shd shm shu shv siy siz skr smy sqo sqt srh srz ssh sts swb"
        " tjo tks tov tra trm trw ush uzs vaf vgr vmh wbk wne wni wsv xhe xka xkc xkj xkp xvi ydg zba zdj zum"
    ),
    "thaana": "dv",
    "devanagari": (
        "hi ks mr ne pi sa sd agi ahr anp anq anr aph asr awa bap bee bfb bfy bfz bgc bgd bgq bgw bha bhb bhd bhi"
        " bhj bho bht bhu bix biy bjj bmj bns bpx bra brd brx btv byh byw cdh cdj cdm cdn chx cih ctn daq dhi dhw"
        " doi drq dry dty duh dus dwz emg emu fmu gbk gbm gdx ghe goj gok gon gra gvr gyo hif hlb hne hoc hoj hoy"
        " hut jee jml jnl jns jul kex kfb kfk kfp kfq kfr kfs kfu kfx kfy kgj khn kif kip kjl kjo kkt kle klr kmj"
        " knn kok kra kru ksz kte kwx kxv kyv kyw kzq lae lbf lbm lbr lhm lif lmh loy luu mag mai mgp mjl mjt mjz"
        " mkb mke mrr mtr mut mwr nao ncd new nll nlx nmm noe noi npi nwx ola oon pch pci pgg phd phw pum pwr raa"
        " rab raf raj rav rji rjs rtw rwr sat sck scp sgj sjp skj soi srx suz swv syw taj tcn tdb tdg tdh tge the"
        " thf thl thq thr ths tij tkb tkt ttz unr vah vas vav vay vjk wbr wly wme wtm xnr xsr ybh ybi"
    ),
    "bengali": "as bn aot bpy cdz ctg der grt kdq mni oak rah rkt sdr syl unr unx",
    "gurmukhi": "pa",
    "gujarati": "gu cdi dhn dho dub gas gbl",
    "oriya": "or bdv bfw dso dwk gaq gbj gdb jun juy kxv ory peg rei spv uki xis zrg",
    "tamil": "ta bfq ctt cty era iru kfe kfi muv tcx vaa xua xub xuj",
    "telugu": "te cde gau key kfc kxv lmn mju nit ort pcj wbq wsg yeu",
    "kannada": "kn brw kfa kfd kfg sle tcy vmd",
    "malayalam": "ml aaf all kev kfh mjq mjr mjv pcf pcg pkr udg yea",
    "sinhala": "pi si",
    "thai": (
        "pi th bzi cbn cog kdt khf kjt kxm lcp lwl lwm mkm mlf mpz mra nyl nyw pht phu prt pww skb sou thm tts ugo"
        " urk yoy"
    ),
    "lao": "lo alk brv kjg kuf lbo ncq nev ngt oyb pho pnx sct sqq sss tth tto",
    "tibetan": (
        "bo dz adx bfu bkk bro cgk cna dka dre dzl ght goe jda jya kbg kgy khg kjz kkf lbj lkh luk lya muk neh npb"
        " ole otb sbu sgt sip spt tgf tsj twm xkf zau"
    ),
    "myanmar": (
        "my pi aio blk bwe csh csj dnu dnv hpo int jkp kht kjp ksu ksw kvq kvt kxf kxk mnw mwt obr omx pce phk pll"
        " pwo pyx rbb rki rmz shn tco tjl tvn yin zkn"
    ),
    "georgian": "ka bbl jge lzz oav sva xmf",
    "ethiopic": (
        "am ti agj ahg alw anu awn bcq bst byn dox drs gez gmv gof gru har hdy ior kqy ktb mdx mdy muz mvz mym sgw"
        " stv tig wal wle xan zwa"
    ),
    "khmer": "km brb krr krv okz pcb rka smu tpu xhm xkk",
    HANGUL: "ko jje okm",
    KANA: "ja ain ams ryu yoi",
    HAN: (
        "ja ko zh ams cdo cjy cmn cnp cpx csp czh gan hak hnm how hsn ltc luh lzh mnp nan oko sjc swi wuu yoi yue"
        " zch zeh zgb zgm zgn zhd zlj zln zlq zqe zyg zyn zzj"
    ),
}

#: Languages of these tables that are written in Latin letters too.
_LATIN_TOO = "az be bs ha kk ku ky ms pi ro sh sr tg tk tt ug uz abq azj bal cnr crh isv kaa kok kxv lzz mey pnt uzn"

_SCRIPTS: dict[str, frozenset[str]] = {}
for _script, _languages in _LANGUAGES.items():
    for _language in _languages.split():
        _SCRIPTS[_language] = _SCRIPTS.get(_language, frozenset()) | {_script}
for _language in _LATIN_TOO.split():
    _SCRIPTS[_language] |= {LATIN}
_ONLY_LATIN = frozenset((LATIN,))


def scripts_of(language: str) -> frozenset[str]:
    """The scripts of a primary subtag, as ttcrawl.read.writing_systems names them.

    >>> sorted(scripts_of("sr"))
    ['cyrillic', 'latin']
    """
    return _SCRIPTS.get(language, _ONLY_LATIN)
