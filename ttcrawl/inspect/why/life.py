"""The history of one URL, gathered from the tables."""

from __future__ import annotations

import json
import re
import time
from dataclasses import fields

from ttcrawl.frontier.offers import BY_ROBOTS
from ttcrawl.inspect.why.answers import answer, requests_to, several_answers, topic
from ttcrawl.inspect.why.browser import browser_use
from ttcrawl.inspect.why.facts import (
    UNSEARCHED,
    CanonStep,
    Decided,
    Entry,
    Life,
    Origin,
    Queue,
    Recrawled,
    Ruled,
    Spelled,
    UnknownUrl,
    UrlRow,
    Verdict,
)
from ttcrawl.inspect.why.linking import SEGMENT, linked
from ttcrawl.inspect.why.open_crawl import OpenCrawl, RobotsVersion
from ttcrawl.inspect.why.recrawl import visits
from ttcrawl.inspect.why.robots import robots_line
from ttcrawl.inspect.why.vanished import absence, lost_links, moved_here
from ttcrawl.snapshot.history import dropped
from ttcrawl.snapshot.named_url import NamedUrl, named_url, similar
from ttcrawl.snapshot.status import host_status, locked_hosts
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import (
    DEPTH,
    NONE,
    REDIRECT_STATUSES,
    REDIRECTS,
    SCOPE_DEPTH,
    SCOPE_HOPS,
    SCOPE_LENGTH,
    TOPIC,
    Code,
    about,
    sentence,
)
from ttcrawl.vocabulary.requisite import UNLINKED, WAIVED
from ttcrawl.vocabulary.state import QUEUED, REFUSED
from ttcrawl.web import robots
from ttcrawl.web.address import non_public_kind, stated
from ttcrawl.web.canon import Canon, Step
from ttcrawl.web.url import host, key, split_port

#: The canonical form without the rules of [url].
PLAIN = Canon(rules=(), ftp=True)

#: Time limit for the scan of the links, in seconds per URL.
PATIENCE = 20.0

#: Time limit for the search through the robots.txt of all hosts, in seconds.
ROBOTS_PATIENCE = 5.0


def life(
    crawl: OpenCrawl,
    text: str,
    now: float | None = None,
    patience: float = PATIENCE,
    segment: int = SEGMENT,
    *,
    links: bool = True,
) -> Life:
    """All data about a URL as a person writes it. Raises UsageError if it names none, or several.

    `patience` and `segment` limit the scan of the links; without `links` there is none.
    """
    named = named_url(crawl.db, crawl.canon.canonical, text)
    url_id, url_key = named.id, key(named.url)
    if url_id is not None:
        (url_key,) = crawl.db.execute("SELECT key FROM url WHERE id = ?", (url_id,)).fetchone()
    moment = time.time() if now is None else now
    return Life(
        input=_written(crawl.canon, named),
        entry=None if url_id is None else _entry(crawl, url_id, moment),
        unknown=_unknown(crawl, named.url) if url_id is None else None,
        linked=linked(crawl.db, url_key, patience, segment) if links else UNSEARCHED,
    )


def _written(canon: Canon, named: NamedUrl) -> Spelled:
    """The steps to the canonical form; they are those without the rules of [url] if it was discovered without them."""
    spellings = filter(None, (spelled(each, named.text) for each in (canon, PLAIN)))
    return next(each for each in spellings if each.url == named.url)


def spelled(canon: Canon, text: str) -> Spelled | None:
    """An absolute URL with the steps to its canonical form; None if it is not an http(s) URL."""
    if canon.canonical(text) is None:
        return None
    steps = canon.steps(text, text)
    return Spelled(text=text, steps=tuple(_step(step) for step in steps), url=steps[-1].after or "")


def _step(step: Step) -> CanonStep:
    return CanonStep(name=step.name, after=step.after or "")


# -- a discovered URL -------------------------------------------------------------------------------------------------


COLUMNS = ", ".join("coalesce(rule.text, '')" if each.name == "rule" else f"url.{each.name}" for each in fields(UrlRow))


