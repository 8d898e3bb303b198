"""Files of cookies, as curl, wget and browsers write them."""

import http.cookiejar

import pytest

from ttcrawl.web.cookies.file import cookies_in, cookies_txt
from ttcrawl.web.cookies.jar import Jar

TXT = """# Netscape HTTP Cookie File
# https://curl.se/docs/http-cookies.html

.a.test\tTRUE\t/\tFALSE\t0\tsid\tabc
#HttpOnly_www.a.test\tFALSE\t/in\tTRUE\t4000000000\ttoken\tx=y
b.test\tFALSE\t/\tFALSE\t1\told\tz
c.test\tFALSE\t/\tFALSE\t0\tempty\t
"""

#: As extensions export them; as Playwright keeps them; with a time of its own form.
JSON = """[
  {"domain": ".a.test", "hostOnly": false, "path": "/", "secure": false, "session": true, "name": "sid",
   "value": "abc"},
  {"domain": "www.a.test", "hostOnly": true, "path": "/in", "secure": true, "expirationDate": 4e9, "name": "token",
   "value": "x=y"},
  {"domain": "b.test", "path": "/", "secure": false, "expires": 1, "name": "old", "value": "z"},
  {"domain": "c.test", "path": "/", "secure": false, "expires": -1, "name": "empty", "value": "", "sameSite": "Lax"}
]"""

FORMS = {
    "cookies.txt": TXT,
    "list": JSON,
    "Playwright": f'{{"cookies": {JSON}, "origins": []}}',
    "BOM": "\ufeff" + JSON,
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("url", "sent"),
    [
        ("http://a.test/", "sid=abc"),
        ("http://www.a.test/in/x", "sid=abc"),
        ("https://www.a.test/in/x", "token=x=y; sid=abc"),
        ("https://x.www.a.test/in", "sid=abc"),
        ("http://b.test/", None),
        ("http://c.test/", "empty="),
        ("http://atest/", None),
    ],
)
def test_what_is_sent(form, url, sent):
    jar = Jar("kept", own=cookies_in(FORMS[form]))
    assert jar.headers(url, 1e9) == ((("Cookie", sent),) if sent else ())


@pytest.mark.parametrize("mode", ["no", "host", "kept"])
def test_none_is_stored_before_a_server_changes_it(mode):
    jar = Jar(mode, own=cookies_in(TXT))
    assert jar.changed() == ([], [])
    jar.take("http://a.test/", ["sid=new; Domain=a.test"], 1e9)
    changed, _ = jar.changed()
    assert [each.value for each in changed] == (["new"] if mode == "kept" else [])
    resumed = Jar(mode, changed, own=cookies_in(TXT))
    cookie = dict(resumed.headers("http://a.test/", 1e9)).get("Cookie")
    assert cookie == {"no": None, "host": "sid=abc", "kept": "sid=new"}[mode]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a.test FALSE / FALSE 0 a b", "line 1: a line has 7 fields, separated by tabs"),
        ("\n#x\na.test\tFALSE\t/\tFALSE\tsoon\ta\ts3cret", "line 3: its time of expiry is not a number"),
        ("a.test/x\tFALSE\t/\tFALSE\t0\ta\ts3cret", "line 1: 'a.test/x' is not a domain"),
        ("\tFALSE\t/\tFALSE\t0\ta\ts3cret", "line 1: '' is not a domain"),
        ("a.test\tFALSE\t/\tFALSE\t0\t\ts3cret", "line 1: its name or value cannot be sent"),
        ("a.test\tFALSE\t/\tFALSE\t0\ta\ts3cret; b=c", "line 1: its name or value cannot be sent"),
        (
            '[{"domain": "a.test", "name": "a", "value": "s3cret\\r\\nX: y"}]',
            "cookie 1: its name or value cannot be sent",
        ),
        ('[{"domain": "a.test", "name": "a", "value": 7}]', "cookie 1: domain, name and value must be texts"),
        ("[7]", "line 1: a line has 7 fields"),
        ("{}", "its JSON has no list of cookies"),
        ('[{"a": ' * 100_000, "it is neither a cookies.txt nor JSON"),
        ('[{"domain": "a.test", "name": "a", "value": "b", "expires": [1]}]', "cookie 1: its time of expiry"),
    ],
)
def test_a_wrong_file_is_refused_without_its_secrets(text, said):
    with pytest.raises(ValueError) as error:
        cookies_in(text)
    assert str(error.value).startswith(said) and "s3cret" not in str(error.value)


@pytest.mark.parametrize(
    ("domain", "sub"), [(".co.uk", False), (".127.0.0.1", False), ("[::1]", False), (".a.test", True)]
)
def test_a_cookie_of_a_public_suffix_or_an_address_is_for_it_alone(domain, sub):
    [cookie] = cookies_in(f"{domain}\tTRUE\t/\tFALSE\t0\ta\tb\n")
    assert cookie.host_only is not sub


def test_what_is_written_is_read_again_also_by_others(tmp_path):
    cookies = cookies_in(TXT)
    (tmp_path / "cookies.txt").write_text(cookies_txt(cookies))
    assert cookies_in((tmp_path / "cookies.txt").read_text()) == cookies
    theirs = http.cookiejar.MozillaCookieJar(tmp_path / "cookies.txt")
    theirs.load(ignore_discard=True, ignore_expires=True)
    assert {(each.domain, each.path, each.name, each.secure) for each in theirs} == {
        (".a.test", "/", "sid", False),
        ("www.a.test", "/in", "token", True),
        ("b.test", "/", "old", False),
        ("c.test", "/", "empty", False),
    }


def test_a_cookie_with_letters_in_utf_8_is_read_again():
    """Their bytes are characters of ISO 8859-1 here, and one of them is a line end for Python."""
    jar = Jar("kept")
    jar.take("http://a.test/", ["a=\xd1\x85"], 0.0)
    [cookie], _ = jar.changed()
    assert [each.value for each in cookies_in(cookies_txt([cookie]))] == ["\xd1\x85"]
