"""One round: a crawl of what a directory of answers holds, then everything that reads a crawl. Findings as JSON lines.

    python -m tests.fuzz.soak.play DIR [--options SEED] [--dear] [--ring]

DIR holds the answers (`responses.web` names them); the crawl is made in DIR/crawl, which is made anew.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import random
import shutil
import sqlite3
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from click.testing import CliRunner
from fastwarc.cli import main as fastwarc
from warcio.archiveiterator import ArchiveIterator

import ttcrawl
from tests.fuzz.soak.server import HOST, OTHERS, serving
from ttcrawl.cli import main
from ttcrawl.vocabulary.kind import KINDS
from ttcrawl.vocabulary.reason import sentence

#: Of every crawl: no waits, and nothing that would end it before it has seen everything.
ALWAYS = (
    *(
        "politeness.delay=0",
        "politeness.address_delay=0",
        "politeness.backoff=0.01",
        "politeness.give_up=1",
        "fetch.retries=0",
    ),
    *("fetch.read_timeout=3", "fetch.connect_timeout=3", "fetch.total_timeout=10", "politeness.robots_patience=0"),
    *(
        "documents.max_time=10",
        "crawl.max_depth=2",
        "crawl.max_pages=600",
        "scope.scope=list",
        "scope.domains=a.test r0.test r1.test r2.test",
    ),
)
EVERY_KIND = f"links.kinds={' '.join(kind.name for kind in KINDS)}\nlinks.recorded="
#: Each with some chance.
SOMETIMES = (
    *(
        "links.parser=html5lib",
        "links.parser=regex",
        EVERY_KIND,
        "links.follow=all",
        "links.nofollow=no",
    ),
    *(
        "links.content_start=<main>\nlinks.content_end=</main>",
        "record.sniff=no",
        "record.main=no",
        "record.text=no",
        "record.max_text=2000",
        "record.language=no",
    ),
    *(
        "fetch.cookies=kept",
        "fetch.cookies=host",
        "fetch.head_first=yes",
        "fetch.max_body=20000",
        "fetch.max_decoded=50000",
    ),
    *(
        "sitemaps.use=no",
        "sitemaps.feeds=no",
        "files.save=yes",
        "documents.convert=no",
        "documents.links=no",
        "duplicates.repeated=refuse",
    ),
    *(
        "duplicates.follow=no",
        "duplicates.min_words=2",
        "duplicates.soft_404=3",
        "duplicates.near=no",
        "politeness.robots=1996",
    ),
    *(
        "traps.same_content=3",
        "url.sort_query=yes",
        "url.fold_case=yes",
        "store.commit_pages=1",
        "frontier.priority=number",
    ),
    *("crawl.threads=4", "fetch.types=text/html", "links.anchors=no", "links.landmarks=no", "scope.extensions="),
)

#: Of terminals.
ENCODINGS = ("utf-8", "ascii", "iso-8859-1")

#: A state of a URL that says that something of ours went wrong, by the begin of its reason.
OURS = ("parse: ", "store: ", "parse process", "fetch process")


class Round:
    def __init__(self, directory: Path) -> None:
        self.crawl = directory / "crawl"
        self.found: list[dict[str, str]] = []
        self.ran = 0

    def finding(self, kind: str, detail: object) -> None:
        self.found.append({"kind": kind, "detail": str(detail)[-4000:]})

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Whatever is raised in here is a finding."""
        self.ran += 1
        try:
            yield
        except (Exception, SystemExit) as error:
            self.finding(f"{name}: {_where(error)}", "".join(traceback.format_exception(error)))

    def command(self, *arguments: object, statuses: tuple[int, ...] = (0,)) -> str:
        """Run a command in this process: it ends as it should and says so in lines, not in a traceback."""
        said = io.TextIOWrapper(io.BytesIO(), encoding=ENCODINGS[self.ran % len(ENCODINGS)])  # strict, as a terminal is
        with self.step(f"ttcrawl {arguments[0]}"), contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                status = main([str(each) for each in arguments])
            said.flush()
            text = said.buffer.getvalue().decode("utf-8", "replace")  # type: ignore[attr-defined]  # a body is bytes
            if status not in statuses or "Traceback" in text:
                self.finding(f"ttcrawl {arguments[0]}: status {status}", text)
            for each in warned:
                if issubclass(each.category, RuntimeWarning):
                    self.finding(
                        f"ttcrawl {arguments[0]}: {each.category.__name__} in {Path(each.filename).name}", each.message
                    )
            return text
        return ""


