"""The commands that write: on what they run, how they are run again, and what they leave behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.export.postgresql.copies import differences as copied
from tests.export.postgresql.copies import tables as copied_tables
from tests.soak.kills.ground import Ground, Words
from tests.soak.kills.state import State, crawl_state, file_state, sizes
from tests.soak.kills.web import ALIAS, TERMS, changed
from tests.support.crawls.postgresql import Postgresql
from tests.support.crawls.preforked import run
from ttcrawl.export import formats

#: Words that most pages have, and few.
QUERIES = ("sundew OR council", "page OR sorry", '"pitcher plant"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A command and its directory: `prepare` makes it, `words` is the command, also to run it again.

    `written` is a value that changes with what it writes.
    """

    name: str
    prepare: Callable[[Path], None]
    words: Callable[[Path], Words]
    state: Callable[[Path], State]
    done: tuple[int, ...] = (0,)  # exit statuses of an end
    kills: int = 4  # runs that are killed, at most
    span: float = 1.0  # of the time that it takes, within which it is killed
    whole: bool = False  # its files are complete whenever they are there
    written: Callable[[Path], object] = sizes


def _crawl(path: Path) -> Path:
    return path / "c"


def kinds(ground: Ground) -> list[Kind]:
    """All of them; those of one group have names with the same first word."""
    return [
        *(_crawl_kind(ground), _recrawl(ground), *_on_a_copy(ground), _repair(ground)),
        *(_search(ground), _cluster(ground), _gather(ground)),
        *([_mirror(ground, ground.server)] if ground.server else []),
        *_files(ground),
    ]


def _crawl_kind(ground: Ground) -> Kind:
    def words(path: Path) -> Words:
        begun = (_crawl(path) / "crawl.db").exists()
        return ["resume", _crawl(path), "--progress", "none"] if begun else ground.crawl(_crawl(path))

    return Kind(
        name="crawl",
        prepare=lambda path: path.mkdir(),
        words=words,
        state=lambda path: crawl_state(_crawl(path)),
        kills=10,
        span=0.4,
    )


def _recrawl(ground: Ground) -> Kind:
    """All pages are due, and some have changed."""
    pages = ground.web.pages

    def prepare(path: Path) -> None:
        ground.web.change(pages)
        ground.copy("plain")(path)
        ended = run("requeue", _crawl(path), "--visits")
        assert ended.returncode == 0, ended.stderr
        ground.web.change(changed(pages))

    def state(path: Path) -> State:
        ground.web.change(pages)
        return crawl_state(_crawl(path))

    keys = ("revisit.policy=fixed", "revisit.interval=100000", "revisit.longest=200000")
    options = [word for key in keys for word in ("--set", key)]
    return Kind(
        name="recrawl",
        prepare=prepare,
        words=lambda path: ["recrawl", _crawl(path), "--once", "--progress", "none", *options],
        state=state,
        kills=6,
        span=0.6,
    )


def _on_a_copy(ground: Ground) -> list[Kind]:
    """Commands that change a crawl that has stopped."""
    terms = ground.directory / "terms.txt"
    terms.write_text(TERMS)
    plain, later = ground.copy("plain"), ground.copy("later", "--reading", "later")
    part = ground.copy("part", "--max-pages", "100")
    aliases = ground.copy("aliases", ground.web.url(ALIAS, "/"), "--max-pages", "130")
    recorded = ground.copy("recorded", "--set", "links.new=record")
    selected = ("--path", "/s1/*", "--path", "/s2/*")
    failed = [word for reason in ("http *", "disconnected", "robots.txt") for word in ("--reason", reason)]
    about = [
        ("read", later, ("read",), ()),
        ("delete", plain, ("delete",), (*selected, "--yes")),
        ("delete --purge", plain, ("delete",), (*selected, "--purge", "--yes")),
        ("requeue", plain, ("requeue",), tuple(failed)),
        ("aliases --merge", aliases, ("aliases",), ("--merge",)),
        ("why --apply", part, ("why",), ("--as-if", "exclude=path:/s4/", "--apply")),
        ("recycle", recorded, ("requeue", "--recorded"), ()),
        ("topic score", plain, ("topic", "score"), ("--terms", terms, "--save")),
    ]
    return [_changing(*each) for each in about]


def _changing(name: str, prepare: Callable[[Path], None], before: tuple[str, ...], after: tuple[object, ...]) -> Kind:
    return Kind(
        name=name,
        prepare=prepare,
        words=lambda path: [*before, _crawl(path), *after],
        state=lambda path: crawl_state(_crawl(path)),
    )


