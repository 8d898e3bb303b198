"""Scope: pure, from URL, depth, rules and seeds alone."""

import pickle
import time

import pytest
import re2

from ttcrawl.config import ConfigError, HostSection, Line, Lines, Scope
from ttcrawl.config.compiled import compile_scope
from ttcrawl.web.scope.engine import MEMORY

SEEDS = ["http://www.a.co.uk/", "http://b.test:8080/x"]


@pytest.mark.parametrize(
    ("settings", "url", "reason"),
    [
        (Scope(scope="host"), "http://www.a.co.uk/p", ""),
        (Scope(scope="host"), "https://www.a.co.uk/p", ""),
        (Scope(scope="host"), "http://a.co.uk/p", "scope: host"),
        (Scope(scope="host"), "http://b.test/x", "scope: host"),
        (Scope(scope="host"), "http://b.test:8080/", ""),
        (Scope(scope="directory"), "http://b.test:8080/y?z=/", ""),
        (Scope(scope="directory"), "http://b.test/y", "scope: host"),
        (Scope(scope="domain"), "http://other.a.co.uk/p", ""),
        (Scope(scope="domain"), "http://b.co.uk/p", "scope: domain"),
        (Scope(scope="domain"), "http://sub.b.test:99/", ""),
        (Scope(scope="any"), "http://anywhere.example/", ""),
        (Scope(scope="any", max_url=30), "http://anywhere.example/" + "x" * 30, "scope: length"),
        (Scope(scope="list", domains="Example.org, c.test"), "http://www.example.org/", ""),
        (Scope(scope="list", domains="example.org c.test"), "http://c.test:81/", ""),
        (Scope(scope="list", domains="example.org"), "http://notexample.org/", "scope: list"),
        (Scope(scope="list", domains=".example.org"), "http://example.org./", ""),
        (Scope(scope="list", domains="B\u00fccher.example"), "http://www.xn--bcher-kva.example/", ""),
        (Scope(scope="list", domains="[::1] 127.0.0.1"), "http://[::1]:81/", ""),
    ],
)
def test_refusal(settings, url, reason):
    assert compile_scope(settings, SEEDS).refusal(url) == reason


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://a.test/docs/", ""),
        ("http://a.test/docs/x/y/?z", ""),
        ("http://a.test/docs", "scope: directory"),
        ("http://a.test/docs2/", "scope: directory"),
        ("http://a.test/Docs/", "scope: directory"),
        ("http://a.test/?/docs/", "scope: directory"),
        ("http://a.test/en/page", ""),
        ("http://a.test/en/", ""),
        ("http://a.test/en", "scope: directory"),
        ("http://b.test/docs/", ""),
        ("http://c.test/docs/", "scope: host"),
        ("http://b.test/q", ""),
        ("http://a.test/docs/x.png", "scope: extension"),
    ],
)
def test_directories_of_the_seeds(url, reason):
    seeds = ["http://a.test/docs/", "http://a.test/en/index.html?a=/b/", "http://b.test/?/c/"]
    assert pickle.loads(pickle.dumps(compile_scope(Scope(scope="directory"), seeds))).refusal(url) == reason


def scope_of(*rules, blacklist=(), hosts=(), memory=MEMORY, **settings):
    settings = {"scope": "any", **settings}
    return compile_scope(Scope(rules=lines(rules), blacklist=lines(blacklist), **settings), SEEDS, hosts, memory)


