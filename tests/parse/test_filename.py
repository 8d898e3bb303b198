"""Names of files: the cases of http://test.greenbytes.de/tech/tc2231/ (facts), then hostile ones and those of URLs.

Where a header is invalid by RFC 6266 and says plainly what it means all the same, the name is taken: a file is saved
in any case, and nobody is asked.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.parse.filename import MOST, disposed, name_of
from ttcrawl.web.filename import file_name

EURO = "foo-\u00e4-\u20ac.html"

VALID = {
    "inlonly": ("inline", ""),
    "inlwithasciifilename": ('inline; filename="foo.html"', "foo.html"),
    "inlwithfnattach": ('inline; filename="Not an attachment!"', "Not an attachment!"),
    "inlwithasciifilenamepdf": ('inline; filename="foo.pdf"', "foo.pdf"),
    "attonly": ("attachment", ""),
    "attonlyucase": ("ATTACHMENT", ""),
    "attwithasciifilename": ('attachment; filename="foo.html"', "foo.html"),
    "attwithasciifilename25": ('attachment; filename="0000000000111111111122222"', "0000000000111111111122222"),
    "attwithasciifnescapedchar": (r'attachment; filename="f\oo.html"', "foo.html"),
    "attwithasciifnescapedquote": (r'attachment; filename="\"quoting\" tested.html"', '"quoting" tested.html'),
    "attwithquotedsemicolon": ('attachment; filename="Here\'s a semicolon;.html"', "Here's a semicolon;.html"),
    "attwithfilenameandextparam": ('attachment; foo="bar"; filename="foo.html"', "foo.html"),
    "attwithfilenameandextparamescaped": (r'attachment; foo="\"\\";filename="foo.html"', "foo.html"),
    "attwithasciifilenameucase": ('attachment; FILENAME="foo.html"', "foo.html"),
    "attwithasciifilenamenq": ("attachment; filename=foo.html", "foo.html"),
    "attwithfntokensq": ("attachment; filename='foo.bar'", "'foo.bar'"),
    "attwithisofnplain": ('attachment; filename="foo-\u00e4.html"', "foo-\u00e4.html"),
    "attwithutf8fnplain": ('attachment; filename="foo-\u00c3\u00a4.html"', "foo-\u00e4.html"),
    "attwithfnrawpctenca": ('attachment; filename="foo-%41.html"', "foo-%41.html"),
    "attwithfnusingpct": ('attachment; filename="50%.html"', "50%.html"),
    "attwithfnrawpctencaq": (r'attachment; filename="foo-%\41.html"', "foo-%41.html"),
    "attwithnamepct": ('attachment; name="foo-%41.html"', ""),
    "attwithfilenamepctandiso": ('attachment; filename="\u00e4-%41.html"', "\u00e4-%41.html"),
    "attwithfnrawpctenclong": ('attachment; filename="foo-%c3%a4-%e2%82%ac.html"', "foo-%c3%a4-%e2%82%ac.html"),
    "attwithasciifilenamews1": ('attachment; filename ="foo.html"', "foo.html"),
    "attconfusedparam": ('attachment; xfilename="foo.html"', ""),
    "attcdate": ('attachment; creation-date="Wed, 12 Feb 1997 16:29:51 -0500"', ""),
    "dispext": ("foobar", ""),
    "dispextbadfn": ('attachment; example="filename=example.txt"', ""),
    "attwithisofn2231iso": ("attachment; filename*=iso-8859-1''foo-%E4.html", "foo-\u00e4.html"),
    "attwithfn2231utf8": ("attachment; filename*=UTF-8''foo-%c3%a4-%e2%82%ac.html", EURO),
    "attwithfn2231utf8comp": ("attachment; filename*=UTF-8''foo-a%cc%88.html", "foo-a\u0308.html"),
    "attwithfn2231language": ("attachment; filename*=UTF-8'en'foo-%c3%a4-%e2%82%ac.html", EURO),
    "attwithfn2231ws2": ("attachment; filename*= UTF-8''foo-%c3%a4.html", "foo-\u00e4.html"),
    "attwithfn2231ws3": ("attachment; filename* =UTF-8''foo-%c3%a4.html", "foo-\u00e4.html"),
    "attwithfn2231dpct": ("attachment; filename*=UTF-8''A-%2541.html", "A-%41.html"),
    "attfnboth": ("attachment; filename=\"foo-ae.html\"; filename*=UTF-8''foo-%c3%a4.html", "foo-\u00e4.html"),
    "attfnboth2": ("attachment; filename*=UTF-8''foo-%c3%a4.html; filename=\"foo-ae.html\"", "foo-\u00e4.html"),
    "attfnboth3": (
        "attachment; filename*0*=ISO-8859-15''euro-sign%3d%a4; filename*=ISO-8859-1''currency-sign%3d%a4",
        "currency-sign=\u00a4",
    ),
    "attnewandfn": ('attachment; foobar=x; filename="foo.html"', "foo.html"),
    "attrfc2047quoted": ('attachment; filename="=?ISO-8859-1?Q?foo-=E4.html?="', "=?ISO-8859-1?Q?foo-=E4.html?="),
}
INVALID = {  # by RFC 6266; what we take all the same, "" for nothing
    "attwithtokfncommanq": ("attachment; filename=foo,bar.html", "foo,bar.html"),
    "attwithasciifilenamenqs": ("attachment; filename=foo.html ;", "foo.html"),
    "attemptyparam": ("attachment; ;filename=foo", "foo"),
    "attwithasciifilenamenqws": ("attachment; filename=foo bar.html", "foo bar.html"),
    "attwith2filenames": ('attachment; filename="foo.html"; filename="bar.html"', "foo.html"),
    "attfnbrokentoken": ("attachment; filename=foo[1](2).html", "foo[1](2).html"),
    "attfnbrokentokeniso": ("attachment; filename=foo-\u00e4.html", "foo-\u00e4.html"),
    "attfnbrokentokenutf": ("attachment; filename=foo-\u00c3\u00a4.html", "foo-\u00e4.html"),
    "attmissingdisposition": ("filename=foo.html", "foo.html"),
    "attmissingdisposition2": ("filename=x=y; filename=foo.html", "x=y"),
    "attmissingdisposition4": ("filename=foo.html, filename=bar.html", "foo.html, filename=bar.html"),
    "emptydisposition": ("; filename=foo.html", "foo.html"),
    "doublecolon": (": inline; attachment; filename=foo.html", "foo.html"),
    "attbrokenquotedfn": ('attachment; filename="foo.html".txt', "foo.html"),
    "attbrokenquotedfn2": ('attachment; filename="bar', '"bar'),
    "attbrokenquotedfn3": ('attachment; filename=foo"bar;baz"qux', 'foo"bar'),
    "attmissingdelim3": ("attachment filename=bar", ""),
    "attreversed": ("filename=foo.html; attachment", "foo.html"),
    "attwithfn2231noc": ("attachment; filename*=''foo-%c3%a4-%e2%82%ac.html", ""),
    "attwithfn2231iso-bad": ("attachment; filename*=utf-8''foo-%E4.html", ""),
    "attwithfn2231ws1": ("attachment; filename *=UTF-8''foo-%c3%a4.html", ""),
    "attwithfn2231quot": ("attachment; filename*=\"UTF-8''foo-%c3%a4.html\"", ""),
    "attwithfn2231quot2": ('attachment; filename*="foo%20bar.html"', ""),
    "attwithfn2231singleqmissing": ("attachment; filename*=UTF-8'foo-%c3%a4.html", ""),
    "attwithfn2231nbadpct1": ("attachment; filename*=UTF-8''foo%", ""),
    "attwithfn2231nbadpct2": ("attachment; filename*=UTF-8''f%oo.html", ""),
    "attfncont": ('attachment; filename*0="foo."; filename*1="html"', ""),
    "attrfc2047token": ("attachment; filename==?ISO-8859-1?Q?foo-=E4.html?=", "=?ISO-8859-1?Q?foo-=E4.html?="),
    "a bad one and a good one": ("attachment; filename*=UTF-8''%ff; filename=foo.html", "foo.html"),
}


@pytest.mark.parametrize(("header", "name"), VALID.values(), ids=VALID)
def test_headers(header, name):
    assert disposed(header) == name


@pytest.mark.parametrize(("header", "name"), INVALID.values(), ids=INVALID)
def test_headers_that_are_wrong(header, name):
    assert disposed(header) == name


URL = "http://a.test/x/of-url.html"
PATHS = {
    "attabspath": ('attachment; filename="/foo.html"', "foo.html"),
    "attabspathwin": (r'attachment; filename="\\foo.html"', "foo.html"),
    "attwithfn2231abspathdisguised": ("attachment; filename*=UTF-8''%5cfoo.html", "foo.html"),
    "upwards": ('attachment; filename="../../etc/passwd"', "passwd"),
    "upwards, disguised": ("attachment; filename*=UTF-8''..%2f..%2Fpasswd", "passwd"),
    "Windows": (r'attachment; filename="C:\\windows\\x.exe"', "x.exe"),
    "a directory": ('attachment; filename="foo/"', "of-url.html"),
    "dots": ("attachment; filename=..", ".."),
    "empty": ('attachment; filename=""', "of-url.html"),
    "blank": ('attachment; filename=" "', "of-url.html"),
    "no header": ("", "of-url.html"),
}


@pytest.mark.parametrize(("header", "name"), PATHS.values(), ids=PATHS)
def test_directories_are_no_part_of_a_name(header, name):
    assert name_of(header, URL) == name


URLS = {
    "http://a.test/x.png": "x.png",
    "http://a.test/x.png?y=/z.png": "x.png",
    "http://a.test/a/b/": "b",
    "http://a.test/": "a.test",
    "http://a.test:81/?x": "a.test:81",
    "http://a.test/%C3%BC%20x.png": "\u00fc x.png",
    "http://a.test/%FC.png": "%FC.png",
    "http://a.test/a%2Fb.png": "b.png",
    "http://a.test/..%2F..%2Fetc%2Fpasswd": "passwd",
    "http://a.test/%5C%2E%2E": "..",
    "http://a.test/%00.png": "\0.png",
    "http://a.test/x/%2F": "x",
}


@pytest.mark.parametrize(("url", "name"), URLS.items())
def test_urls(url, name):
    assert name_of("", url) == name


PIECES = (
    "filename",
    "*",
    "=",
    '"',
    "\\",
    ";",
    "UTF-8''",
    "%",
    "%c3",
    "%2f",
    "..",
    "/",
    "foo.html",
    " ",
    "\0",
    "\xff",
    "'",
)


@pytest.mark.slow
@given(
    header=st.one_of(
        st.lists(st.sampled_from(PIECES), max_size=20).map("".join),
        st.text(st.characters(max_codepoint=255), max_size=99),
    ),
    path=st.text("/%2fe.\\?x", max_size=30),
)
def test_any_header_gives_a_name(header, path):
    for text in (header, f"attachment; filename={header}", f"attachment; filename*=UTF-8''{header}"):
        name = name_of(text, f"http://a.test/{path}")
        assert 0 < len(name) <= MOST and "/" not in name and "\\" not in name
        name.encode()  # what SQLite takes
        assert file_name(name)