def _where(error: BaseException) -> str:
    """The error and the innermost line of ours."""
    frames = [each for each in traceback.extract_tb(error.__traceback__) if "/ttcrawl/" in each.filename]
    place = f" in {Path(frames[-1].filename).name}: {frames[-1].name}" if frames else ""
    return f"{type(error).__name__}{place}"


def crawled(this: Round, answers: dict[str, bytes], options: random.Random, *, ring: bool) -> None:
    chosen = [*ALWAYS, *options.sample(SOMETIMES, options.randint(0, 8))]
    keys = [part for each in chosen for key in each.split("\n") for part in ("--set", key)]
    with serving(answers) as port:
        hosts = [part for host in (HOST, *OTHERS) for part in ("--resolve", f"{host}:{port}:127.0.0.1")]
        mode = ("--fetchers", "1", "--parsers", "2") if ring else ("--inline",)
        seeds = [f"http://{host}:{port}/" for host in (HOST, *OTHERS)]
        end = (*hosts, *mode, "--no-obey-delay", "--progress", "none", *keys)
        said = this.command("crawl", *seeds, "-d", this.crawl, *end, statuses=(0, 3))
        for telling in ("cannot be kept", "it was replaced"):
            if telling in said:
                this.finding(f"crawl: {telling}", said)
        if options.random() < 0.3:
            this.command(
                "resume",
                this.crawl,
                *([] if ring else ["--inline"]),
                "--progress",
                "none",
                "--max-pages",
                "0",
                statuses=(0, 3),
            )


def check(this: Round) -> None:
    """Every URL has one state and one reason, and the directory is what verify and others take it for."""
    with this.step("tables"), contextlib.closing(sqlite3.connect(this.crawl / "crawl.db")) as db:
        (finished,) = db.execute("SELECT value FROM crawl WHERE name = 'finished'").fetchone()
        for url, state, reason in db.execute("SELECT url, state, reason FROM url"):
            if reason.startswith(OURS):
                this.finding(f"state: {reason}", url)
            if not sentence(state, reason) or (state == "queued" and finished == "done"):
                this.finding(f"state: {state} without a reason that why knows", f"{url}: {reason}")
    text = this.command("verify", this.crawl, statuses=(0, 1))
    for line in text.splitlines()[:-1]:
        this.finding(f"verify: {line.partition(': ')[0]}: {line.split(': ')[1]}", line)
    for path in sorted((this.crawl / "warc").glob("*.warc.gz")):
        with this.step("warcio"), open(path, "rb") as file:
            for record in ArchiveIterator(file, check_digests=True):
                record.raw_stream.read()  # as it is archived: warcio's own check stumbles over Brotli
                if record.digest_checker.passed is False:
                    this.finding("warcio: a digest is wrong", f"{path.name}: {record.digest_checker.problems}")
        with this.step("fastwarc"):
            checked = CliRunner().invoke(fastwarc, ["check", str(path)])
            if checked.exit_code:
                this.finding("fastwarc: a digest is wrong", f"{path.name}: {checked.output}")


