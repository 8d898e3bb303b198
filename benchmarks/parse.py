"""What each stage of the parse process costs: python -m benchmarks.parse [--pages N] [--rounds N] [--set KEY=VALUE]

The Reader reads pages of three documentations (Debian packages), in one process, without rings: once as it comes, once
where nothing is recorded but links. `cold`: its links are new to it; `warm`: it has read these pages before. CPU time
in µs per page, the medians of the rounds. A stage that is more than its budget is marked, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import xxhash

import ttcrawl.parse.compiled
import ttcrawl.parse.content
import ttcrawl.parse.html
import ttcrawl.parse.page
import ttcrawl.read.page
import ttcrawl.read.texts
from benchmarks.crawlers import LINKS_ONLY
from ttcrawl import Config
from ttcrawl.config.compiled import compile_scope
from ttcrawl.parse.links.follow import Follower
from ttcrawl.parse.read import Reader
from ttcrawl.ring.channel import encode
from ttcrawl.ring.garbage import rarely_collect
from ttcrawl.ring.messages import PAGE, Fetched, Head, Request
from ttcrawl.ring.position import Position
from ttcrawl.store.warc import Archive
from ttcrawl.vocabulary.reason import NONE

#: Host -> the documentation that it serves.
SITES = {
    "python.docs.test": Path("/usr/share/doc/python3.11/html"),
    "postgresql.docs.test": Path("/usr/share/doc/postgresql-doc-15/html"),
    "sqlite.docs.test": Path("/usr/share/doc/sqlite3"),
}

#: Bytes of a page: a dozen longer ones would be half of the work.
LARGEST = 400_000

_page, _content = ttcrawl.parse.page, ttcrawl.parse.content
_html, _page_text, _texts = ttcrawl.parse.html, ttcrawl.read.page, ttcrawl.read.texts
_compiled = ttcrawl.parse.compiled.CompiledReader
#: Stage -> the functions it consists of, by their owner. A stage inside another one is not part of it.
STAGES: dict[str, tuple[tuple[Any, str], ...]] = {
    "kind, charset": ((_content, "decode"), (_content, "mime_type"), (_content, "family"), (_html, "to_utf8")),
    # the core finds the lines too
    "links": ((_compiled, "read"), (_html, "extract"), (_html, "with_headers"), (_html, "directives")),
    "follow": ((Follower, "follow"),),
    "archive": ((Archive, "append"),),
    "flatten": ((_page_text, "flatten"),),
    "text": ((_page_text, "lines"), (_texts, "words"), (_texts, "one_line"), (_page_text, "packed")),
    "main text": ((_page_text, "mark_blocks"), (_texts, "main_text"), (_texts, "words_of")),
    "metadata": ((_page_text, "metadata"),),
    "language": ((_page_text, "detected"),),
    "fingerprint": (
        (_texts, "folded"),
        (_texts, "main_shingles"),
        (_page, "fingerprint"),
        (_html, "media_urls"),
    ),
}
ENCODE, REST = "encode", "rest"

#: µs per page, cold: what each stage took in the quietest of six rounds on two busy cores, and a tenth more.
BUDGET = {
    "kind, charset": 85,
    "links": 780,
    "follow": 270,
    "archive": 270,
    "flatten": 280,
    "text": 310,
    "main text": 250,
    "metadata": 90,
    "language": 160,
    "fingerprint": 480,
    ENCODE: 20,
    REST: 290,
}


#: The same where nothing is recorded but links; other stages do nothing.
LINKS_BUDGET = {"kind, charset": 50, "links": 420, "follow": 230, "archive": 200, ENCODE: 15, REST: 110}


@dataclass(slots=True)
class Stopwatch:
    """CPU time by stage; time inside an inner stage does not count for the outer one."""

    spent: dict[str, float] = field(default_factory=dict)
    inner: list[float] = field(default_factory=lambda: [0.0])

    def timed(self, stage: str, work: Callable[..., Any]) -> Callable[..., Any]:
        clock, spent, inner = time.thread_time, self.spent, self.inner
        spent.setdefault(stage, 0.0)

        def run(*arguments: Any, **options: Any) -> Any:
            inner.append(0.0)
            begun = clock()
            try:
                return work(*arguments, **options)
            finally:
                elapsed = clock() - begun
                spent[stage] += elapsed - inner.pop()
                inner[-1] += elapsed

        return run


def sample(count: int) -> list[tuple[str, bytes]]:
    """(URL, body) of at most `count` pages of at most LARGEST bytes, the same on every run, at equal distances in the
    order of their names."""
    paths = [(host, path) for host, root in SITES.items() for path in sorted(root.rglob("*.html"))]
    paths = [(host, path) for host, path in paths if path.is_file() and path.stat().st_size <= LARGEST]
    count = min(len(paths), count)
    chosen = [paths[index * len(paths) // count] for index in range(count)]
    return [(f"http://{host}/{path.relative_to(SITES[host])}", path.read_bytes()) for host, path in chosen]


def work(url: str, body: bytes) -> tuple[Request, Fetched, Head, bytes]:
    """The arguments of Reader.read."""
    headers = (("Content-Type", "text/html"), ("ETag", '"1"'), ("Last-Modified", "Sat, 21 Nov 2026 10:00:00 GMT"))
    head = Head(status=200, phrase="OK", version="HTTP/1.1", headers=headers, address="127.0.0.1")
    answer = Fetched(
        token=1,
        status=200,
        address=head.address,
        started=1.7e9,
        ended=1.7e9 + 1,
        head_size=0,
        body_size=len(body),
        refused=NONE,
        digest=xxhash.xxh3_128_digest(body),
    )
    return Request(token=1, kind=PAGE, url=url, depth=1, not_before=0.0), answer, head, body


def one_round(pages: Sequence[tuple[str, bytes]], config: Config, stages: bool) -> Iterator[dict[str, float]]:
    """Seconds by stage, and in total, of a reader that has read nothing, and of the same one again."""
    works, scope = [work(*page) for page in pages], compile_scope(config.scope, [f"http://{host}/" for host in SITES])
    with TemporaryDirectory() as directory:
        reader = Reader(config, scope, Path(directory), Position(series=0))
        for _ in ("cold", "warm"):
            watch = Stopwatch()
            with ExitStack() as patches:
                for stage, functions in STAGES.items() if stages else ():
                    for owner, name in functions:
                        timed = watch.timed(stage, getattr(owner, name))
                        patches.enter_context(mock.patch.object(owner, name, _bound(owner, timed)))
                pack = watch.timed(ENCODE, encode)
                begun = time.thread_time()
                for each in works:
                    pack(reader.read(*each))
                total = time.thread_time() - begun
            yield watch.spent | {REST: total - sum(watch.spent.values()), "total": total}
        reader.close()


def _bound(owner: Any, timed: Callable[..., Any]) -> Any:
    """What replaces a method gets its instance."""
    return (lambda self, *rest, **options: timed(self, *rest, **options)) if isinstance(owner, type) else timed


def measured(
    pages: Sequence[tuple[str, bytes]], config: Config, rounds: int, *, stages: bool = True
) -> list[dict[str, float]]:
    """µs per page by stage, cold and warm: medians."""
    all_rounds = [list(one_round(pages, config, stages)) for _ in range(rounds)]
    return [
        {name: statistics.median(each[index][name] for each in all_rounds) / len(pages) * 1e6 for name in first}
        for index, first in enumerate(all_rounds[0])
    ]


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--pages", type=int, default=600)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="settings")
    options = arguments.parse_args()
    pages = sample(options.pages)
    if not pages:
        print("no pages: install python3.11-doc, postgresql-doc-15 and sqlite3-doc", file=sys.stderr)
        return 2
    settings = dict(each.split("=", 1) for each in options.settings)
    rarely_collect()
    size = sum(len(body) for _, body in pages) / len(pages) / 1024
    print(f"{len(pages)} pages of {size:.0f} KB, µs per page")
    over = []
    for title, base, budget in (("as it comes", {}, BUDGET), ("links only", LINKS_ONLY, LINKS_BUDGET)):
        cold, warm = measured(pages, Config().changed(base | settings), options.rounds)
        over += table(title, cold, warm, budget)
    return 1 if over else 0


def table(title: str, cold: Mapping[str, float], warm: Mapping[str, float], budget: Mapping[str, int]) -> list[str]:
    """Print the stages, and return those that are more than their budget."""
    print(f"\n{title:16}{'cold':>8}{'warm':>8}{'budget':>8}")
    over = []
    for name, spent in sorted(cold.items(), key=lambda item: item[0] == "total"):
        allowed = sum(budget.values()) if name == "total" else budget.get(name, 0)
        if name in budget or name == "total":
            over += [name] if spent > allowed else []
            print(f"{name:16}{spent:8.0f}{warm[name]:8.0f}{allowed:8}{'  over' if spent > allowed else ''}")
    return over


if __name__ == "__main__":
    sys.exit(main())
