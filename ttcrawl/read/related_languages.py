"""Languages that a detector takes for each other, because they share most of their frequent words.

Of two languages with function words of their own only the closest are related: standards of one macrolanguage (ISO
639-3), and neighbors whose short texts are mutually intelligible. A language without function words here is detected as
another one of its branch (ISO 639-5), so it is related to all of them. English is in a group of its own: it is on pages
of every language, and its frequent words resemble no other West Germanic language.
"""

from __future__ import annotations

from ttcrawl.read.function_words import LISTED

#: Macrolanguages, codes that were replaced (IANA Language Subtag Registry), and the closest neighbors.
_CLOSE = (
    "no nb nn da",
    "hr bs sr sh cnr",
    "id in ms zlm zsm",
    "he iw",
    "yi ji",
    "ro mo",
    "tl fil",
    "cs sk",
    "gl pt",
    "bg mk",
    "fo is",
    "nl af",
    "kk ky",
    "tt ba",
    "sq als aln",
    "et ekk",
    "lv lvs",
    "mg plt",
    "sw swh swc",
    "fa pes prs",
    "ps pbt pbu pst",
    "ku kmr",
    "uz uzn uzs",
    "ne npi",
)

#: Branches: languages that are detected, and after a bar languages that are not.
_BRANCHES = (
    # Romance
    "ca es fr gl it la pt ro rm sc | an ast cbk co dlm egl eml ext fro frp fur gcf gcr ht kea lad lfn lij lld lmo mfe"
    " mwl nap nrf oc osp pap pcd pms pro rcf rgn roa rup scn vec wa",
    # made from Romance and other languages
    "eo io vo ca es fr it la pt | ia ie ile ina nov",
    "en | ang bi enm gul hwc jam pcm pis sco srm srn tpi",
    # West Germanic without English
    "af de fy lb nl | bar frr frs gmh goh gos gsw hrx ksh li nds nl pdc pdt pfl sli stq swg vls wym zea",
    # North Germanic
    "da fo is no sv | nn nrn non ovd gmq",
    # Celtic
    "br cy ga gd | cnx gv kw mga sga wlm xbm",
    # Slavic
    "be bg cs hr mk pl ru sk sl sr uk | cnr csb cu dsb hsb isv kjv orv rsk rue sh sla szl wen zlw",
    # Baltic
    "lt lv | bat ltg olt prg sgs xcu",
    # Finnic and other Uralic
    "et fi hu | fit fiu fkv izh kca koi krl kv liv mdf mhr mns mrj myv olo se sju sje sma smj smn sms udm vep vot vro",
    # Turkic
    "az ba cv kk ky tk tr tt ug uz | alt azb azj crh chg gag kaa kjh krc kum nog ota sah slr tyv uum",
    # Iranian
    "fa ku ps tg | bal ckb diq glk haz jdi kiu lki lrc luz mzn os oss rdb sdh tly tov zza",
    # Semitic
    "ar mt | aao abh abv acm acq acw acx adf aeb aec afb ajp apc apd arc arq ars ary arz auz avl ayh ayl ayn ayp pga"
    " shu ssh",
    # Indo-Aryan
    "as bn hi mr ne sa sd ur | anp awa bgc bho bhb bpy bra dgo doi dty gbm gom hif hne kfy knn kok ks lah mag mai mup"
    " new noe pi pnb raj rom sck skr swv syl wbr xnr",
    # Malayo-Polynesian
    "id jv mg tl | ace ban bbc bcl bew bik bjn btk bug ceb ch dtp fj gil gor haw hil ho iba ilo jax kri mad mak mh mi"
    " min mui nia niu pag pam pau pcc ppm pwn rap sas sm su tet to trv ty war",
    # Bantu
    "sw | bem ch kg ki kj lg ln lua lub luy mgh mh naq nd ng nr nso ny nyn rn rw sn ss st tn ts tum ve vmw wni xh zdj"
    " zu",
)


def _pairs() -> dict[str, frozenset[str]]:
    related: dict[str, frozenset[str]] = {}
    for group in _CLOSE:
        members = frozenset(group.split())
        for language in members:
            related[language] = related.get(language, frozenset()) | members
    for branch in _BRANCHES:
        detected, _, others = branch.partition(" | ")
        for language in others.split():
            if language not in LISTED:
                related[language] = related.get(language, frozenset()) | frozenset(detected.split())
    return related


_RELATED = _pairs()


def related(declared: str, detected: str) -> bool:
    """Whether a text in the declared language may be detected as the other one.

    >>> related("ast", "es"), related("fr", "es")
    (True, False)
    """
    return detected in _RELATED.get(declared, ())