def asked(this: Round, options: random.Random, *, dear: bool) -> None:
    """Every command that reads, in some form; the dear ones now and then."""
    place = this.crawl
    with contextlib.closing(sqlite3.connect(place / "crawl.db")) as db:
        urls = [url for (url,) in db.execute("SELECT url FROM url")]
        pages = [
            url
            for (url,) in db.execute("SELECT url.url FROM page JOIN url ON url.id = page.url WHERE state = 'fetched'")
        ]
    forms = options.choice(("text", "json"))
    several = options.sample(urls, min(len(urls), 40))
    this.command("status", place, "--format", forms)
    this.command("why", place, *several, "--format", forms)
    this.command("why", place, "--summary", "--format", forms)
    this.command("why", place, "--as-if", "scope.max_url=50", "--format", forms)
    for more in ((), ("--links",), ("--text",), ("--main",), ("--body",)):
        for url in options.sample(pages, min(len(pages), 10)):
            if not more or (url.isascii() and options.random() < 0.5):
                this.command("page", place, url, "--format", forms, *more, statuses=(0, 1, 2))
    this.command("duplicates", place, "--format", forms)
    this.command("aliases", place, "--format", forms)
    this.command("graph", place, "--format", options.choice(("text", "markdown", "json")), "--out", place / "graph")
    for export in ("gexf", "graphml", "edges", "parquet"):
        this.command("graph", place, "--export", export, "--all", "--out", place / "graph")
    frames(this)
    if dear:
        for form in ("text", "markdown", "html", "json"):
            this.command("report", place, "--format", form)
        this.command("report", place, "--politeness")
        this.command("duplicates", place, "--tune", "--sample", "20", "--format", forms, statuses=(0, 1, 2))
        this.command("plot", place, "--out", place / "plots")
        this.command("graph", place, "--picture", "drl", "--out", place / "graph", statuses=(0, 2))
        exports(this, place)


def exports(this: Round, place: Path) -> None:
    """Other people's readers take what was exported."""
    from xml.etree import ElementTree

    with this.step("exports"):
        for path in (place / "graph").glob("*.g*"):
            if path.suffix in (".gexf", ".graphml"):
                ElementTree.parse(path)


def frames(this: Round) -> None:
    """What notebooks read."""
    with this.step("open"), ttcrawl.open(this.crawl) as crawl:
        for name in (
            "pages",
            "urls",
            "links",
            "sites",
            "growth",
            "visits",
            "images",
            "documents",
            "metadata",
            "duplicates",
        ):
            with this.step(f"frame {name}"):
                frame = getattr(crawl, name)()
                frame.to_csv(index=False).encode()
                repr(frame)
        reads: tuple[Callable[[], object], ...] = (crawl.summary, crawl.unsettled, lambda: list(crawl.groups()))
        for read in reads:
            with this.step("library"):
                read()


def play(directory: Path, seed: int, *, dear: bool, ring: bool) -> Round:
    """The crawl is not removed."""
    answers = {path.name: path.read_bytes() for path in sorted(directory.glob("*.http"))}
    options = random.Random(seed)
    this = Round(directory)
    shutil.rmtree(this.crawl, ignore_errors=True)
    crawled(this, answers, options, ring=ring)
    if (this.crawl / "crawl.db").exists():
        check(this)
        asked(this, options, dear=dear)
    return this


def _main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.soak.play")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--options", type=int, default=0, metavar="SEED", help="which options the crawl has")
    parser.add_argument("--dear", action="store_true", help="the commands too that take seconds")
    parser.add_argument("--ring", action="store_true", help="with processes, not in one")
    given = parser.parse_args()
    this = play(given.directory, given.options, dear=given.dear, ring=given.ring)
    for each in this.found:
        print(json.dumps(each))
    print(json.dumps({"ran": this.ran, **_counts(this.crawl)}))
    sys.stdout.flush()


def _counts(place: Path) -> dict[str, int]:
    try:
        with contextlib.closing(sqlite3.connect(f"file:{place}/crawl.db?mode=ro", uri=True)) as db:
            return dict(db.execute("SELECT state, count(*) FROM url GROUP BY state"))
    except sqlite3.Error:
        return {}


if __name__ == "__main__":
    _main()
