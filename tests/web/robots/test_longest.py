"""RFC 9309: the decision is Protego's, whatever the rules; hostile ones are bounded."""

import time
import tracemalloc

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from protego import Protego

from tests.support.cases import one_in
from ttcrawl.web.robots import MAX_BYTES, compiling, parse
from ttcrawl.web.robots.wildcards import FEW, MAX_LOOKS

HOST = "http://a.test"
PIECES = ("*", "*", "$", "/", "a", "b", "ab", "index.html", "%2A", "%24", "%2F", "%2f", "%62", "%3F", "%25", "\u00e9")
PATHS = st.lists(st.sampled_from((*PIECES, "?", "=", " ", "&", "%C3%A9", "//")), max_size=8).map("".join)
RULES = st.tuples(st.sampled_from(["Allow", "Disallow"]), st.sampled_from(["", "/", "/", "/"]), PATHS)
TEXTS = st.lists(RULES, max_size=40).map(
    lambda rules: "User-agent: *\n" + "".join(f"{kind}: {slash}{path}\n" for kind, slash, path in rules)
)


@pytest.mark.slow
@settings(max_examples=300)
@given(TEXTS, st.lists(PATHS, min_size=1, max_size=10))
@example("User-agent: *\nDisallow: /a$b$\n", ["a$b", "a$b$", "a%24b"])
@example("User-agent: *\nAllow: /x/index.html\nDisallow: /x\n", ["x/", "x/y", "x/index.html"])
@example("User-agent: *\nDisallow: /*\nAllow: /*/a*$\n", ["x/a", "x"])
def test_decisions_are_those_of_protego(text, paths):
    rules, oracle = parse(text, "ttcrawl"), Protego.parse(text)
    for path in paths:
        url = f"{HOST}/{path.replace(' ', '%20').replace(chr(233), '%C3%A9')}"
        assert rules.allows(url) is oracle.can_fetch(url, "ttcrawl"), url


@pytest.mark.slow
@given(st.lists(st.tuples(st.sampled_from(["Allow", "Disallow"]), PATHS), min_size=FEW + 1, max_size=60), PATHS)
def test_many_rules_with_stars(rules, path):
    text = "User-agent: *\n" + "".join(f"{kind}: /*a{number % 7}*{rule}\n" for number, (kind, rule) in enumerate(rules))
    url = f"{HOST}/x/a3a5/{path.replace(' ', '%20').replace(chr(233), '%C3%A9')}"
    assert parse(text, "ttcrawl").allows(url) is Protego.parse(text).can_fetch(url, "ttcrawl")


AGENTS = ["User-agent: *", "User-agent: ttcrawl", "User-agent: other", "User agent ttcrawl", "useragent:*"]
OTHERS = ["Disallow: /a", "Disallow:", "Allow: /a/b", "disallow /b", "Dissallow : /c  # x", "Crawl-delay: 2", "# x", ""]
LINES = st.sampled_from([*AGENTS, *OTHERS, "Sitemap: http://a.test/m", "Crawl-delay: x"])


@given(st.lists(LINES, max_size=12), st.sampled_from(["\n", "\r\n", "\r"]))
def test_groups_are_those_of_protego(lines, end):
    text = end.join(lines)
    rules, oracle = parse(text, "ttcrawl"), Protego.parse(text)
    for path in ("/a", "/a/b", "/b", "/c", "/d"):
        assert rules.allows(HOST + path) is oracle.can_fetch(HOST + path, "ttcrawl")
    assert rules.delay == oracle.crawl_delay("ttcrawl")


def test_robots_txt_itself_may_always_be_read():
    rules = parse("User-agent: *\nDisallow: /\n", "ttcrawl")
    assert rules.allows(f"{HOST}/robots.txt") and rules.allows(f"{HOST}/robots.txt?x")
    assert not rules.allows(f"{HOST}/robots.txt.bak") and not rules.allows(f"{HOST}/a/robots.txt")


def filled(line, head="User-agent: *\n"):
    """As many lines as a robots.txt may have."""
    lines, size = [head], len(head)
    while (size := size + len(line(len(lines)))) <= MAX_BYTES:
        lines.append(line(len(lines)))
    return "".join(lines)


