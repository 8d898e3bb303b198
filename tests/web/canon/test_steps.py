"""The steps of config.ini: each by a table, all together by properties in tests/fuzz/test_canon.py."""

import pickle
from itertools import pairwise

import pytest

from ttcrawl import config
from ttcrawl.config import ConfigError, read
from ttcrawl.config.compiled import compile_canon
from ttcrawl.web.url import resolve

DEFAULT = config.Url()
SORTED, SINGLE = config.Url(sort_query=True), config.Url(duplicate_parameters="drop")
WWW, FOLDED = config.Url(strip_www=True), config.Url(fold_case=True)
ALIASES = config.Url(aliases="b.test=a.test c.test=b.test d.test=d.test:8080 www.e.test=f.test x=y y=x")
ORIGINS = config.Url(
    aliases="http://a.test=https://a.test https://b.test:8443=http://b.test:8080 b.test=a.test c.test:8443=b.test:8443"
    " http://x.test=https://y.test https://y.test=http://x.test http://e.test:443=http://f.test"
)
INDEX = config.Url(index_pages="index.html Default.aspx")
ADD, DROP, CUT = (
    config.Url(trailing_slash="add"),
    config.Url(trailing_slash="drop", index_pages="index.html"),
    config.Url(cut_after_slashes=3),
)
ALL = config.Url(
    sort_query=True,
    duplicate_parameters="drop",
    strip_www=True,
    fold_case=True,
    aliases="b.test=a.test",
    index_pages="index.html",
    trailing_slash="drop",
    cut_after_slashes=4,
)


@pytest.mark.parametrize(
    ("settings", "before", "after"),
    [
        (DEFAULT, "http://a.test/?utm_source=x&id=1&UTM_Medium=y", "http://a.test/?id=1"),
        (DEFAULT, "http://a.test/?utm_source=x&gclid=y", "http://a.test/"),
        (DEFAULT, "http://a.test/?id=1&fbclid=y", "http://a.test/?id=1"),
        (DEFAULT, "http://a.test/?&utm_id", "http://a.test/"),
        (DEFAULT, "http://a.test/?ut%6D_id=1&x", "http://a.test/?x"),
        (DEFAULT, "http://a.test/?utm=1&xgclid=2&gclid2=3&sid=4", None),
        (DEFAULT, "http://a.test/a&utm_x=1/b?c&", None),
        (DEFAULT, "http://a.test/?q=?gclid=1", None),
        (DEFAULT, "http://a.test/x;JSESSIONID=1F?y", "http://a.test/x?y"),
        (DEFAULT, "http://a.test/x;v=1;jsessionid=1;w/y;jsessionid", "http://a.test/x;v=1;w/y"),
        (DEFAULT, "http://a.test/x/..;jsessionid=1/y", "http://a.test/y"),
        (DEFAULT, "http://a.test/x/%2e;jsessionid=1/y", "http://a.test/x/y"),
        (DEFAULT, "http://a.test/x?", None),
        (DEFAULT, "http://a.test/?gclid=1?gclid=2&x", "http://a.test/?x"),
        (DEFAULT, "http://www.a.test/INDEX.html//?b=1&a=2&b=1", None),
        (config.Url(drop_parameters=""), "http://a.test/;jsessionid=1?gclid=1", None),
        (config.Url(drop_parameters="s*"), "http://a.test/?sid=1&s=2&is=3", "http://a.test/?is=3"),
        (SORTED, "http://a.test/?b=2&a&b=1&&a=0", "http://a.test/?a&a=0&b=2&b=1"),
        (SORTED, "http://a.test/?&", "http://a.test/"),
        (SINGLE, "http://a.test/?b=1&a=2&b=1&b=2", "http://a.test/?b=1&a=2&b=2"),
        (WWW, "http://www.www.a.test:8080/", "http://a.test:8080/"),
        (WWW, "http://www.co.uk/", None),
        (WWW, "http://www.com/", None),
        (WWW, "http://wwwa.test/", None),
        (ALIASES, "http://b.test/x", "http://a.test/x"),
        (ALIASES, "https://c.test/x", "https://a.test/x"),
        (ALIASES, "http://d.test/", "http://d.test:8080/"),
        (ALIASES, "http://www.e.test/", "http://f.test/"),
        (ALIASES, "http://y/", "http://x/"),
        (ALIASES, "http://b.test:8080/", None),
        (ORIGINS, "http://a.test/x?y", "https://a.test/x?y"),
        (ORIGINS, "https://a.test/", None),
        (ORIGINS, "http://b.test/", "https://a.test/"),
        (ORIGINS, "https://b.test/", "https://a.test/"),
        (ORIGINS, "https://c.test:8443/x", "http://b.test:8080/x"),
        (ORIGINS, "http://c.test:8443/x", "http://b.test:8443/x"),
        (ORIGINS, "https://y.test/", "http://x.test/"),
        (ORIGINS, "http://e.test:443/", "http://f.test/"),
        (
            config.Url(strip_www=True, aliases="http://a.test=https://www.a.test"),
            "http://www.a.test/",
            "https://a.test/",
        ),
        (config.Url(strip_www=True, aliases="a.test=www.b.test"), "http://www.a.test/", "http://b.test/"),
        (config.Url(strip_www=True, aliases="a.test=www.a.test"), "http://a.test/", "http://www.a.test/"),
        (INDEX, "http://a.test/x/index.html?y", "http://a.test/x/?y"),
        (INDEX, "http://a.test/default.aspx", None),
        (INDEX, "http://a.test/myindex.html", None),
        (INDEX, "http://a.test/index.html/", None),
        (ADD, "http://a.test/x?y", "http://a.test/x/?y"),
        (ADD, "http://a.test/x.html", None),
        (DROP, "http://a.test/x//?y", "http://a.test/x?y"),
        (DROP, "http://a.test/x/index.html/", "http://a.test/x"),
        (DROP, "http://a.test/", None),
        (CUT, "http://a.test/1/2/3/4?x", "http://a.test/1/2/"),
        (CUT, "http://a.test/1/2/?x", None),
        (FOLDED, "http://a.test/X%c3%89/Y?Z", "http://a.test/x%C3%89/y?Z"),
        (ALL, "http://www.B.test/X/Index.html?b&a&b#c", "http://a.test/x?a&b"),
    ],
)
def test_each_step(settings, before, after):
    canon = compile_canon(settings)
    assert canon.canonical(before) == canon.resolve("http://z.test/", before) == (after or before)
    assert canon.canonical(after or before) == (after or before)