def lines(texts):
    return Lines(Line(text=text, file="my.ini", number=number) for number, text in enumerate(texts, 1))


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("http*://*cgi-bin/*", ["https://a.test/cgi-bin/x", "http://a.test/y/cgi-bin/"], ["http://a.test/cgi-bin"]),
        ("*.pdf", ["http://a.test/x.pdf", "http://a.test/x.PDF?y=z"], ["http://a.test/x.pdf/", "http://a.test/?x.pdf"]),
        ("*.tar.gz", ["http://a.test/x.tar.gz"], ["http://a.test/x.gz", "http://a.test/xtar.gz", "http://b.tar.gz/"]),
        ("http://a.test/?x", ["http://a.test/?x", "http://a.test/yx"], ["http://a.test/x", "http://a.test/?xx"]),
        ("http://a.test/x", ["http://a.test/x"], ["http://a.test/xx", "https://a.test/x", "http://a.test/X"]),
        ("http://A.test/X*", ["http://a.test/X"], ["http://a.test/x"]),
        ("HTTPS://A.test*", ["https://a.test/", "https://a.test.b/"], ["http://a.test/"]),
        ("http://WWW?.a.test/*", ["http://www1.a.test/"], ["http://www.a.test/"]),
        ("http://A*.Test/X", ["http://a.b/.Test/X"], ["http://a.b.test/X"]),
        ("http://a.test:80/*", ["http://a.test/x"], ["http://a.test:8080/x", "https://a.test/x"]),
        ("https://a.test:80/*", ["https://a.test:80/x"], ["https://a.test/x"]),
        ("ftp://a.test:21/*", ["ftp://a.test/x"], ["http://a.test/x"]),
        ("http://a.test", ["http://a.test/"], ["http://a.test/x"]),
        ("http://b\u00fccher.test/x", ["http://xn--bcher-kva.test/x"], ["http://bucher.test/x"]),
        ("http://a.test/%7ex%2f*", ["http://a.test/~x%2F", "http://a.test/~x%2Fy"], ["http://a.test/~x/"]),
        ("*/%7ex*", ["http://a.test/~x"], ["http://a.test/x"]),
        ("*/a.b*", ["http://c.test/a.b"], ["http://c.test/axb"]),
        ("ext:pdf, .doc", ["http://a.test/x.doc", "http://a.test/.pdf"], ["http://a.test/xdoc", "http://a.doc/"]),
        (
            "host:A.test",
            ["http://a.test/", "https://a.test:81/x"],
            ["http://b.a.test/", "http://b.test/http://a.test/"],
        ),
        ("host:a.test:81", ["https://a.test:81/x"], ["http://a.test/", "http://a.test:811/"]),
        ("host:*.a.test", ["http://b.a.test/", "http://c.b.a.test:8/"], ["http://a.test/", "http://ba.test/"]),
        ("host:[::1]", ["http://[::1]/", "http://[::1]:81/"], ["http://[::2]/"]),
        ("host:bücher.test", ["http://xn--bcher-kva.test/"], ["http://bucher.test/"]),
        ("domain:a.co.uk", ["http://a.co.uk/", "http://www.a.co.uk:8/"], ["http://b.co.uk/", "http://co.uk/"]),
        (r"regex:/\d+$", ["http://a.test/x/12"], ["http://a.test/12x"]),
        ("regex:(?i)SID=", ["http://a.test/?x&sid=1"], ["http://a.test/"]),
        (r"host-regex:^w+\d\.", ["http://www1.a.test:80/", "http://w3.a.test:81/"], ["http://a.w3.test/w3.x"]),
        ("host-regex:^W|TEST$", ["http://a.test:81/", "http://w.a/"], ["http://a.example/test"]),
        ("host-regex:test$", ["http://a.test:81/"], ["http://a.example/test"]),
        ("host-regex:]$", ["http://[::1]:81/"], ["http://a.test/]"]),
        ("surt:(test,a,", ["http://a.test/", "https://w.a.test:81/x"], ["http://aa.test/", "http://test/"]),
        ("surt:http://(test,a", ["http://a.test/", "http://b.ab.test/"], ["http://b.test/"]),
        ("surt:(te", ["http://a.test/", "http://test/"], ["http://test.a/"]),
        ("surt:(test,a,)", ["http://a.test/", "https://a.test/x"], ["http://w.a.test/", "http://a.test:81/"]),
        ("surt:(test,a,:81)/x", ["http://a.test:81/xy"], ["http://a.test/x", "http://a.test:81/y"]),
        ("surt:(127.0.", ["http://127.0.0.1/", "http://127.0.0.1:81/"], ["http://127.1.0.1/"]),
        ("surt:(127.0.0.1)/", ["http://127.0.0.1/x"], ["http://127.0.0.11/"]),
        ("surt:(test,a,)/%7ex", ["http://a.test/~x"], ["http://a.test/x"]),
        ("path:/%7ex%e9", ["http://a.test/~x%E9"], ["http://a.test/x"]),
        ("path:/x?y", ["http://a.test/x?yz", "https://b.test:8/x?y"], ["http://a.test/xzy", "http://a.test/q/x?y"]),
        ("scheme:https", ["https://a.test/"], ["http://a.test/https://"]),
    ],
)
def test_patterns(pattern, matching, others):
    scope = scope_of(f"exclude {pattern}", extensions="")
    assert {url: scope.refusal(url) for url in matching} == dict.fromkeys(matching, "scope: rule")
    assert {url: scope.refusal(url) for url in others} == dict.fromkeys(others, "")