def _repair(ground: Ground) -> Kind:
    """A WARC file is damaged in its middle and cut."""

    def prepare(path: Path) -> None:
        ground.copy("plain")(path)
        file = sorted((_crawl(path) / "warc").iterdir())[1]
        data = bytearray(file.read_bytes())
        data[len(data) // 3 : len(data) // 3 + 40] = bytes(40)
        file.write_bytes(data[:-500])

    def state(path: Path) -> State:
        for file in (_crawl(path) / "warc").glob("*.unknown"):
            file.unlink()  # the damaged file, and what a killed repair has begun, are kept for their owner
        return crawl_state(_crawl(path), sound=False)

    return Kind(
        name="verify --repair",
        prepare=prepare,
        words=lambda path: ["verify", _crawl(path), "--repair"],
        state=state,
        done=(0, 1),
    )


def _search(ground: Ground) -> Kind:
    """The index is made by the first query."""

    def state(path: Path) -> State:
        answers = [run("search", _crawl(path), each, "--format", "json", "--limit", "50").stdout for each in QUERIES]
        return crawl_state(_crawl(path)) | {"answers": Counter(zip(QUERIES, answers, strict=True))}

    return Kind(
        name="search",
        prepare=ground.copy("plain"),
        words=lambda path: ["search", _crawl(path), QUERIES[0], "--format", "json"],
        state=state,
    )


def _cluster(ground: Ground) -> Kind:
    def words(path: Path) -> Words:
        if (_crawl(path) / "cluster.json").exists():
            return ["cluster", "resume", _crawl(path), "--progress", "none"]
        return ["cluster", *ground.crawl(_crawl(path), "--rings", 2)]

    def state(path: Path) -> State:
        ended = run("cluster", "gather", _crawl(path), "-o", path / "all")
        assert ended.returncode == 0, ended.stderr
        return crawl_state(path / "all")

    return Kind(name="cluster crawl", prepare=lambda path: path.mkdir(), words=words, state=state, kills=7, span=0.5)


def _gather(ground: Ground) -> Kind:
    def words(path: Path) -> Words:
        rings = ground.base("rings", "--rings", 2, before=("cluster",))
        # it gets its name when it is complete
        return ["verify", path / "all"] if (path / "all").exists() else ["cluster", "gather", rings, "-o", path / "all"]

    return Kind(
        name="cluster gather",
        prepare=lambda path: path.mkdir(),
        words=words,
        state=lambda path: crawl_state(path / "all"),
    )


def _mirror(ground: Ground, server: Postgresql) -> Kind:
    def prepare(path: Path) -> None:
        server.clear()
        ground.copy("plain")(path)

    def state(path: Path) -> State:
        rows = [(each, count) for each in copied_tables(_crawl(path)) for (count,) in server.query(COUNT.format(each))]
        return {"PostgreSQL": Counter(copied(server, _crawl(path))), "rows": Counter(rows)}

    return Kind(
        name="mirror",
        prepare=prepare,
        words=lambda path: ["mirror", _crawl(path), server.url],
        state=state,
        written=lambda path: server.query(TABLES),
    )


TABLES = "SELECT count(*) FROM pg_tables WHERE schemaname = 'ttcrawl'"
COUNT = 'SELECT count(*) FROM ttcrawl."{}"'


def _files(ground: Ground) -> list[Kind]:
    """Commands that write a file or a directory, their last word, from a crawl that stays as it is."""
    files = [form for form in formats.names() if form != "site-search"]
    graph = [word for form in ("gexf", "graphml", "edges") for word in ("--export", form)]
    labels: Words = []
    urls = [ground.web.url(*key) for key, answer in sorted(ground.web.pages.items()) if answer.conditional]
    for number, name in enumerate(("relevant", "irrelevant")):
        file = ground.directory / name
        file.write_text("\n".join(urls[number:80:2]))
        labels += [f"--{name}", file]
    return [
        *(_written(ground, f"export {form}", ("export",), ("--format", form, "-o")) for form in files),
        _site_search(ground),
        _written(ground, "graph", ("graph",), (*graph, "--out")),
        _written(ground, "plot", ("plot",), ("--what", "growth", "--out")),
        _written(ground, "topic train", ("topic", "train"), (*labels, "-o")),
    ]


def _written(ground: Ground, name: str, before: tuple[object, ...], after: tuple[object, ...]) -> Kind:
    def prepare(path: Path) -> None:
        """A sitemap is of one host: a directory gets several."""
        (path / "out" if name == "export sitemap" else path).mkdir(parents=True)

    return Kind(
        name=name,
        prepare=prepare,
        words=lambda path: [*before, ground.base("plain"), *after, path / "out"],
        state=lambda path: file_state(path / "out"),
        whole=True,
    )


def _site_search(ground: Ground) -> Kind:
    """It makes the index of the crawl too, and replaces no directory."""

    def prepare(path: Path) -> None:
        ground.copy("plain")(path)
        (path / "out").mkdir()

    def words(path: Path) -> Words:
        if (path / "out" / "search").exists():
            return ["status", _crawl(path)]  # it is complete
        return ["export", _crawl(path), "--format", "site-search", "-o", path / "out"]

    return Kind(
        name="export site-search",
        prepare=prepare,
        words=words,
        state=lambda path: file_state(path / "out" / "search"),
        whole=True,
    )
