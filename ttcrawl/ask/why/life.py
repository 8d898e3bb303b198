"""The history of one URL, gathered from the tables."""

from __future__ import annotations

import time

from ttcrawl.ask.report.status import host_status, under_way
from ttcrawl.ask.why.answers import answer, exchanges
from ttcrawl.ask.why.facts import Entry, Life, Made, Queue, Ruled, Spelled, UnknownUrl, Verdict
from ttcrawl.ask.why.linking import linked
from ttcrawl.ask.why.listed import kind_of, named
from ttcrawl.ask.why.opened import Opened, RobotsVersion
from ttcrawl.ask.why.reasons import compared
from ttcrawl.ask.why.robots_line import robots_line
from ttcrawl.errors import UsageError
from ttcrawl.vocabulary.reason import DEPTH, KIND, NONE, SCOPE_EXTENSION, Family, about, sentence
from ttcrawl.vocabulary.state import QUEUED, REFUSED
from ttcrawl.web.address import refusal, stated
from ttcrawl.web.canon import Canon, Step
from ttcrawl.web.url import host, key, split_port

#: The canonical form without the rules of [url].
PLAIN = Canon(rules=())

#: Time limit for the scan of the links, in seconds per URL.
PATIENCE = 20.0


def life(crawl: Opened, text: str, now: float | None = None, patience: float = PATIENCE) -> Life:
    """All data about a URL as a person writes it. Raises UsageError if it is not an http(s) URL."""
    asked = spelled(crawl.canon, text)
    if asked is None:
        hint = f"; write https://{text}/" if "://" not in text else ""
        raise UsageError(f"{text!r} is not an http or https URL{hint}")
    found = crawl.db.find(asked.url)
    if found is None and (plain := spelled(PLAIN, text)) is not None:
        found = crawl.db.find(plain.url)  # discovered under other rules of [url]: config.ini may change
        asked = asked if found is None else plain
    known_as = key(asked.url)
    if found is not None:
        (known_as,) = crawl.db.execute("SELECT key FROM url WHERE id = ?", (found,)).fetchone()
    moment = time.time() if now is None else now
    links = linked(crawl.db, known_as, patience)
    return Life(
        asked=asked,
        entry=None if found is None else _entry(crawl, found, moment),
        unknown=_unknown(crawl, asked.url) if found is None else None,
        linked=links,
    )


def spelled(canon: Canon, text: str) -> Spelled | None:
    """An absolute URL with the steps to its canonical form; None if it is not an http(s) URL."""
    if canon.canonical(text) is None:
        return None
    steps = canon.steps(text, text)
    return Spelled(text=text, steps=tuple(_made(step) for step in steps), url=steps[-1].after or "")


def _made(step: Step) -> Made:
    return Made(name=step.name, after=step.after or "")


# -- a discovered URL -------------------------------------------------------------------------------------------------


def _entry(crawl: Opened, found: int, now: float) -> Entry:
    row = crawl.db.execute(
        "SELECT url, spelling, site, state, reason, rule.text, depth, hops, outside, priority, attempts, due, met,"
        " settled, found_on, key, sitemap FROM url LEFT JOIN rule ON rule.id = url.rule WHERE url.id = ?",
        (found,),
    ).fetchone()
    url, spelling, site, state, reason, rule, depth, hops, outside, priority, attempts, due, met, settled, *rest = row
    found_on, known_as, sitemap = rest
    with_it, robots_first = exchanges(crawl.db, site, url)
    return Entry(
        state=state,
        reason=reason,
        sentence=sentence(state, reason),
        compared=compared(reason, rule or "", depth=depth, hops=hops, outside=outside, length=len(url)),
        rule=rule or "",
        depth=depth,
        hops=hops,
        priority=priority,
        attempts=attempts,
        met=met,
        settled=settled,
        found_on=None if found_on is None else _url(crawl, found_on),
        found_by="" if found_on is None else kind_of(crawl, found_on, known_as),
        sitemap=named(crawl, url, sitemap),
        spelled=spelled(crawl.canon, spelling) if spelling else None,
        now=_now(crawl, url, state, reason, depth, outside, sitemap > 0),
        robots=None if (why := about(reason)) and why.before_robots else _robots(crawl, site, url, settled),
        queue=_queue(crawl, found, site, url, priority, due, now) if state == QUEUED else None,
        exchanges=with_it,
        robots_first=robots_first,
        answer=answer(crawl, found),
    )


