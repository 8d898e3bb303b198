"""Contents of a crawl: sizes by type, depth, languages, directories, titles, and links by kind."""

from __future__ import annotations

import statistics
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ttcrawl.output.layout import MOST_REASONS, Row, Section, Value, most
from ttcrawl.report.directories import LEAST_SHARE, MOST_SHOWN, Directories, Directory
from ttcrawl.report.frequent import Frequent
from ttcrawl.report.part import Group
from ttcrawl.report.rows import row, row_of
from ttcrawl.report.sources import Sources
from ttcrawl.vocabulary.kind import KINDS
from ttcrawl.vocabulary.reason import NO_CONTENT_STATUSES

UNKNOWN, OTHER_HOSTS = "not known", "other hosts"
#: Titles in the list, and characters of one.
MOST_TITLES, LONGEST_TITLE = 10, 200

HOW_KINDS = "Without links to the page itself; the summary counts only links of the followed kinds."

HOW_TYPES = "Of the pages with a status of 2xx."
HOW_DEPTHS = "The pages crawled that have a path of links from the seeds."
HOW_DIRECTORIES = (
    "The pages with a status of 2xx, each in one row: a directory is without the directories that have a row of their"
    f" own. At most {MOST_SHOWN} directories are listed, from {100 * LEAST_SHARE:g} % of all pages or bytes on."
)
HOW_TITLES = "Titles that several pages with a status of 2xx have."
HOW_LANGUAGES = "HTML pages and documents whose text was read, with a status of 2xx."


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Bodies of one type as received, in bytes."""

    count: int
    total: int
    mean: float
    median: float
    largest: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    types: Mapping[str, Sizes]  # of URLs with a 2xx response, by type, most bytes first
    depths: Mapping[int, int]  # pages by number of links from the seeds
    languages: Mapping[str, int]  # HTML pages and documents by language, most frequent first
    kinds: Mapping[str, int]  # link occurrences by the name of their kind, most frequent first; without redirects
    words: int  # of all texts
    directories: tuple[Directory, ...]  # of the pages with a 2xx response
    titles: Mapping[str, int]  # the most frequent titles of these pages that occur more than once


def read(sources: Sources) -> Content:
    db = sources.db
    lengths: dict[str, array[int]] = {}
    directories, titles = Directories(), Frequent()
    rows = db.execute(
        f"SELECT type, length, url.url, substr(title, 1, {LONGEST_TITLE}) FROM page JOIN url ON url.id = page.url"
        f" WHERE state = 'fetched' AND status BETWEEN 200 AND 299 AND status NOT IN {NO_CONTENT_STATUSES}"
    )
    for kind, length, url, title in rows:
        lengths.setdefault(kind or UNKNOWN, array("q")).append(length)
        directories.add(url, length)
        if title:
            titles.add(title)
    sizes = {kind: _sizes(each) for kind, each in lengths.items()}
    languages = db.execute("SELECT language, count(*) FROM metadata GROUP BY 1").fetchall()
    (words,) = db.execute("SELECT coalesce(sum(words), 0) FROM metadata").fetchone()
    depths = db.execute("SELECT depth, count(*) FROM url WHERE state = 'fetched' AND depth NOTNULL GROUP BY 1")
    return Content(
        types=dict(sorted(sizes.items(), key=lambda each: (-each[1].total, each[0]))),
        depths=dict(depths.fetchall()),
        languages=_ordered({name or UNKNOWN: count for name, count in languages}),
        kinds=_ordered(sources.kinds_of_links.kinds),
        words=words,
        directories=directories.largest(),
        titles=titles.top(MOST_TITLES, least=2),
    )


def _sizes(lengths: array[int]) -> Sizes:
    total = sum(lengths)
    return Sizes(
        count=len(lengths),
        total=total,
        mean=total / len(lengths),
        median=float(statistics.median(lengths)),
        largest=max(lengths),
    )


def _ordered(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def sections(crawls: Sequence[Content]) -> list[Section]:
    return [_types(crawls), _depths(crawls), _languages(crawls), *_lists(crawls), _kinds(crawls)]


def _types(crawls: Sequence[Content]) -> Section:
    rows = []
    top, rest = most([{name: each.total for name, each in crawl.types.items()} for crawl in crawls])
    for kind in top:
        rows.append(row_of(kind, [_measures(crawl.types.get(kind)) for crawl in crawls]))
    if rest:
        others = [[crawl.types[kind] for kind in rest if kind in crawl.types] for crawl in crawls]
        rows.append(row_of(f"{len(rest):,} other types", map(_sum, others), foot=True))
    columns = ("files", "bytes", "mean", "median", "largest")
    return Section(title="Sizes by type", rows=tuple(rows), columns=columns, subject="type", how=HOW_TYPES)


def _measures(sizes: Sizes | None) -> tuple[Value, ...]:
    if sizes is None:
        return 0, None, None, None, None
    return sizes.count, sizes.total, sizes.mean, sizes.median, sizes.largest


def _sum(sizes: Sequence[Sizes]) -> tuple[Value, ...]:
    """Of several types; their common median is unknown."""
    count, total = sum(each.count for each in sizes), sum(each.total for each in sizes)
    return (count, total, total / count, None, max(each.largest for each in sizes)) if count else _measures(None)


def _depths(crawls: Sequence[Content]) -> Section:
    depths = sorted({depth for crawl in crawls for depth in crawl.depths})
    top = depths if len(depths) <= MOST_REASONS else depths[: MOST_REASONS - 1]
    rows = [Row(label=str(depth), values=tuple(crawl.depths.get(depth, 0) for crawl in crawls)) for depth in top]
    if len(top) < len(depths):
        rest = depths[len(top) :]
        values = tuple(sum(crawl.depths.get(depth, 0) for depth in rest) for crawl in crawls)
        rows.append(Row(label=f"{rest[0]} to {rest[-1]}", values=values, foot=True))
    title = "Pages by depth (links from the seeds)"
    return Section(title=title, rows=tuple(rows), columns=("pages",), subject="depth", how=HOW_DEPTHS)


def _languages(crawls: Sequence[Content]) -> Section:
    top, rest = most([crawl.languages for crawl in crawls])
    rows = [Row(label=name, values=tuple(crawl.languages.get(name, 0) for crawl in crawls)) for name in top]
    if rest:
        others = tuple(sum(crawl.languages.get(name, 0) for name in rest) for crawl in crawls)
        rows.append(Row(label=f"{len(rest):,} other languages", values=others, foot=True))
    rows.append(row("Words in all texts", crawls, lambda crawl: crawl.words, foot=True))
    return Section(
        title="Pages by language", rows=tuple(rows), columns=("pages",), subject="language", how=HOW_LANGUAGES
    )


def _lists(crawls: Sequence[Content]) -> list[Section]:
    """Of one crawl: several have different directories and titles."""
    if len(crawls) > 1:
        return []
    directories = tuple(
        Row(label=each.path or OTHER_HOSTS, values=(each.pages, each.bytes)) for each in crawls[0].directories
    )
    titles = tuple(Row(label=title, values=(pages,)) for title, pages in crawls[0].titles.items())
    sections = [
        Section(
            title="Directories",
            rows=directories,
            columns=("pages", "bytes"),
            subject="directory",
            how=HOW_DIRECTORIES,
            group=Group.SITES,
        ),
        Section(title="Most frequent titles", rows=titles, columns=("pages",), subject="title", how=HOW_TITLES),
    ]
    return [each for each in sections if each.rows]


def _kinds(crawls: Sequence[Content]) -> Section:
    meanings = {kind.name: kind.meaning for kind in KINDS}
    top, rest = most([crawl.kinds for crawl in crawls])
    rows = [
        Row(
            label=f"{name} ({meanings[name]})" if name in meanings else name,
            values=tuple(crawl.kinds.get(name, 0) for crawl in crawls),
        )
        for name in top + rest
    ]
    return Section(
        title="Links by kind",
        rows=tuple(rows),
        columns=("links",),
        subject="kind",
        how=HOW_KINDS,
        group=Group.GRAPH,
    )
