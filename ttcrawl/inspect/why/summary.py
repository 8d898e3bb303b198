"""All URLs of a crawl by state, reason and rule. One pass over table `url`: 1 s for a million rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ttcrawl.inspect.why.open_crawl import OpenCrawl
from ttcrawl.inspect.why.robots import robots_line
from ttcrawl.output.number import counted
from ttcrawl.output.steps import Progress, reported, silent
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.vocabulary.reason import ROBOTS, sentence
from ttcrawl.vocabulary.state import REFUSED

EXAMPLES = 3

#: With more URLs refused by robots.txt, or more hosts, the deciding lines are not searched.
CHEAP_URLS, CHEAP_HOSTS = 10_000, 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Number of URLs with one state, reason and rule."""

    state: str
    reason: str
    sentence: str
    rule: str
    urls: int
    examples: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class _Count:
    urls: int = 0
    first: list[int] = field(default_factory=list)

    def add(self, url: int) -> None:
        self.urls += 1
        if len(self.first) < EXAMPLES:
            self.first.append(url)


def summary(crawl: OpenCrawl, progress: Progress = silent) -> list[Tally]:
    """Most URLs first. The sum is the number of URLs."""
    counts: dict[tuple[str, str, str], _Count] = {}
    rules = dict(crawl.db.execute("SELECT id, text FROM rule"))
    cheap, hosts = _by_robots(crawl)
    (urls,) = crawl.db.execute("SELECT count(*) FROM url").fetchone()
    rows = crawl.db.execute("SELECT id, state, reason, rule FROM url")
    for url, state, reason, rule in reported(rows, progress, "URLs", urls):
        if reason == ROBOTS and cheap:
            continue
        text = f"robots.txt of {counted(hosts, 'host')}" if reason == ROBOTS else rules.get(rule, "")
        counts.setdefault((state, reason, text), _Count()).add(url)
    for url, text in _lines(crawl) if cheap else ():
        counts.setdefault((REFUSED, ROBOTS, text), _Count()).add(url)
    ordered = sorted(counts.items(), key=lambda each: (-each[1].urls, each[0]))
    return [
        Tally(
            state=state,
            reason=reason,
            sentence=sentence(state, reason),
            rule=rule,
            urls=count.urls,
            examples=tuple(map(crawl.db.url_of, count.first)),
        )
        for (state, reason, rule), count in ordered
    ]


def _by_robots(crawl: OpenCrawl) -> tuple[bool, int]:
    """Whether the deciding lines are cheap enough to search, and the number of hosts."""
    urls, hosts = crawl.db.execute(
        "SELECT count(*), count(DISTINCT site) FROM url WHERE state = 'refused' AND reason = 'robots.txt'"
    ).fetchone()
    return urls <= CHEAP_URLS and hosts <= CHEAP_HOSTS, hosts


def _lines(crawl: OpenCrawl) -> Iterator[tuple[int, str]]:
    """(id, the deciding line and its position) of every URL that robots.txt forbids."""
    config = crawl.rules.config
    rows = crawl.db.execute(
        "SELECT id, url, site, processed FROM url WHERE state = 'refused' AND reason = 'robots.txt' ORDER BY id"
    ).fetchall()
    for url_id, url, site, settled in rows:
        version = crawl.robots_at(site, settled)
        if version is None:
            yield url_id, ""
            continue
        line = robots_line(version.text, config.agent.name, url, config.politeness.robots)
        yield url_id, f"{line.text} ({version.url}, line {line.number})" if line.number else line.text


def summary_text(tallies: Sequence[Tally]) -> str:
    """A line for each state, reason and rule, with examples below it."""
    rows = [("state", "reason", "URLs", "rule")]
    rows += [(each.state, each.reason or "-", f"{each.urls:,}", each.rule) for each in tallies]
    widths = [max(len(escape_untrusted(row[column])) for row in rows) for column in range(3)]
    lines = [
        f"{row[0]:{widths[0]}}  {reason:{widths[1]}}  {row[2]:>{widths[2]}}  {rule}".rstrip()
        for row in rows
        for reason, rule in [map(escape_untrusted, row[1::2])]
    ]
    output = [lines[0]]
    for line, tally in zip(lines[1:], tallies, strict=True):
        output += [line, *(f"    {escape_untrusted(example)}" for example in tally.examples)]
    return "\n".join([*output, counted(sum(each.urls for each in tallies), "URL")])