def _url(crawl: Opened, found: int) -> str:
    row = crawl.db.execute("SELECT url FROM url WHERE id = ?", (found,)).fetchone()
    return row[0] if row else f"(URL {found})"


def _now(
    crawl: Opened, url: str, state: str, reason: str, depth: int | None, outside: int, sitemap: bool
) -> Ruled | None:
    """The decision of the current rules, if it differs from the recorded one."""
    today, rule = crawl.rules.ruling(url, depth or 0, outside)
    today, rule = (NONE, "") if sitemap and today == SCOPE_EXTENSION else (today, rule)
    most = crawl.rules.config.crawl.max_depth
    if not today and depth is not None and 0 <= most < depth:
        today, rule = DEPTH, f"[crawl] max_depth = {most}"
    if reason == KIND:  # decided before any rule
        return None
    row = about(reason) if state == REFUSED else None
    was = row if row and (reason == DEPTH or row.family in (Family.SCOPE, Family.TRAP)) else None
    if today == (was.code if was else NONE) or (was and was.by_history and not today):
        return None
    return Ruled(reason=today, rule=rule)


def _robots(crawl: Opened, site: int, url: str, moment: float | None) -> Verdict | None:
    version = crawl.robots_at(site, moment)
    return None if version is None else verdict(crawl, version, url)


def verdict(crawl: Opened, version: RobotsVersion, url: str) -> Verdict:
    """The line of a robots.txt that decides, or why there is none."""
    config = crawl.rules.config
    if version.text:
        found = robots_line(version.text, config.agent.name, url, config.politeness.robots)
        allowed, line, text, agent = found.allowed, found.number, found.text, found.agent
    else:
        why = "it is empty" if 200 <= version.status < 300 else f"there is none (http {version.status})"
        allowed, line, text, agent = True, 0, why, ""
    return Verdict(
        allowed=allowed,
        line=line,
        text=text,
        agent=agent,
        url=version.url,
        status=version.status,
        read_at=version.at,
    )


def _queue(crawl: Opened, found: int, site: int, url: str, priority: int, due: float, now: float) -> Queue:
    db = crawl.db
    (count,) = db.execute(f"SELECT count(*) FROM {db.queue} WHERE site = ?", (site,)).fetchone()
    (before,) = db.execute(
        f"SELECT count(*) FROM {db.queue} WHERE site = ? AND (priority, id) < (?, ?)", (site, priority, found)
    ).fetchone()
    flights = under_way(crawl.db.settings)
    held = {host(each.url) for each in flights if each.process.startswith("fetch")} if crawl.process else set()
    at = host_status(db, held, site, count, now)
    mine = next((each for each in flights if each.url == url), None)
    return Queue(
        priority=priority,
        before=before,
        due=due,
        next_at=max(at.next_at, due),
        waits=max(at.waits, due - now, 0.0),
        why=at.why if due <= now else f"it is retried then; {at.why}",
        in_flight=f"{mine.process}, for {mine.seconds:,.1f} s" if mine else "",
    )


# -- an unknown URL ---------------------------------------------------------------------------------------------------


def _unknown(crawl: Opened, url: str) -> UnknownUrl:
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
        would=_would(reason, address, robots, by_way=crawl.rules.scope.by_path),
    )


def _would(reason: str, address: str, robots: Verdict | None, *, by_way: bool) -> str:
    if reason:
        return f"refused: {reason}"
    if robots is not None and not robots.allowed:
        return "queued, and refused when its turn comes: robots.txt"
    if address:
        return "queued, and refused when its turn comes: blocked address"
    if by_way:
        return "queued, unless max_depth or a rule with depth: or hops: refuses it where it is discovered"
    return "queued, at any depth within max_depth"


def _address(crawl: Opened, url: str) -> str:
    """Checks a host that is an address or localhost. The DNS of other hosts is not known here."""
    name = split_port(host(url))[0].strip("[]")
    bad = [each for each in stated(name) if not crawl.allowed.permits(name, each)]
    return f"{bad[0]} is {refusal(bad[0])}" if bad else ""