def test_rules_overrule_the_basic_scope_and_the_extensions():
    scope = scope_of("allow host:b.test", "exclude path:/x", "allow *.png", scope="host")
    decided = {url: scope.refusal(url) for url in ("http://b.test/", "http://b.test/x", "http://c.test/x.png")}
    assert decided == {"http://b.test/": "", "http://b.test/x": "scope: rule", "http://c.test/x.png": ""}
    assert scope.refusal("http://c.test/y.zip") == "scope: host"
    assert scope.refusal("http://www.a.co.uk/y.ZIP?y") == "scope: extension"
    assert scope_of(extensions="").refusal("http://a.test/x.zip") == ""
    assert scope_of().refusal("http://a.test/x.pdf") == scope_of().refusal("http://a.zip/") == ""


def test_the_sections_of_hosts():
    at = HostSection(name="a.test", rules=lines(["allow *.pdf"]), max_depth=2)
    under = HostSection(name="*.A.test", rules=lines(["exclude *.html"]))
    scope = scope_of("exclude *.pdf", hosts=(at, under), blacklist=["*/never*"])
    assert scope.refusal("http://a.test:81/x.pdf") == scope.refusal("http://a.test/x.html") == ""
    assert scope.refusal("http://b.a.test/x.pdf") == scope.refusal("http://b.a.test:81/x.html") == "scope: rule"
    assert scope.ruling("http://a.test/x", 2)[0] == "" and scope.ruling("http://a.test/x", 3)[0] == "scope: depth"
    assert scope.ruling("http://b.test/x", 3)[0] == ""
    assert scope.refusal("http://a.test/never/x.pdf") == "scope: blacklist"


def test_what_decided_and_where_it_stands():
    hosts = (HostSection(name="h.test", rules=lines(["exclude *.pdf"]), max_depth=1),)
    scope = scope_of("allow path:/", "exclude path:/x", scope="host", hosts=hosts, blacklist=["*bad*"])
    assert str(scope.decide("http://a.test/y")) == "in scope, by allow path:/ (my.ini, line 1)"
    assert str(scope.decide("http://a.test/xy")) == "scope: rule, by exclude path:/x (my.ini, line 2)"
    assert str(scope.decide("http://h.test/y.pdf")) == "scope: rule, by exclude *.pdf (my.ini, line 1, [host:h.test])"
    assert str(scope.decide("http://h.test/", 2)) == "scope: depth, by max_depth = 1 ([host:h.test])"
    assert str(scope.decide("http://h.test/bad")) == "scope: blacklist, by *bad* (my.ini, line 1)"
    assert str(scope_of(scope="host").decide("http://a.test/")) == "scope: host"
    assert str(scope_of().decide("http://a.test/a.png")) == "scope: extension, by extensions ([scope])"


def test_depth_brings_in_and_throws_out():
    scope = scope_of("exclude depth:>3", "allow host:far.test", "exclude path:/x", "allow depth:<=1", scope="host")
    found = {
        url: [scope.ruling(url, depth)[0].removeprefix("scope: ") for depth in (0, 1, 2, 3, 4)]
        for url in ("http://www.a.co.uk/", "http://far.test/", "http://far.test/x", "http://c.test/")
    }
    assert found == {
        "http://www.a.co.uk/": ["", "", "", "", "depth"],
        "http://far.test/": ["", "", "", "", ""],
        "http://far.test/x": ["", "", "rule", "rule", "rule"],
        "http://c.test/": ["", "", "host", "host", "host"],
    }
    assert scope.by_path and not scope_of("exclude path:/x").by_path


def test_it_crosses_a_border_of_processes():
    scope = pickle.loads(pickle.dumps(scope_of("exclude regex:x+y", "allow host-regex:^w")))
    assert str(scope.decide("http://a.test/xxy")) == "scope: rule, by exclude regex:x+y (my.ini, line 1)"
    assert scope.refusal("http://w.test/xxy") == ""