def _entry(crawl: OpenCrawl, url_id: int, now: float) -> Entry:
    query = f"SELECT {COLUMNS} FROM url LEFT JOIN rule ON rule.id = url.rule WHERE url.id = ?"
    row = UrlRow(*crawl.db.execute(query, (url_id,)).fetchone())
    requests, robots_first = requests_to(crawl.db, row.site, row.url)
    return Entry(
        row=row,
        decided=_decided(crawl, row),
        origin=Origin(
            found_on=None if row.found_on is None else crawl.db.url_of(row.found_on),
            found_by="" if row.found_on is None else _kind_of(crawl, row.found_on, row.key),
            sitemap=_sitemap_source(crawl, row.url, row.sitemap),
            spelled=spelled(crawl.canon, row.spelling) if row.spelling else None,
        ),
        queue=_queue(crawl, url_id, row, now) if row.state == QUEUED else None,
        requests=requests,
        robots_first=robots_first,
        answer=answer(crawl, url_id),
        history=several_answers(crawl, url_id),
        dropped=dropped(crawl.db, url_id),
        topic=topic(crawl.db, url_id),
        browser=browser_use(crawl.db, url_id),
        recrawled=Recrawled(
            visits=visits(crawl.db, url_id),
            absence=absence(crawl.db, url_id),
            moved_here=moved_here(crawl.db, url_id),
            lost_links=lost_links(crawl.db, url_id),
        ),
    )


def _kind_of(crawl: OpenCrawl, source: int, key: int) -> str:
    """The letter of the first link from a page to the URL of this key, or "" without a link."""
    row = crawl.db.execute("SELECT targets, kinds FROM outlinks WHERE source = ?", (source,)).fetchone()
    if row is None or key not in (targets := json.loads(row[0])):
        return ""
    return chr(row[1][targets.index(key)])


def _sitemap_source(crawl: OpenCrawl, url: str, sitemap: int) -> str:
    """What named the sitemap, in words; "" for other URLs. `sitemap` is the column of its row."""
    if sitemap != BY_ROBOTS:
        return "it is a sitemap: an index, or the redirect of one, names it" if sitemap else ""
    # its own host first, which is the usual case
    rows = crawl.db.execute(
        "SELECT site.host, robots.url, robots.text FROM robots JOIN site ON site.id = robots.site"
        " WHERE robots.text LIKE '%sitemap%' ORDER BY site.host != ?, site.id, robots.time",
        (host(url),),
    )
    end = time.monotonic() + ROBOTS_PATIENCE
    for name, base, text in rows:
        for href in robots.sitemaps(text):
            if crawl.canon.resolve(base, href) == url:
                return f"named as a sitemap by the robots.txt of {name}"
        if time.monotonic() > end:
            return "named as a sitemap by a robots.txt (the time was up before it was found)"
    return "looked for as a sitemap at the usual place, for the robots.txt of its host names none"


def _decided(crawl: OpenCrawl, row: UrlRow) -> Decided:
    meaning = about(row.reason)
    before_robots = meaning is not None and meaning.before_robots
    return Decided(
        sentence=sentence(row.state, row.reason),
        compared=compared(row),
        now=_now(crawl, row),
        robots=None if before_robots else _robots(crawl, row.site, row.url, row.processed),
    )


def compared(row: UrlRow) -> str:
    """The number that was too high and its limit, such as "depth 6 > 5"; "" if no number was."""
    limit = re.search(r"(?:= |>)(\d+)", row.rule)
    numbers = {
        DEPTH: row.depth,
        SCOPE_DEPTH: row.depth,
        SCOPE_HOPS: row.off_domain,
        REDIRECTS: row.redirects,
        SCOPE_LENGTH: len(row.url),
        TOPIC: row.off_topic,
    }
    number = numbers.get(Code(row.reason))
    if limit is None or number is None or number <= int(limit[1]):
        return ""
    name = "irrelevant pages" if row.reason == TOPIC else row.reason.removeprefix("scope: ")
    return f"{name} {number} > {limit[1]}"


def _now(crawl: OpenCrawl, row: UrlRow) -> Ruled | None:
    """The decision of the current rules, if it differs from the recorded one."""
    today, rule = crawl.rules.ruling(row.url, row.depth or 0, row.off_domain)
    today, rule = (NONE, "") if row.sitemap and today in WAIVED else (today, rule)
    config = crawl.rules.config
    most = config.crawl.max_depth
    if not today and row.depth is not None and 0 <= most < row.depth:
        today, rule = DEPTH, f"[crawl] max_depth = {most}"
    if not today and config.topic.on and 0 <= config.topic.tunnel < row.off_topic:
        today, rule = TOPIC, f"[topic] tunnel = {config.topic.tunnel}"
    if row.requisite and config.links.page_requisites and not crawl.rules.refusal_of_requisite(row.url):
        today, rule = NONE, ""
    if row.reason in UNLINKED:  # decided before any rule
        return None
    meaning = about(row.reason) if row.state == REFUSED else None
    was = (
        meaning if meaning and (row.reason in (DEPTH, TOPIC) or meaning.family in (Family.SCOPE, Family.TRAP)) else None
    )
    if today == (was.code if was else NONE) or (was and was.by_history and not today):
        return None
    return Ruled(reason=today, rule=rule)


