"""Generated hosts of different health, their links, and the state that each URL must have at the end."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address

from tests.support.web.site import PORT, Answer, Pages, at, moved, page, robots

#: Pages of a host in a chain with branches: the deepest are too far for LIMIT, the limit of links at the beginning.
PAGES, LIMIT = 12, 4

#: Of 25 hosts, by number: what is wrong with them. The others are well.
HEALTH = {3: "dead", 7: "down", 11: "failing", 15: "no robots.txt", 19: "slow"}

#: Paths that rules exclude while the crawl is under way. Each leads to a page that no rule excludes, and that no other
#: page links to.
EXCLUDED = {"/calendar/1": "/calendar-only", "/late/1": "/late-only"}

FIRST = IPv4Address("127.0.1.1")

WELL = ("fetched", "http 200")


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    name: str
    health: str  # of HEALTH, or "well"
    address: str
    delay: float | None  # its Crawl-delay in seconds
    added: bool  # a seed that is added on the way


@dataclass(frozen=True, slots=True)
class Hosts:
    """The generated web; `unit` is the usual delay in seconds."""

    hosts: tuple[Host, ...]
    links: Mapping[tuple[str, str], tuple[tuple[str, str], ...]]  # followed, with those of redirects
    answers: Mapping[tuple[str, str], Answer]  # when all is well

    def of_health(self, *health: str) -> list[Host]:
        return [each for each in self.hosts if each.health in health]

    def at_first(self) -> dict[tuple[str, str], Answer | list[Answer]]:
        """What is served at the beginning: dead hosts and those that are down have no server."""
        health = {each.name: each.health for each in self.hosts}
        served: dict[tuple[str, str], Answer | list[Answer]] = {}
        for (host, path), answer in self.answers.items():
            if health[host] in ("dead", "down"):
                continue
            served[host, path] = answer
            if path == "/robots.txt" and health[host] == "no robots.txt":
                served[host, path] = Answer(status=503)
            elif path != "/robots.txt" and health[host] == "failing":
                served[host, path] = Answer(status=500, body=page(title="out of order"))
            elif path == "/p/2" and health[host] == "well":  # mended before the last attempt
                served[host, path] = [Answer(status=502, body=page(title="bad gateway"))] * 2 + [answer]
        return served

    def mended(self) -> Pages:
        names = {each.name for each in self.of_health("failing", "no robots.txt")}
        return {key: answer for key, answer in self.answers.items() if key[0] in names}

    def back(self) -> Pages:
        names = {each.name for each in self.of_health("down")}
        return {key: answer for key, answer in self.answers.items() if key[0] in names}


def generated(number: int, unit: float, seed: int = 1) -> Hosts:
    """So many hosts, a fifth of which are seeds that are added later."""
    rng = random.Random(seed)
    hosts = tuple(_host(each, number, unit) for each in range(number))
    links: dict[tuple[str, str], tuple[tuple[str, str], ...]] = {}
    answers: dict[tuple[str, str], Answer] = {}
    for place, host in enumerate(hosts):
        own = dict(_paths(host, hosts, rng))
        for path, (answer, targets) in own.items():
            answers[host.name, path] = answer
            links[host.name, path] = targets
        answers[host.name, "/robots.txt"] = _robots(host, place)
    return Hosts(hosts, links, answers)


def _host(place: int, number: int, unit: float) -> Host:
    health = HEALTH.get(place % 25, "well")
    shared = place - 1 if place % 25 == 24 else place  # with the host before it
    added = place >= number * 4 // 5
    delays = {2: unit / 8} if added else {1: 1.4 * unit, 2: unit / 8}  # those that begin late are not slow too
    return Host(
        name=f"h{place}.test",
        health=health,
        address=str(FIRST + shared),
        delay=delays.get(place % 10) if health == "well" else None,
        added=added,
    )


def _robots(host: Host, place: int) -> Answer:
    if host.delay is None and place % 4 == 0:
        return Answer(status=404)
    delay = [f"Crawl-delay: {host.delay:g}"] if host.delay else []
    return robots("User-agent: *", "Disallow: /private/", *delay)


def _paths(
    host: Host, hosts: tuple[Host, ...], rng: random.Random
) -> Iterator[tuple[str, tuple[Answer, tuple[tuple[str, str], ...]]]]:
    """Each path of a host with its answer and its links."""
    own: dict[str, list[str]] = {"/": [], **{f"/p/{number}": [] for number in range(1, PAGES)}}
    names = list(own)
    for number in range(1, PAGES):
        own[names[rng.randrange(max(0, number - 3), number)]].append(names[number])
    special = {
        "/old": moved(rng.choice(names)),
        "/away": moved(at(other := rng.choice(hosts).name, "/")),
        "/gone": Answer(status=404, body=page(title=f"nothing here on {host.name}")),
        "/private/1": Answer(body=page(title=f"private page of {host.name}")),
    }
    for path in special:
        own[rng.choice(names[:4])].append(path)
    own[names[5]].append("/calendar/1")
    own[names[-1]].append("/late/1")
    foreign = [(rng.choice(hosts).name, rng.choice(("/", "/p/1", "/p/4"))), (f"outside-{host.name}", "/")]
    for excluded, only in EXCLUDED.items():
        own[excluded], own[only] = [only], []
    pause = 1.0 if host.health == "slow" else 0.0
    for path, targets in own.items():
        away = foreign if path == "/" else []
        hrefs = [*targets, *(at(name, target) for name, target in away)]
        body = page(*hrefs, title=f"{path} of {host.name}", content=f"<p>{_words(rng)}")
        yield path, (Answer(body=body, delay=pause), (*((host.name, each) for each in targets), *away))
    for path, answer in special.items():
        location = dict(answer.headers).get("Location", "").removeprefix(f"http://{other}:{PORT}")
        target = ((other if path == "/away" else host.name, location),) if location else ()
        yield path, (answer, target)


def _words(rng: random.Random) -> str:
    return " ".join(rng.choices(("crawl", "page", "link", "host", "delay", "queue", "seed", "rule"), k=20))


def truth(web: Hosts, excluded: Mapping[str, set[str]]) -> dict[tuple[str, str], tuple[str, str]]:
    """(Host, path) -> state and reason at the end. `excluded`: path -> the hosts on which it was fetched in time."""
    health = {each.name: each.health for each in web.hosts}
    found: dict[tuple[str, str], tuple[str, str]] = {}
    ahead = [(each.name, "/") for each in web.hosts]
    while ahead:
        host, path = key = ahead.pop()
        if key in found:
            continue
        answer = web.answers.get(key)
        if host not in health:
            found[key] = ("refused", "scope: host")
        elif health[host] == "dead":
            found[key] = ("failed", "connection refused")
        elif path in EXCLUDED and host not in excluded[path]:
            found[key] = ("refused", "scope: rule")
        elif path.startswith("/private/") and web.answers[host, "/robots.txt"].status == 200:
            found[key] = ("refused", "robots.txt")
        else:
            assert answer is not None, key
            found[key] = ("moved" if answer.status == 301 else "fetched", f"http {answer.status}")
            ahead += web.links[key]
    return found
