"""A web that rules cut in many ways, and how the states of its URLs are compared."""

from __future__ import annotations

import random

from tests.support.web.site import Answer, Web, at, moved, robots
from ttcrawl.inspect.why.replay import NEVER
from ttcrawl.vocabulary.reason import BY_PATH

HOSTS = ("a.site.test", "b.site.test")
PAGES = 60
MARKS = ("<!-- CONTENT -->", "<!-- /CONTENT -->")
OPTIONS = (
    *("--scope", "domain", "--no-obey-delay", "--inline", "--set", f"links.content_start={MARKS[0]}"),
    *("--set", f"links.content_end={MARKS[1]}", "--set", "frontier.refused=0"),
)


def web():
    """Pages in a chain with shortcuts, so that depths are many; redirects in rows; what rules cut is on the way."""
    rng = random.Random(7)
    paths = [f"/{rng.choice(('d', 'e/f', 'g'))}/{n}{rng.choice(('', '.html', '?q=1'))}" for n in range(PAGES)]
    answers = {(host, "/robots.txt"): robots("User-agent: *", "Disallow: /g/1") for host in HOSTS}
    for host in HOSTS:
        for n, path in enumerate(["/", *paths]):
            near = [paths[min(PAGES - 1, max(0, n + rng.randint(-9, 4)))] for _ in range(4)]
            inside = [*near, "/hop/0", f"/r/{rng.randrange(20)}", f"/x{n}.png", "/s/s/s/s/s", f"/{'long' * n}"]
            outside = [f"/out/{n}", rng.choice(paths), at(rng.choice(HOSTS), rng.choice(paths[: n + 1]))]
            inside.append(
                at("other.example", f"/{n}") if n % 7 == 0 else at(rng.choice(HOSTS), paths[min(n, PAGES - 1)])
            )
            head = '<meta name="robots" content="nofollow">' if n % 11 == 10 else ""
            answers[host, path] = Answer(body=document(head, outside, inside))
        answers |= {(host, f"/hop/{n}"): moved(f"/hop/{n + 1}") for n in range(5)}
        for n in range(20):
            answers[host, f"/r/{n}"] = moved(f"/r/{n + 1}" if n % 6 != 5 else rng.choice(paths))
    answers["other.example", "/0"] = Answer(body=document("", [], []))
    return Web(answers)


def document(head, outside, inside):
    def anchors(hrefs):
        rels = ("", "", "", "", " rel=nofollow")
        return "".join(f'<a href="{href}"{rels[at % len(rels)]}>x</a>' for at, href in enumerate(hrefs))

    return f"<html><head>{head}</head><body>{anchors(outside)}{MARKS[0]}{anchors(inside)}{MARKS[1]}".encode()


def same(one, other):
    """Which of several ways to a URL is met first is nobody's concern."""
    return one == other or (one[0] == other[0] == "refused" and {one[1], other[1]} <= BY_PATH | {"scope: depth"})


def differing(found, expected):
    urls = {*found, *expected}
    return {
        url: (found.get(url, NEVER), expected.get(url, NEVER))
        for url in urls
        if not same(found.get(url, NEVER), expected.get(url, NEVER))
    }


def options_of(rules):
    """The same rules for `ttcrawl crawl`."""
    for rule in rules:
        name, _, value = rule.partition("=")
        yield from (
            ("--scope", value) if name == "scope.scope" else ("--set", rule) if "." in name else (f"--{name}", value)
        )