def _robots(crawl: OpenCrawl, site: int, url: str, moment: float | None) -> Verdict | None:
    version = crawl.robots_at(site, moment)
    return None if version is None else verdict(crawl, version, url)


def verdict(crawl: OpenCrawl, version: RobotsVersion, url: str) -> Verdict:
    """The line of a robots.txt that decides, or why there is none."""
    config = crawl.rules.config
    if version.text:
        decision = robots_line(version.text, config.agent.name, url, config.politeness.robots)
        allowed, line, text, agent = decision.allowed, decision.number, decision.text, decision.agent
    else:
        allowed, line, text, agent = True, 0, _absence(version.status), ""
    return Verdict(
        allowed=allowed,
        line=line,
        text=text,
        agent=agent,
        url=version.url,
        status=version.status,
        read_at=version.read_at,
    )


def _absence(status: int) -> str:
    """Why a robots.txt without text allows everything."""
    if 200 <= status < 300:
        return "it is empty"
    if status in REDIRECT_STATUSES:
        return f"it redirects too often, or to no URL that may be followed (http {status}): treated as unavailable"
    return f"there is none (http {status})"


def _queue(crawl: OpenCrawl, url_id: int, row: UrlRow, now: float) -> Queue:
    db = crawl.db
    (count,) = db.execute(f"SELECT count(*) FROM {db.queue} WHERE site = ?", (row.site,)).fetchone()
    (before,) = db.execute(
        f"SELECT count(*) FROM {db.queue} WHERE site = ? AND (priority, id) < (?, ?)", (row.site, row.priority, url_id)
    ).fetchone()
    locked = locked_hosts(crawl.in_flight, crawl.process)
    status = host_status(db, locked, row.site, count, now)
    flight = next((each for each in crawl.in_flight if each.url == row.url), None)
    return Queue(
        priority=row.priority,
        demoted=row.demoted > 0,
        before=before,
        due=row.due,
        next_at=max(status.next_at, row.due),
        waits=max(status.waits, row.due - now, 0.0),
        why=status.why if row.due <= now else f"it is retried then; {status.why}",
        in_flight=f"{flight.process}, for {flight.seconds:,.1f} s" if flight else "",
    )


# -- an unknown URL ---------------------------------------------------------------------------------------------------


def _unknown(crawl: OpenCrawl, url: str) -> UnknownUrl:
    reason, rule = crawl.rules.ruling(url)
    site = crawl.db.execute("SELECT id, robots_reason FROM site WHERE host = ?", (host(url),)).fetchone()
    robots = _robots(crawl, site[0], url, None) if site else None
    address = _address(crawl, url)
    return UnknownUrl(
        ruled=Ruled(reason=reason, rule=rule),
        address=address,
        robots=robots,
        robots_reason=site[1] if site and robots is None else "",
        unrecorded=int(crawl.db.settings.get("total_unrecorded", 0)) > 0,
        would=_would(reason, address, robots, by_path=crawl.rules.scope.by_path),
        similar=similar(crawl.db, url),
    )


def _would(reason: str, address: str, robots: Verdict | None, *, by_path: bool) -> str:
    if reason:
        return f"refused: {reason}"
    if robots is not None and not robots.allowed:
        return "queued, and refused when its turn comes: robots.txt"
    if address:
        return "queued, and refused when its turn comes: blocked address"
    if by_path:
        return "queued, unless max_depth or a rule with depth: or hops: refuses it where it is discovered"
    return "queued, at any depth within max_depth"


def _address(crawl: OpenCrawl, url: str) -> str:
    """Checks a host that is an address or localhost. The DNS of other hosts is not known here."""
    name = split_port(host(url))[0].strip("[]")
    bad = [each for each in stated(name) if not crawl.allowed.permits(name, each)]
    return f"{bad[0]} is {non_public_kind(bad[0])}" if bad else ""
