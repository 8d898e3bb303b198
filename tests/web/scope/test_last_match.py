"""The compiled rules decide as a plain loop over all of them does, whatever their kinds and order."""

import re
from itertools import product
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ttcrawl.config import HostSection, Line, Lines, Scope
from ttcrawl.config.compiled import compile_scope
from ttcrawl.web.url import canonical

HOSTS = ["a.test", "www.a.test", "a.test:81", "b.co.uk", "w1.b.co.uk", "co.uk", "127.0.0.1", "[::1]:81"]
PATHS = ["/", "/x", "/x/y.pdf", "/x.PDF?q", "/?x.pdf", "/y.tar.gz", "/y/cgi-bin/z", "/12", "/x?sid=1", "/a.png"]

URLS = [canonical(f"{scheme}://{name}{path}") for scheme in ("http", "https") for name in HOSTS for path in PATHS]


def wildcard(text, url):
    return re.fullmatch(re.escape(text).replace(r"\*", ".*").replace(r"\?", "."), url) is not None


def extension(text, url):
    last = urlsplit(url).path.rpartition("/")[2].lower()
    return any(last.endswith("." + each) for each in text.lower().split(","))


def at(name, url):
    parts = urlsplit(url)
    bare = parts.netloc if parts.netloc.endswith("]") else parts.netloc.rpartition(":")[0] or parts.netloc
    if name.startswith("*."):
        return bare.endswith(name[1:])
    return name in (bare, parts.netloc)


def surt(url):
    parts = urlsplit(url)
    name, port = parts.hostname, f":{parts.port}" if parts.port else ""
    turned = ",".join(reversed(name.split("."))) + "," if name[-1].isalpha() and ":" not in name else name
    return f"({turned}{port}){parts.path}?{parts.query}"


KINDS = {
    "host": (["a.test", "*.a.test", "a.test:81", "co.uk", "*.co.uk", "[::1]", "127.0.0.1"], at),
    "domain": (["a.test", "b.co.uk", "127.0.0.1"], lambda text, url: at(text, url) or at(f"*.{text}", url)),
    "regex": ([r"\d+$", "^https:", r"\?", "a.test/x"], lambda text, url: re.search(text, url) is not None),
    "host-regex": (
        [r"^w+\d?\.", "test$", "[.].*[.]"],
        lambda text, url: re.search(text, urlsplit(url).netloc.removesuffix(":81")) is not None,
    ),
    "surt": (
        ["(test,", "(test,a", "(test,a,)/x", "(uk,co,b,", "(127.0.0.1)/"],
        lambda text, url: surt(url).startswith(text),
    ),
    "path": (["/x", "/x/", "/x?s"], lambda text, url: url.split("/", 3)[3].startswith(text[1:])),
    "ext": (["pdf", "png,gz", "tar.gz"], extension),
    "scheme": (["http", "https"], lambda text, url: urlsplit(url).scheme == text),
    "": (["http*://*cgi-bin/*", "*", "*/x*y*", "https://*", "http://a.test/?"], wildcard),
}
LIMITS = {"allow": "<=", "exclude": ">"}


@st.composite
def rules(draw):
    action = draw(st.sampled_from(["allow", "exclude"]))
    kind = draw(st.sampled_from([*KINDS, "depth", "hops"]))
    if kind in ("depth", "hops"):
        return f"{action} {kind}:{LIMITS[action]}{draw(st.integers(0, 3))}"
    operand = draw(st.sampled_from(KINDS[kind][0]))
    return f"{action} {kind}:{operand}" if kind else f"{action} {operand}"


def matches(text, url, depth, outside):
    action, _, pattern = text.partition(" ")
    kind, _, operand = pattern.partition(":")
    if kind in ("depth", "hops"):
        far = depth if kind == "depth" else outside
        return far <= int(operand[2:]) if action == "allow" else far > int(operand[1:])
    if kind not in KINDS:
        kind, operand = "", pattern
    return KINDS[kind][1](operand, url)


def lines(texts):
    return Lines(Line(text=text) for text in texts)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    common=st.lists(rules(), max_size=12),
    sections=st.lists(st.tuples(st.sampled_from(["a.test", "*.a.test", "*.uk"]), st.lists(rules())), max_size=2),
    listed=st.lists(st.sampled_from(KINDS[""][0][2:]), max_size=1),
)
def test_the_last_match_decides(common, sections, listed):
    hosts = [HostSection(name=name, rules=lines(texts)) for name, texts in sections]
    scope = compile_scope(
        Scope(scope="list", domains="a.test", rules=lines(common), blacklist=lines(listed)), [], hosts
    )
    in_order = [("", text) for text in common] + [(name, text) for name, texts in sections for text in texts]
    for url in URLS:
        shut = {}
        for depth, outside in product(range(4), range(4)):
            decided = ""
            if not (at("a.test", url) or at("*.a.test", url)):
                decided = "scope: list"
            elif extension("png,gz", url):
                decided = "scope: extension"
            for name, text in in_order:
                if (not name or at(name, url)) and matches(text, url, depth, outside):
                    kind = text.partition(" ")[2].partition(":")[0]
                    reason = f"scope: {kind if kind in ('depth', 'hops') else 'rule'}"
                    decided = "" if text.startswith("allow") else reason
            if any(wildcard(text, url) for text in listed):
                decided = "scope: blacklist"
            nearer = next((shut[way] for way in product(range(depth + 1), range(outside + 1)) if shut.get(way)), "")
            assert not nearer or decided, "a URL that is refused at a distance is refused at every greater one"
            shut[depth, outside] = nearer or decided
            assert scope.ruling(url, depth, outside)[0] == shut[depth, outside], (url, depth, outside)


def test_ends_of_paths_are_remembered():
    """Where only extensions decide; in any order, and more of them than there is memory."""
    scope = compile_scope(Scope(extensions="pdf, tar.gz, x-y"), ["http://a.test/"])
    ends = ["", "x", ".pdf", "x.pdf", "x.PDF?a", "x.pdf.html", "?x.pdf", "x.gz", "x.tar.gz", "x.y/z", "a.x-y", "x.ZIP"]
    urls = [f"http://a.test/{each}" for each in (*ends, *(f"x.{number}" for number in range(5000)), "x" * 50 + ".pdf")]
    refused = [bool(scope.refusal(url)) for url in [*urls, *reversed(urls)]]
    expected = [extension("pdf,tar.gz,x-y", url) for url in urls]
    assert refused == [*expected, *reversed(expected)]
