"""The character encoding of a body without a declared one: from its bytes, with a hint from its language and domain.

resiliparse detects it. Measured on 45 pairs of language and legacy encoding, with texts from translations: 95 % are
correct with 60 characters, 97 % with 200, 97 % with 1000 (faust-cchardet: 92, 97 and 96 %).
"""

from __future__ import annotations

import re

from resiliparse.parse.encoding import detect_encoding

from ttcrawl.web.charset.encoding import decode, encoding_name

#: Bytes around non-ASCII bytes that the detector reads: its time grows with them.
SAMPLE = 4096

#: Minimum number of non-ASCII bytes for a detection.
FEWEST = 6

DEFAULT = "windows-1252"

#: The encodings that readers of a language expect of pages without a declaration (HTML standard 13.2.3.2, the table of
#: locales).
_LOCALES = {
    **dict.fromkeys(["ar", "fa"], "windows-1256"),
    **dict.fromkeys(["be", "bg", "kk", "ky", "mk", "ru", "sah", "sr", "tg", "tt", "uk"], "windows-1251"),
    **dict.fromkeys(["cs", "hr", "sk"], "windows-1250"),
    **dict.fromkeys(["hu", "pl", "sl"], "iso-8859-2"),
    **dict.fromkeys(["et", "lt", "lv"], "windows-1257"),
    **dict.fromkeys(["az", "ku", "tr"], "windows-1254"),
    "el": "iso-8859-7",
    "he": "windows-1255",
    "ja": "shift_jis",
    "ko": "euc-kr",
    "th": "windows-874",
    "vi": "windows-1258",
    "zh": "gb18030",
    "zh-tw": "big5",
    "zh-hk": "big5",
}
#: Country domains that differ from the code of their language.
_COUNTRIES = {
    "ua": "uk",
    "by": "be",
    "cz": "cs",
    "gr": "el",
    "il": "he",
    "jp": "ja",
    "kr": "ko",
    "cn": "zh",
    "tw": "zh-tw",
    "hk": "zh-hk",
    "vn": "vi",
    "ee": "et",
    "rs": "sr",
    "si": "sl",
    "kz": "kk",
    "ir": "fa",
    "sa": "ar",
    "eg": "ar",
    **{each: each for each in ("bg", "hr", "hu", "lt", "lv", "mk", "pl", "ru", "sk", "th", "tr")},
}

_LANG = re.compile(rb"<html\b[^>]{0,500}?\blang\s*=\s*[\"']?([A-Za-z_-]{2,12})", re.IGNORECASE)
_TLD = re.compile(r"https?://[^/:?#]*\.([a-z]{2,3})(?:[:/?#]|\Z)")
_FOREIGN = re.compile(rb"[\x80-\xff][^<>\r\n]{0,500}")

#: The detector's names that are not in the Encoding standard.
_NAMES = {
    "cp949": "euc-kr",
    "euc_jp": "euc-jp",
    "iso2022_jp": "iso-2022-jp",
    "mac-cyrillic": "x-mac-cyrillic",
    "tis-620": "windows-874",
}
#: Encodings that hardly any page uses, but that short texts in other encodings resemble.
_RARE = frozenset(f"iso-8859-{number}" for number in (3, 4, 10, 14, 16)) | {"ibm866", "x-mac-cyrillic", "macintosh"}
#: The same letters at the same codes; only the second has characters at 80 to 9f.
_WITH_C1 = {"iso-8859-13": "windows-1257", "iso-8859-7": "windows-1253", "iso-8859-8": "windows-1255"}
_C1 = re.compile(rb"[\x80-\x9f]")


def guess(body: bytes, url: str) -> tuple[str, str]:
    """(WHATWG name, source): the source is content, detected or default. Never raises."""
    if b"\0" in body[:128] and (name := _utf16(body)):
        return name, "detected"
    if body.isascii():
        japanese = b"\x1b$" in body and detect_encoding(body[:SAMPLE], from_html_meta=False) == "iso2022_jp"
        return ("iso-2022-jp", "detected") if japanese else ("utf-8", "content")
    try:
        body.decode()
        return "utf-8", "content"
    except UnicodeDecodeError as error:
        # the last character is truncated
        if error.reason == "unexpected end of data" and not body[: error.start].isascii():
            return "utf-8", "content"
    if _mostly_utf8(body):
        return "utf-8", "detected"
    expected = _LOCALES.get(_hint(body, url), DEFAULT)
    name = _detected(body)
    if not name or (name in _RARE and expected != name and _readable(body, expected)):
        return (expected, "default") if _readable(body, expected) else (DEFAULT, "default")
    return name, "detected"


def _detected(body: bytes) -> str:
    """The encoding detected from the non-ASCII bytes, "" if none is plausible."""
    sample = b"\n".join(_FOREIGN.findall(body[: 64 * SAMPLE]))[:SAMPLE]
    if len(sample) - len(sample.translate(None, _HIGH)) < FEWEST:
        return ""
    label = detect_encoding(sample, max_len=SAMPLE, html5_compatible=False, from_html_meta=False) or ""
    label = re.sub(r"\Aiso8859-", "iso-8859-", _NAMES.get(label, label))
    name = encoding_name(label)
    if name in ("", "utf-8"):
        return ""
    if name in _WITH_C1 and _C1.search(body):
        name = _WITH_C1[name]
    return name if _readable(sample[:-4], name) else ""


def _readable(data: bytes, name: str) -> bool:
    """Whether almost all of the data is well-formed in this encoding."""
    if name == DEFAULT:
        return True
    text = decode(data[:SAMPLE], name)
    malformed = text.count("\ufffd")
    return malformed * 50 <= len(text)


def _mostly_utf8(body: bytes) -> bool:
    """Whether this is a UTF-8 page that contains some text in another encoding."""
    text = body[: 64 * SAMPLE].decode("utf-8", "replace")
    malformed = text.count("\ufffd")
    return sum(1 for character in text if character > "\x7f") > 10 * malformed


def _utf16(body: bytes) -> str:
    """UTF-16 markup without a byte order mark: every other byte is zero."""
    head = body[:128]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if max(even, odd) * 4 < len(head) or min(even, odd) * 10 > max(even, odd):
        return ""
    return "utf-16le" if odd > even else "utf-16be"


def _hint(body: bytes, url: str) -> str:
    """The language, from the page's lang attribute, else from its domain."""
    match = _LANG.search(body[:4096])
    if match:
        tag = match[1].decode().lower().replace("_", "-")
        return tag if tag in _LOCALES else tag.partition("-")[0]
    domain = _TLD.match(url)
    return _COUNTRIES.get(domain[1], "") if domain else ""


_HIGH = bytes(range(128, 256))