def test_a_text_full_of_plain_rules_is_obeyed_to_the_last():
    text = filled(lambda n: f"Disallow: /p{n}/\n")
    rules, last = parse(text, "ttcrawl"), text.count("\n") - 1
    assert last > 20_000
    assert not any(rules.allows(f"{HOST}/p{n}/x") for n in (1, last // 2, last))
    assert rules.allows(f"{HOST}/p{last + 1}/x") and rules.allows(f"{HOST}/p{last}")
    assert rules.decide(f"{HOST}/p{last}/").line == last + 1


def test_a_text_full_of_rules_with_stars_is_obeyed_to_the_last():
    text = filled(lambda n: f"Disallow: /*a*q{n}$\n")
    rules, last = parse(text, "ttcrawl"), text.count("\n") - 1
    assert last > 20_000
    assert not any(rules.allows(f"{HOST}/bab/q{n}") for n in (1, last // 2, last))
    assert rules.allows(f"{HOST}/bab/q{last}x") and rules.allows(f"{HOST}/bbb/q{last}")


@pytest.mark.parametrize(("count", "allowed"), [(100, True), (MAX_LOOKS, False)])
def test_where_too_many_rules_may_match_they_forbid_and_do_not_allow(count, allowed):
    """What is looked for in one path is bounded. Here all of the rules have a part that is in it, and none matches."""
    rules = "".join(f"/*zzzzzzzz*{number}\n" for number in range(10**5, 10**5 + count))
    forbidding = parse("User-agent: *\n" + rules.replace("/*", "Disallow: /*"), "ttcrawl")
    assert forbidding.allows(f"{HOST}/zzzzzzzz-") is allowed and forbidding.allows(f"{HOST}/zz-zz")
    allowing = parse("User-agent: *\nDisallow: /\n" + rules.replace("/*", "Allow: /*"), "ttcrawl")
    assert not allowing.allows(f"{HOST}/zzzzzzzz-") and not allowing.allows(f"{HOST}/zz-zz")
    assert allowing.allows(f"{HOST}/zzzzzzzz-100000")


#: Made where they are needed: each takes a while.
HOSTILE = {
    "plain": lambda: filled(lambda n: f"Disallow: /p{n}\n"),
    "nested": lambda: filled(lambda n: f"Disallow: /{'a' * n}\n"),
    "stars": lambda: filled(lambda n: f"Disallow: /*a*b*{'ab'[n % 2]}c{n % 10}\n"),
    "letters": lambda: filled(lambda n: f"Allow: /*{'*'.join(str(n))}*zz\n"),
    "one rule": lambda: filled(lambda n: "*a", "User-agent: *\nDisallow: /"),
    "agents": lambda: filled(lambda n: f"User-agent: a{n}\n", "")[: MAX_BYTES // 2] + "\n" + "Disallow: /x\n" * 15_000,
    "list of agents": lambda: filled(lambda n: f"a{n},", "User-agent: "),
    "escapes": lambda: filled(lambda n: f"Disallow: /%41%c3%a9{n}$\n"),
    "empty": lambda: "\n" * MAX_BYTES,
}


FEW_HOSTILE = ["plain", "stars"]
EACH = [pytest.param(name, marks=() if name in FEW_HOSTILE else pytest.mark.slow) for name in HOSTILE]


@pytest.mark.parametrize("reading", ["rfc9309", "1996"])
@pytest.mark.parametrize("name", EACH)
def test_hostile_texts_are_bounded(name, reading):
    """In small steps, none of which reads much of the text; with what a decision takes, and memory, known.

    It was 35 ms a decision and minutes a text; the bounds of seconds are generous.
    """
    text = HOSTILE[name]()
    began = time.process_time()
    *steps, rules = compiling(text, "ttcrawl", reading)
    assert time.process_time() - began < 10 and text.count("\n") / (len(steps) + 1) < 1000
    began = time.process_time()
    for path in ("abab" * 480, "a" * 1900, "0123456789" * 190):
        rules.allows(f"{HOST}/{path}")
        rules.decide(f"{HOST}/{path}")
    assert time.process_time() - began < 1 and rules.cost < 500


MEMORY = {
    "plain": "User-agent: *\n" + "".join(f"Disallow: /p{n}\n" for n in range(5000)),
    "stars": "User-agent: *\n" + "".join(f"Disallow: /*a{n}*b\n" for n in range(5000)),
    "ends": "User-agent: *\n" + "".join(f"Disallow: /p{n}$\n" for n in range(5000)),
}


@pytest.mark.parametrize("reading", ["rfc9309", "1996"])
@pytest.mark.parametrize("name", one_in(2, MEMORY))
def test_rules_know_what_memory_they_take(name, reading):
    text = MEMORY[name]
    parse(text, "ttcrawl", reading)  # what is made once
    tracemalloc.start()
    rules = parse(text, "ttcrawl", reading)
    taken = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert 0.4 * rules.size < taken < 1.3 * rules.size
