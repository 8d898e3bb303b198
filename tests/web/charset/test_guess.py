"""What nobody declared: real sentences in the encodings that were in use."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.web.charset.detect import to_utf8
from ttcrawl.web.charset.encoding import decode, encoding_name
from ttcrawl.web.charset.guess import guess

# Universal Declaration of Human Rights, articles 1 and 2
RIGHTS = {
    "ru": "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью.",
    "uk": "Всі люди народжуються вільними і рівними у своїй гідності та правах. Вони наділені розумом і совістю.",
    "bg": "Всички хора се раждат свободни и равни по достойнство и права. Те са надарени с разум и съвест.",
    "el": "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.",
    "he": "כל בני אדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון.",
    "ar": "يولد جميع الناس أحراراً متساوين في الكرامة والحقوق. وقد وهبوا عقلاً وضميراً.",
    "ja": "すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。",
    "ko": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
    "zh": "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。",
    "zh-tw": "人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神互相對待。",
    "pl": "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem.",
    "cs": "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím.",
    "hu": "Minden emberi lény szabadon születik és egyenlő méltósága és joga van. Az emberek, ésszel bírván, őszintén.",
    "tr": "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler.",
    "th": "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ",
    "de": "Alle Menschen sind frei und gleich an Würde und Rechten geboren, für Brüderlichkeit begabt; größer.",
    "fr": "Tous les êtres humains naissent libres et égaux en dignité et en droits; doués de raison, élevés à l'été.",
}
ENCODED = [
    ("ru", "windows-1251"),
    ("ru", "koi8-r"),
    ("ru", "iso-8859-5"),
    ("uk", "windows-1251"),
    ("bg", "windows-1251"),
    ("el", "iso-8859-7"),
    ("el", "windows-1253"),
    ("he", "windows-1255"),
    ("ar", "windows-1256"),
    ("ja", "shift_jis"),
    ("ja", "euc-jp"),
    ("ja", "iso-2022-jp"),
    ("ko", "euc-kr"),
    ("zh", "gb18030"),
    ("zh", "gbk"),
    ("zh-tw", "big5"),
    ("pl", "iso-8859-2"),
    ("pl", "windows-1250"),
    ("cs", "iso-8859-2"),
    ("cs", "windows-1250"),
    ("hu", "iso-8859-2"),
    ("tr", "windows-1254"),
    ("th", "windows-874"),
    ("de", "windows-1252"),
    ("fr", "windows-1252"),
    *((language, encoding) for language in ("ru", "ja", "fr") for encoding in ("utf-16le", "utf-16be", "utf-8")),
]
PAGE = "<html><head><title>x</title><script>f(1)</script></head><body class=a><p>{}</p><p>{}</p></body></html>"


@pytest.mark.parametrize(("language", "encoding"), ENCODED)
def test_detected(language, encoding):
    page = PAGE.format(RIGHTS[language], RIGHTS[language])
    if encoding.startswith("windows-1253"):
        page = page.replace("ά", "\u0386")  # another place than in ISO 8859-7
    body = page.encode("cp" + encoding.removeprefix("windows-") if encoding == "windows-874" else encoding, "replace")
    utf8, charset, declared, decided = to_utf8(body, "")
    assert utf8.decode() == decode(body, encoding)
    assert declared == "" and decided == ("content" if encoding == "utf-8" else "detected"), charset


CASES = [
    # body, URL, expected
    (b"", "", ("utf-8", "content")),
    (b"plain", "", ("utf-8", "content")),
    ("é".encode(), "", ("utf-8", "content")),
    ("Zoë, naïve ".encode()[:-1] + b"\xc3", "", ("utf-8", "content")),  # cut in the middle of a character
    (b"caf\xe9", "", ("windows-1252", "default")),
    (b"caf\xe9", "http://a.ru/", ("windows-1251", "default")),
    (b"caf\xe9", "http://a.example.pl:81/x", ("iso-8859-2", "default")),
    (b"<html lang=cs><p>caf\xe9", "http://a.ru/", ("windows-1250", "default")),
    (b"<html lang='zh-TW'><p>\xa4\xa4", "", ("big5", "default")),
    (b"<html lang=ko><p>\xff\xff", "", ("windows-1252", "default")),  # that is no EUC-KR
    (("я и ты " * 20).encode() + b"\xff\xfe", "", ("utf-8", "detected")),  # into which something else was pasted
    (b"a\0b\0c\0" * 20, "", ("utf-16le", "detected")),
    (b"\0a\0b\0c" * 20, "", ("utf-16be", "detected")),
    (b"a\0\0\0" * 20, "", ("utf-8", "content")),
    (b"\x1b$B5l$?\x1b(B" * 9, "", ("iso-2022-jp", "detected")),
    (b"a\x1b$b", "", ("utf-8", "content")),
]


@pytest.mark.parametrize(("body", "url", "expected"), CASES)
def test_guess(body, url, expected):
    assert guess(body, url) == expected


DECIDED = [
    # body, label of the header, (charset, declared, decided)
    (b"\xef\xbb\xbfa", "koi8-r", ("utf-8", "koi8-r", "bom")),
    (b"\xff\xfea\0", "", ("utf-16le", "", "bom")),
    (b"<meta charset=koi8-r>", "Latin1", ("windows-1252", "Latin1", "header")),
    (b"<meta charset=koi8-r>", "", ("koi8-r", "koi8-r", "meta")),
    (b"<meta charset=koi8-r>", "nonsense", ("koi8-r", "nonsense", "meta")),
    (b"<meta charset=nonsense>a", "", ("utf-8", "nonsense", "content")),
    (b"<?xml version='1.0' encoding='koi8-r'?>", "", ("koi8-r", "koi8-r", "meta")),
    (b'<?xml version="1.0" encoding="UTF-16"?>', "", ("utf-8", "UTF-16", "meta")),
    (b"<?xml version='1.0' encoding='nonsense'?>a", "", ("utf-8", "nonsense", "content")),
    (b"<meta charset=UTF8>\xff", "", ("utf-8", "UTF8", "meta")),
]


@pytest.mark.parametrize(("body", "label", "expected"), DECIDED)
def test_what_decided(body, label, expected):
    charset, declared, decided = to_utf8(body, label)[1:]
    assert (charset, declared.upper(), decided) == (expected[0], expected[1].upper(), expected[2])


def test_plain_text_has_no_meta():
    assert to_utf8(b"<meta charset=koi8-r>", "", markup=False)[1:] == ("utf-8", "", "content")


@given(st.binary(max_size=400), st.sampled_from(["", "http://a.ru/", "http://a.tw", "nonsense", "http://[::1]/"]))
def test_any_bytes(body, url):
    name, decided = guess(body, url)
    assert encoding_name(name) == name and decided in ("content", "detected", "default")
