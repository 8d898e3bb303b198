"""A generated site of many hosts, all of it reachable from the first host's start page, with known truth."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tests.support.web.site import Answer, at, moved, page, robots


def mesh(
    hosts: Sequence[str], pages_per_host: int, seed: int, crawl_delay: float | None = None, leaving: float = 1.0
) -> dict[tuple[str, str], Answer]:
    """Pages for `tests.support.web.site.Web`; `leaving`: the share of links that may lead to another host.

    Every key but the robots.txt ones is linked from a page that is allowed, and is

    - `/`, `/p/N`: a page (status 200; pages_per_host of them on each host);
    - `/old/N`, `/away/N`: a 301 to a page of the same host or of another one;
    - `/gone/N`: a 404;
    - `/private/N`: a page that robots.txt forbids; it links to `/private/only`, met nowhere else.
    """
    rng = random.Random(seed)
    paths = ["/", *(f"/p/{number}" for number in range(1, pages_per_host))]
    links: dict[tuple[str, str], list[str]] = {(host, path): [] for host in hosts for path in paths}
    pages: dict[tuple[str, str], Answer] = {}
    for place, host in enumerate(hosts):
        if place:  # a tree of hosts ...
            links[hosts[rng.randrange(place)], rng.choice(paths)].append(at(host, "/"))
        for number, path in enumerate(paths[1:], 1):  # ... and in each a tree of pages, so that all of it is connected
            links[host, paths[rng.randrange(number)]].append(path)
        for number in range(pages_per_host * 2):  # and more links than a tree needs, absolute, relative, with fragments
            other = rng.choice(hosts) if leaving >= 1 or rng.random() < leaving else host
            target = rng.choice(paths)
            links[host, rng.choice(paths)].append(target + f"#part-{number}" if other == host else at(other, target))
        pages[host, "/robots.txt"] = robots(
            "User-agent: *", "Disallow: /private/", *([f"Crawl-delay: {crawl_delay}"] if crawl_delay else [])
        )
        for number in range(max(1, pages_per_host // 10)):
            special = {
                f"/old/{number}": moved(rng.choice(paths)),
                f"/away/{number}": moved(at(rng.choice([*hosts[:place], *hosts[place + 1 :]] or [host]), "/")),
                f"/gone/{number}": Answer(status=404, body=page(title="gone")),
                f"/private/{number}": Answer(body=page("/private/only", title="private")),
            }
            for path, answer in special.items():
                pages[host, path] = answer
                links[host, rng.choice(paths)].append(path)
    for (host, path), hrefs in links.items():
        pages[host, path] = Answer(body=page(*hrefs, title=f"{path} of {host}"))
    return pages
