"""The names of the targets outside the content regions: 61,090 different URLs with a text each.

Hosts outside the campus end in .example, .test or .invalid (RFC 6761), so that no real host is contacted by mistake.
URLs are in canonical form here; `ttcrawl.demo.page` makes other spellings of the same URL.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from urllib.parse import quote

from ttcrawl.demo.plan import FIXED
from ttcrawl.demo.truth import HTML, REGEX
from ttcrawl.demo.words import BUILDINGS, FIELDS, FIRST, HOST_WORDS, LAST, MONTHS, WORK_WORDS


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a link. Its fields are positional for speed: there are sixty thousand of them."""

    family: str  # the block of a page with such links
    href: str  # canonical, or the path of a URL on the campus
    text: str


NAVIGATION = 8  # the first of the fixed targets are in the header, the others in the footer
FIXED_TARGETS = tuple(
    Target("fixed", href, text)
    for href, text in (
        ("/", "Home"),
        ("/departments/", "Departments"),
        ("/study/", "Study"),
        ("/research/", "Research"),
        ("/people/", "People"),
        ("/events/", "Events"),
        ("/news/", "News"),
        ("/library/", "Library"),
        ("/about/contact.html", "Contact"),
        ("/about/imprint.html", "Imprint"),
        ("/about/privacy.html", "Privacy"),
        ("/about/accessibility.html", "Accessibility"),
        ("/about/jobs.html", "Jobs"),
        ("/about/press.html", "Press office"),
        ("/map/", "Campus map"),
        ("/sitemap.html", "Site map"),
        ("/feeds/news.rss", "News feed"),
        ("/search?lang=de", "Suche"),
        ("https://webmail.westmoor.example/", "Webmail"),
        ("https://learning.westmoor.example/login", "Learning platform"),
        ("http://www.student-union.example/", "Student union"),
        ("http://www.city-of-westmoor.example/tourism", "City of Westmoor"),
    )
)
assert len(FIXED_TARGETS) == FIXED


def name_targets(random: Random) -> list[Target]:
    """Targets 0..61,089 as `ttcrawl.demo.plan` numbers them; all URLs differ."""
    targets = list(FIXED_TARGETS)
    used = {target.href for target in targets}
    makers = random.choices(list(FAMILIES), weights=list(FAMILIES.values()), k=HTML.elsewhere_distinct - FIXED)
    makers += [_old] * (REGEX.elsewhere_distinct - HTML.elsewhere_distinct)
    for make in makers:
        target = make(random)
        while target.href in used:
            target = make(random)
        used.add(target.href)
        targets.append(target)
    return targets


def _pick(random: Random, words: tuple[str, ...]) -> str:
    # Three times as fast as random.choice, for half a million calls.
    return words[int(random.random() * len(words))]


def _number(random: Random, low: int, high: int) -> int:
    return low + int(random.random() * (high - low))


def _field(random: Random) -> tuple[str, str, str]:
    """Code of a department, its name, one of its topics."""
    code, name, topics = FIELDS[int(random.random() * len(FIELDS))]
    return code, name, _pick(random, topics)


def _slug(text: str) -> str:
    return quote(text.lower().replace(" ", "-"))


def _person(random: Random) -> Target:
    first, last, field = _pick(random, FIRST), _pick(random, LAST), _field(random)
    return Target("people", f"/people/{field[0]}/{_slug(first)}-{_slug(last)}", f"{first} {last}")


def _event(random: Random) -> Target:
    year, month, day = _number(random, 2012, 2026), _number(random, 1, 13), _number(random, 1, 29)
    topic = _field(random)[2]
    href = f"/events/{year}/{month:02}/{day:02}/{_slug(topic)}"
    return Target("events", href, f"{topic}, {day} {MONTHS[month - 1][:3]}")


def _course(random: Random) -> Target:
    code, _, topic = _field(random)
    number, year = _number(random, 100, 500), _number(random, 2014, 2026)
    return Target("courses", f"/courses/{code}{number}/{year}", f"{topic} {number} ({year})")


def _sheet(random: Random) -> Target:
    code, _, topic = _field(random)
    number, sheet = _number(random, 100, 500), _number(random, 1, 25)
    return Target("files", f"/files/{code}{number}/sheet%20{sheet}.pdf", f"Sheet {sheet}: {topic}")


def _record(random: Random) -> Target:
    number = _number(random, 10_000, 99_999)
    return Target("library", f"/library/record?id={number}", _work(random))


def _search(random: Random) -> Target:
    topic, year = _field(random)[2], _number(random, 1995, 2026)
    return Target("library", f"/library/search?q={topic.replace(' ', '+')}&year={year}", f"{topic}, {year}")


def _paper(random: Random) -> Target:
    code, _, topic = _field(random)
    volume, first = _number(random, 1, 90), _number(random, 1, 900)
    href = f"http://{_slug(topic)}.example/{volume}/{code}{first}.html"
    return Target("papers", href, f"{_work(random)}, {volume}, p. {first}")


def _partner(random: Random) -> Target:
    first, second, word = _pick(random, HOST_WORDS), _pick(random, HOST_WORDS), _pick(random, WORK_WORDS)
    ending = _pick(random, ("example", "example", "test", "invalid"))
    scheme = _pick(random, ("http", "https"))
    return Target("outside", f"{scheme}://www.{first}-{second}.{ending}/{word}/", f"{first.title()} {second}: {word}")


def _room(random: Random) -> Target:
    building = _pick(random, BUILDINGS)
    floor, room = _number(random, 0, 6), _number(random, 1, 60)
    return Target("map", f"/map/{_slug(building)}/{floor}/{room:02}", f"{building}, room {floor}{room:02}")


def _film(random: Random) -> Target:
    topic = _field(random)[2]
    key = _number(random, 1 << 28, 1 << 32)
    return Target("film", f"https://video.westmoor.example/embed/{key:x}", f"Film: {topic}")


def _old(random: Random) -> Target:
    code, name, topic = _field(random)
    return Target("old", f"/old/{code}/{_slug(topic)}-{_number(random, 1, 400)}.html", f"{name}: {topic}")


def _work(random: Random) -> str:
    return f"{_pick(random, WORK_WORDS).title()} {_pick(random, WORK_WORDS)}"


# How often each kind occurs.
FAMILIES: dict[Callable[[Random], Target], float] = {
    _person: 20,
    _event: 16,
    _course: 14,
    _sheet: 8,
    _record: 12,
    _search: 3,
    _paper: 14,
    _partner: 10,
    _room: 1.2,
    _film: 0.3,
}