@pytest.mark.parametrize(
    ("settings", "before", "after"),
    [
        (config.Url(), "ftp://A.test:21/x?jsessionid=1", "ftp://a.test/x"),
        (ALL, "ftp://www.B.test/X/Index.html?b&a&b#c", "ftp://a.test/x?a&b"),
        (CUT, "ftp://a.test/1/2/3/4?x", "ftp://a.test/1/2/"),
    ],
)
def test_steps_of_ftp(settings, before, after):
    canon = compile_canon(settings, ftp=True)
    assert canon.canonical(before) == canon.canonical(after) == after
    assert compile_canon(settings).canonical(before) is None


def test_an_ftp_url_with_a_user():
    steps = compile_canon(ALL, ftp=True).steps("http://a.test/", "ftp://me@a.test/")
    assert (steps[-1].name, steps[-1].after) == ("credentials", None)


def test_every_step_is_named():
    steps = compile_canon(ALL).steps("http://www.b.test/X/", "http://u:p@www.B.test/%7e/../Y/;jsessionid=1?b&a&b#c")
    assert [(step.name, step.after) for step in steps] == [
        ("fragment", "http://u:p@www.B.test/%7e/../Y/;jsessionid=1?b&a&b"),
        ("resolved", "http://u:p@www.b.test/Y/;jsessionid=1?b&a&b"),
        ("credentials", "http://www.b.test/Y/;jsessionid=1?b&a&b"),
        ("host", "http://a.test/Y/;jsessionid=1?b&a&b"),
        ("fold_case", "http://a.test/y/;jsessionid=1?b&a&b"),
        ("drop_parameters", "http://a.test/y/?b&a&b"),
        ("duplicate_parameters", "http://a.test/y/?b&a"),
        ("sort_query", "http://a.test/y/?a&b"),
        ("trailing_slash", "http://a.test/y?a&b"),
    ]
    assert all(before.after == after.before for before, after in pairwise(steps))


@pytest.mark.parametrize(
    ("href", "last"), [("mailto:x", "scheme"), ("http://[", "resolved"), ("http://\ud800", "resolved")]
)
def test_what_is_no_url_says_at_which_step(href, last):
    step = compile_canon(DEFAULT).steps("http://a.test/", href)[-1]
    assert (step.name, step.after) == (last, None)


OF_OTHERS = ["mailto:a@b.test", "FILE:///x", "tel:1", "javascript:void(0)", "a+.-1:x", "x:", "data:,http://b.test/"]
RELATIVE = [
    "http:x",
    "HTTPS:x",
    "ftp:x",
    "ftps",
    "1:x",
    "+a:x",
    "\u017fx:y",
    "\u212a:y",
    "a_b:c",
    "a/b:c",
    "?a:b",
    ":x",
    "",
]


@pytest.mark.parametrize("ftp", [True, False])
@pytest.mark.parametrize(
    "href", [*OF_OTHERS, *RELATIVE, " mailto:x", "java\nscript:x", "http://b.test/", "ftp://b.test/x"]
)
def test_references_of_other_schemes_need_no_parser(href, ftp):
    base, canon = "http://a.test/d/", compile_canon(DEFAULT, ftp=ftp)
    assert canon.spelled(base, href)[0] == canon.resolve(base, href) == resolve(base, href, ftp=ftp)


def test_it_crosses_process_borders():
    canon = pickle.loads(pickle.dumps(compile_canon(ALL)))
    assert canon.canonical("http://www.b.test/X/") == "http://a.test/x"


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("aliases", text)
        for text in (
            "a",
            "a=",
            "=b",
            "a=b:80",
            "a=b:443",
            "a=b/c",
            "a=u@b",
            "a=b?c",
            "a=b=c",
            "a=0x7f.1x/",
            "http://a=b",
            "a=http://b",
            "http://a/x=http://b",
            "ftp://a=http://b",
        )
    ]
    + [("drop_parameters", text) for text in ("a=1", "*", "a*b", "a;b", "a?")]
    + [("trailing_slash", "yes"), ("cut_after_slashes", "-1")],
)
def test_bad_settings_are_refused_with_one_line(key, text):
    with pytest.raises(ConfigError) as error:
        read(None, [(f"url.{key}", text)])
    assert key in str(error.value) and "\n" not in str(error.value)
