"""URL patterns that cause duplicates: what was saved because of them, and what was lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ttcrawl.output.layout import MOST_REASONS, Section, Value
from ttcrawl.report.laws.audit import lost
from ttcrawl.report.rows import row_of
from ttcrawl.report.sources import Sources

COLUMNS = ("fetched", "duplicates", "put last", "refused", "audited", "lost", "lost of the refused", "95 %")

HOW = (
    "A pattern is a key of the query (?sid), a parameter of the path (;sid), a directory or last segment (*/print/*)"
    " or a shape with numbers as #. Fetched: pages that were compared with a page whose URL differs only in the"
    " pattern (for a shape: pages that no other pattern explains); duplicates: pages with the same content."
    " Audited: randomly chosen URLs that would have been put last or refused, but were fetched in turn; lost: those of"
    " them that are not duplicates, or that redirect to a page that is not a duplicate. Lost of the refused: the same"
    " share of the refused URLs, with the exact interval for a sample of all URLs that would have been refused. Pages"
    " to which only refused pages link are not counted."
)

#: An audited URL is lost if it is a page that is not a duplicate, or redirects to such a page that nothing else led to.
#: It is not lost if it is the original of pages that were fetched anyway: they have the same content.
AUDITED = """
    SELECT site.host, audit.text, count(*), sum(
        (url.state = 'fetched' AND page.status < 300 AND duplicate.url IS NULL AND url.id NOT IN (
            SELECT coalesce(duplicate_of, near_duplicate_of) FROM duplicate WHERE url NOT IN (SELECT url FROM audit)
        )) OR (url.state = 'moved' AND EXISTS (
            SELECT 1 FROM outlinks
            JOIN url AS target ON target.key = CAST(json_extract(outlinks.targets, '$[0]') AS INTEGER)
            JOIN page AS answer ON answer.url = target.id
            LEFT JOIN duplicate AS again ON again.url = target.id
            WHERE outlinks.source = url.id AND target.found_on = url.id AND target.state = 'fetched'
            AND answer.status < 300 AND again.url IS NULL)))
    FROM audit JOIN url ON url.id = audit.url JOIN site ON site.id = url.site
    LEFT JOIN page ON page.url = url.id LEFT JOIN duplicate ON duplicate.url = url.id
    WHERE url.state IN ('fetched', 'moved', 'failed') GROUP BY 1, 2"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeating:
    """Figures of one pattern, or of several together: pages and URLs."""

    fetched: int  # pages that were judged
    duplicates: int  # of these
    put_last: int  # URLs put behind all others of the host
    refused: int  # URLs
    audited: int  # URLs fetched to measure what is lost
    lost: int  # of the audited URLs


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """Patterns by host; those that saved the most requests come first."""

    patterns: Mapping[str, Mapping[str, Repeating]]


def read(sources: Sources) -> Repeats:
    db = sources.db
    audited = {(host, text): (urls, lost) for host, text, urls, lost in db.execute(AUDITED)}
    rows = db.execute(
        "SELECT host, text, pattern.fetched, duplicates, put_last, refused"
        " FROM pattern JOIN site ON site.id = pattern.site"
        " WHERE repeating OR put_last OR refused OR (site, text) IN"
        " (SELECT url.site, audit.text FROM audit JOIN url ON url.id = audit.url)"
        " ORDER BY put_last + refused DESC, pattern.fetched DESC, host, text"
    )
    patterns: dict[str, dict[str, Repeating]] = {}
    for host, text, fetched, duplicates, put_last, refused in rows:
        audited_urls, good = audited.get((host, text), (0, 0))
        patterns.setdefault(host, {})[text] = Repeating(
            fetched=fetched, duplicates=duplicates, put_last=put_last, refused=refused, audited=audited_urls, lost=good
        )
    return Repeats(patterns=patterns)


def sections(crawls: Sequence[Repeats]) -> list[Section]:
    """Empty if no pattern repeats."""
    hosts = list(dict.fromkeys(host for crawl in crawls for host in crawl.patterns))
    labels = [(host, text) for host in hosts for text in dict.fromkeys(_texts(crawls, host))]
    if not labels:
        return []
    rows = [
        row_of(f"{host} {text}", [_values([crawl.patterns.get(host, {}).get(text)], single=True) for crawl in crawls])
        for host, text in labels[:MOST_REASONS]
    ]
    several = [host for host in hosts if len(set(_texts(crawls, host))) > 1]
    for host in several[:MOST_REASONS] if len(hosts) > 1 else ():
        together = [_values(crawl.patterns.get(host, {}).values()) for crawl in crawls]
        rows.append(row_of(f"{host}, all patterns", together, foot=True))
    if len(labels) > 1:
        every = [[each for by_text in crawl.patterns.values() for each in by_text.values()] for crawl in crawls]
        rows.append(row_of("All patterns", map(_values, every), foot=True))
    return [
        Section(title="Patterns that cause duplicates", rows=tuple(rows), columns=COLUMNS, subject="pattern", how=HOW)
    ]


def _texts(crawls: Sequence[Repeats], host: str) -> list[str]:
    return [text for crawl in crawls for text in crawl.patterns.get(host, {})]


def _values(patterns: Iterable[Repeating | None], *, single: bool = False) -> tuple[Value, ...]:
    """The figures of several patterns together. A page counts under each of its patterns, so only URL counts add up."""
    present = [each for each in patterns if each is not None]
    if not present:
        return (None,) * len(COLUMNS)
    fetched, duplicates, put_last, refused, audited, good = (
        sum(getattr(each, name) for each in present)
        for name in ("fetched", "duplicates", "put_last", "refused", "audited", "lost")
    )
    judged: tuple[Value, ...] = (fetched, duplicates) if single else (None, None)
    if not refused:
        return (*judged, put_last, refused, audited, good, None, None)
    losses = lost(refused, audited, good)
    estimate = None if losses.estimate is None else round(losses.estimate, 1)
    return (*judged, put_last, refused, audited, good, estimate, f"{losses.low:,} to {losses.high:,}")
