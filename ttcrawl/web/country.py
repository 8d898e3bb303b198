"""The country of a server: by the top-level domain of its host, or by its address in a GeoIP file.

Countries are codes of two letters (ISO 3166-1 alpha-2); "": not known.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from ttcrawl.errors import UsageError, require
from ttcrawl.web.url import split_port

#: Host (as in table `site`) and address -> country.
Countries: TypeAlias = Callable[[str, str], str]

#: Addresses whose countries are remembered.
ADDRESSES = 10_000

#: Top-level domains of countries that are their codes, as IANA has them.
_CODES = (
    "ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bv bw by bz ca "
    "cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et fi fj fk fm fo fr "
    "ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je "
    "jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo "
    "mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt "
    "pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st sv sx sy sz tc td tf tg th tj tk "
    "tl tm tn to tr tt tv tw tz ua ug us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw"
)

#: All of them: some countries have no domain, or no longer.
COUNTRIES = frozenset(_CODES.upper().split()) | {"BL", "EH", "MF", "UM"}

#: Country -> its other top-level domains. The European Union (eu) and the Soviet Union (su) have no country.
_OTHERS = {
    "GB": "uk",
    "SH": "ac",
    "AE": "امارات",
    "AM": "հայ",
    "BD": "বাংলা",
    "BG": "бг",
    "BH": "البحرين",
    "BY": "бел",
    "CN": "中国 中國",
    "DZ": "الجزائر",
    "EG": "مصر",
    "GE": "გე",
    "GR": "ελ",
    "HK": "香港",
    "IL": "ישראל",
    "IN": "भारत భారత్ ભારત بھارت ভারত ਭਾਰਤ இந்தியா ಭಾರತ ഭാരതം ভাৰত ଭାରତ بارت ڀارت भारतम् भारोत",
    "IQ": "عراق",
    "IR": "ایران ايران",
    "JO": "الاردن",
    "KR": "한국",
    "KZ": "қаз",
    "LA": "ລາວ",
    "LK": "ලංකා இலங்கை",
    "MA": "المغرب",
    "MK": "мкд",
    "MN": "мон",
    "MO": "澳門 澳门",
    "MR": "موريتانيا",
    "MY": "مليسيا",
    "OM": "عمان",
    "PK": "پاکستان پاكستان",
    "PS": "فلسطين",
    "QA": "قطر",
    "RS": "срб",
    "RU": "рф",
    "SA": "السعودية السعودیة السعودیۃ السعوديه",
    "SD": "سودان",
    "SG": "新加坡 சிங்கப்பூர்",
    "SY": "سورية سوريا",
    "TH": "ไทย",
    "TN": "تونس",
    "TW": "台湾 台灣 臺灣",
    "UA": "укр",
    "YE": "اليمن",
}

_BY_DOMAIN = {code: code.upper() for code in _CODES.split()} | {
    name if name.isascii() else f"xn--{name.encode('punycode').decode()}": country
    for country, names in _OTHERS.items()
    for name in names.split()
}


def by_domain(host: str, address: str = "") -> str:
    """Return the country to which the top-level domain of a host belongs.

    >>> by_domain("www.gov.si"), by_domain("bbc.co.uk:8080"), by_domain("xn--e1afmkfd.xn--p1ai"), by_domain("a.eu")
    ('SI', 'GB', 'RU', '')
    """
    name, _ = split_port(host)
    return _BY_DOMAIN.get(name.rstrip(".").rpartition(".")[2], "")


def countries(geoip: str) -> Countries:
    """Return what finds countries; `geoip`: the path of a file in the format MaxMind DB, which decides alone; "": none.

    Raises UsageError if the file cannot be read, or the extra for it is missing.
    """
    if not geoip:
        return by_domain
    require("maxminddb")
    import maxminddb

    path = Path(geoip)
    try:
        file = maxminddb.open_database(path)
    except OSError as error:
        raise UsageError(f"[record] geoip: cannot read {path}: {error.strerror}") from error
    except maxminddb.InvalidDatabaseError as error:
        raise UsageError(f"[record] geoip: {path} is not a MaxMind DB ({error})") from error

    @lru_cache(ADDRESSES)
    def of_address(address: str) -> str:
        try:
            return _country_of(file.get(address))
        except ValueError:  # no address, or one of IPv6 in a file of IPv4
            return ""
        except maxminddb.InvalidDatabaseError as error:
            raise UsageError(f"[record] geoip: {path} cannot be read: {error}") from error

    return lambda host, address: of_address(address)


def _country_of(record: Any) -> str:
    """The country in a record of GeoLite2 or DB-IP (`country` with `iso_code`, else where its network is registered),
    or of IPinfo and others (`country_code`, or a code as `country`)."""
    if not isinstance(record, dict):
        return ""
    for value in (record.get("country_code"), record.get("country"), record.get("registered_country")):
        code = value.get("iso_code") if isinstance(value, dict) else value
        if isinstance(code, str) and len(code) == 2 and code.isascii() and code.isalpha():
            return code.upper()
    return ""