def test_a_set_that_runs_out_of_memory_still_decides(monkeypatch):
    texts = [f"exclude regex:a[ab]{{{number}}}b" for number in range(40)]
    url = "http://c.test/" + "abba" * 30
    expected = scope_of(*texts, "exclude path:/none").decide(url).rule

    class Out:
        def Add(self, pattern):
            pass

        Compile = dict

        def Match(self, text):
            return []  # what RE2 says when it has no memory left

    monkeypatch.setattr(re2.Set, "SearchSet", lambda options: Out())
    scope = scope_of(*texts, "exclude path:/none")
    assert scope.decide(url).rule == expected and expected.line.number == 39


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("exclude", "write allow PATTERN or exclude PATTERN"),
        ("drop *.pdf", "write allow PATTERN or exclude PATTERN"),
        ("exclude example.org/*", "write *example.org/* or"),
        ("exclude hosts:a.test", "host:, regex:"),
        ("exclude http", "compared with the complete URL"),
        ("exclude host:", "missing after host:"),
        ("exclude host:a/b", "a/b is not a host name"),
        ("exclude host:*.*.a.test", "is not a host name"),
        ("exclude host:a.test:80", "omit the default port"),
        ("exclude host:a.test:443", "omit the default port"),
        ("exclude domain:www.a.co.uk", "write domain:a.co.uk, or host:*.www.a.co.uk"),
        ("exclude regex:(", "missing )"),
        ("exclude regex:a(?=b)", "no look-around"),
        (r"exclude regex:(a)\1", "no back-references"),
        ("exclude regex:(((a{100}){100}){100})", "repetition size"),
        ("exclude host-regex:[z-a]", "character class range"),
        ("exclude regex:é", "write %C3%A9"),
        ("exclude path:x", "write path:/x"),
        ("exclude path:/ü", "write %C3%BC"),
        ("exclude http:///x", "http:// names no host"),
        ("exclude http://a..b%/x", "http://a..b% names no host"),
        ('exclude path:/"x"', "write %22"),
        ("exclude *<b>*", "write %3C"),
        ("exclude *x#y", "# occurs in no canonical URL"),
        ("exclude *.pdf # papers", "write comments on their own lines"),
        ("allow depth:>3", "allow depth:<=N"),
        ("exclude depth:<3", "exclude depth:>N"),
        ("exclude depth:>-1", "exclude depth:>N"),
        ("exclude surt:org,a", "surt:(org,example,"),
        ("exclude surt:(org,,a", "every label"),
        ("exclude surt:(org,a)/", "every label"),
        ("exclude ext:a/b", "a/b is not an extension"),
        ("exclude ext:,", "an extension is missing"),
        ("exclude scheme:gopher", "scheme:http, scheme:https or scheme:ftp"),
    ],
)
def test_a_rule_that_is_refused(rule, said):
    with pytest.raises(ConfigError) as refused:
        scope_of("allow *", rule)
    assert str(refused.value).startswith(f"my.ini, line 2: {rule}: ") and said in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: scope_of(blacklist=["ads.test"]), "my.ini, line 1: ads.test: a wildcard pattern"),
        (lambda: scope_of(blacklist=["host:ads.test"]), "write exclude host:ads.test in [scope] rules"),
        (lambda: scope_of(extensions="png /"), "[scope] extensions: / is not an extension"),
        (lambda: scope_of(hosts=(HostSection(name="a b"),)), "[host:a b]: a b is not a host name"),
        (
            lambda: scope_of(*(f"exclude regex:{n}.{{500}}" for n in range(20)), memory=1 << 20),
            "the 21 scope rules are too large",
        ),
    ],
)
def test_what_else_is_refused(make, said):
    with pytest.raises(ConfigError) as refused:
        make()
    assert said in str(refused.value)


HOSTILE = ["regex:(a|a)*b", "regex:(a*)*c", "regex:(.*)(.*)(.*)(.*)x", "*a*a*a*a*a*a*a*a*a*a*a*z"]


@pytest.mark.parametrize("pattern", HOSTILE)
def test_no_pattern_backtracks(pattern):
    scope = scope_of(f"exclude {pattern}", max_url=1_000_000)
    seconds = time.perf_counter()
    assert scope.refusal("http://a.test/" + "a" * 200_000) == ""
    assert time.perf_counter() - seconds < 5  # another engine takes longer than the machine lasts
