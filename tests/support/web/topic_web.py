"""Webs with pages about a subject and about others, and what a crawl that keeps to the subject must find there."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from tests.support.web.site import Answer, at, moved, page
from ttcrawl.vocabulary.reason import DEPTH, TOPIC

#: A term list, and pages that it accepts and rejects.
TERMS = "100: sundew=CP.Drosera\n50: pitcher plant=CP\n-40: baseball=CP\n"
RELEVANT, IRRELEVANT = "<p>A sundew and a pitcher plant eat insects.", "<p>The pitcher plays baseball."


def some_web(rng: random.Random, hosts: Sequence[str], size: int) -> dict[tuple[str, str], Answer]:
    """Pages for a `Web`: the first one of the first host leads to most of them, by all kinds of paths."""
    names = [(host, f"/{number}") for host in hosts for number in range(size)]
    web: dict[tuple[str, str], Answer] = {}
    for name in names:
        hrefs = [at(*each) for each in rng.sample(names, rng.randrange(1, 4))]
        kind = rng.choices(["relevant", "irrelevant", "moved", "gone"], [3, 6, 1, 1])[0]
        if kind == "moved":
            web[name] = moved(hrefs[0])
        elif kind == "gone":
            web[name] = Answer(status=404, body=page(*hrefs))
        else:
            web[name] = Answer(body=page(*hrefs, content=RELEVANT if kind == "relevant" else IRRELEVANT))
    start = [at(*each) for each in rng.sample(names, 6)]
    return web | {(hosts[0], "/"): Answer(body=page(*start, content=RELEVANT))}


def truth_of(
    web: Mapping[tuple[str, str], Answer], tunnel: int
) -> dict[tuple[str, str], tuple[str, str, int | None, int | None]]:
    """URL -> state, reason, depth and off_topic of a crawl from the first host's /, without limit of redirects."""
    names = {at(*name).encode(): name for name in web}
    links, relevant, moves = dict[tuple[str, str], list[tuple[str, str]]](), {}, {}
    for name, answer in web.items():
        bodies = [part.partition(b'"')[0] for part in answer.body.split(b'<a href="')[1:]]
        links[name] = [names[each] for each in bodies] if answer.status == 200 else []
        relevant[name] = (RELEVANT.encode() in answer.body) if answer.status == 200 else None
        if answer.status == 301:
            moves[name] = names[dict(answer.headers)["Location"].encode()]
    first = next(name for name in web if name[1] == "/")
    found = truth(first, links, relevant, moves, tunnel)
    return {
        name: (
            ("moved", "http 301", *rest)
            if name in moves and state == "fetched"
            else (state, f"http {web[name].status}" if state == "fetched" else reason, *rest)
        )
        for name, (state, reason, *rest) in found.items()
    }


def truth(start, links, relevant, moves, tunnel, max_depth=-1):
    """Name -> (state, reason, depth, irrelevant pages in a row): the definition, repeated until nothing changes.

    `relevant`: None for a page without a score. `moves`: redirects, which have the depth of their source.
    """
    paths = {start: (0, 0)}
    while True:
        offers = {start: [(0, 0)]}
        for name, (depth, off_topic) in paths.items():
            behind = 0 if relevant.get(name) else off_topic + (relevant.get(name) is False)
            for target in links.get(name, ()):
                offers.setdefault(target, []).append((depth + 1, behind))
            if name in moves:
                offers.setdefault(moves[name], []).append((depth, behind))
        followed = {
            target: [(d, o) for d, o in each if (max_depth < 0 or d <= max_depth) and (tunnel < 0 or o <= tunnel)]
            for target, each in offers.items()
        }
        now = {target: (min(d for d, _ in each), min(o for _, o in each)) for target, each in followed.items() if each}
        if now == paths:
            break
        paths = now
    result = {target: ("fetched", "http 200", *path) for target, path in paths.items()}
    for target in offers.keys() - paths.keys():
        off_topic = any(max_depth < 0 or depth <= max_depth for depth, _ in offers[target])
        result[target] = ("refused", TOPIC if off_topic else DEPTH, None, None)
    return result
