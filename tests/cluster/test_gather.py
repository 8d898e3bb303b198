"""One crawl of the directories of several rings: what a single crawl of the same web has."""

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from urllib.parse import urlsplit

import pytest

import ttcrawl
from tests.cluster.real_rings import BUCKETS, RealCluster, settings_for
from tests.support.cases import some_fast
from tests.support.crawls.crawling import crawl, query, verified
from tests.support.crawls.equal_tables import EVERYTHING, everything
from tests.support.web.object_storage import object_storage
from tests.support.web.site import Answer, Web, at, moved, page, robots
from ttcrawl.cli import main
from ttcrawl.cluster.members import founding
from ttcrawl.cluster.plan import Plan, read_plan, write_plan
from ttcrawl.cluster.route import table
from ttcrawl.engine.archive_moving import move_archive
from ttcrawl.errors import FAILED, USAGE
from ttcrawl.export import formats
from ttcrawl.store.lock import locked
from ttcrawl.store.sqlite import Store

OWNER = table(range(1, 4), buckets=BUCKETS).ring_of
NAMES = [f"www.site{number}.test" for number in range(60)]

#: Two hosts of each ring; the one after each is of another ring.
HOSTS = [[name for name in NAMES if OWNER(name) == ring][pick] for pick in range(2) for ring in (1, 2, 3)]

TEXT = "<p>" + " ".join(f"word{number} follows" for number in range(150))
LIKE_IT = TEXT.replace("word7 ", "another ")
PICTURE = Answer(headers=(("Content-Type", "image/png"),), body=b"\x89PNG\r\n\x1a\n" + bytes(40))


def pages():
    """Each host links to the next one, by a page that all hosts have, a redirect, and an image."""
    web = {}
    for number, name in enumerate(HOSTS):
        following = HOSTS[(number + 1) % len(HOSTS)]
        links = (
            at(following, "/"),
            at(following, "/same"),
            at(following, "/moved"),
            "/near",
            "/private",
            "/gone",
            "/x.png",
        )
        web[name, "/"] = Answer(body=page(*links, title=name, content=f"<p>The first page of {name}"))
        web[name, "/same"] = Answer(body=page(at(HOSTS[0], "/deep"), title="same", content=TEXT.replace("7", "8")))
        web[name, "/near"] = Answer(body=page(title="near", content=LIKE_IT if number % 2 else TEXT))
        web[name, "/moved"] = moved(at(HOSTS[(number + 2) % len(HOSTS)], "/target"))
        web[name, "/target"] = Answer(body=page("/", title=f"target of {name}"))
        web[name, "/x.png"] = PICTURE
        web[name, "/robots.txt"] = robots("User-agent: *", "Disallow: /private")
    web[HOSTS[0], "/deep"] = Answer(body=page(title="deep", content="<p>only here"))
    return web


@pytest.fixture(scope="module")
def crawls(tmp_path_factory):
    """(directory of a single crawl, directories of three rings, the gathered one)."""
    place = tmp_path_factory.mktemp("gather")
    with Web(pages()) as web:
        seed = web.url(HOSTS[0], "/")
        options = [f"--set={name}={value}" for name, value in settings_for(web).items()]
        one = crawl(web, seed, place / "one", "--inline", *options)
        assert one.status == 0, one.err
        cluster = RealCluster(place / "rings", web, [seed], rings=3)
        cluster.run()
    assert main(["cluster", "gather", *map(str, cluster.paths), "-o", str(place / "all")]) == 0
    return place / "one", cluster.paths, place / "all"


@pytest.mark.slow
def test_the_rings_share_the_work(crawls):
    _, rings, _ = crawls
    assert all(query(ring, "SELECT count(*) FROM page") > [(5,)] for ring in rings)
    assert all(query(ring, "SELECT count(*) FROM url WHERE reason = 'foreign'") > [(0,)] for ring in rings)


@pytest.mark.parametrize("table", EVERYTHING)
def test_every_table_is_that_of_a_single_crawl(crawls, table):
    one, _, gathered = crawls
    assert everything(gathered)[table] == everything(one)[table]


def test_verify_finds_nothing(crawls):
    assert verified(crawls[2]) == ""


def test_the_sums_are_those_of_a_single_crawl(crawls):
    one, _, gathered = crawls
    names = ("pages", "found", "queued", "aside", "in_scope", "bytes", "refused", "unrecorded")
    sums = [f"total_{name}" for name in names]
    both = [dict(query(each, "SELECT name, value FROM crawl")) for each in (one, gathered)]
    assert [both[1][name] for name in sums] == [both[0][name] for name in sums]
    assert both[1]["finished"] == "done" and both[1]["seeds"] == both[0]["seeds"]
    last = "SELECT pages, links, distinct_urls, queued, bytes, in_scope FROM growth ORDER BY pages DESC LIMIT 1"
    assert query(gathered, last) == query(one, last)
    assert len(query(gathered, "SELECT 1 FROM growth")) == len(query(one, "SELECT 1 FROM growth"))


def test_duplicates_are_those_of_all_rings(crawls):
    _, rings, gathered = crawls
    marked = [
        url for ring in rings for (url,) in query(ring, "SELECT u.url FROM duplicate d JOIN url u ON u.id = d.url")
    ]
    (count,) = query(gathered, "SELECT count(*) FROM duplicate")[0]
    assert 0 < len(marked) < count


def test_every_url_but_the_seed_was_discovered_on_a_page(crawls):
    _, rings, gathered = crawls
    rows = query(gathered, "SELECT u.url, f.url, f.id < u.id FROM url u LEFT JOIN url f ON f.id = u.found_on")
    with ttcrawl.open(gathered) as crawl:
        links = {(link.source, link.target) for link in crawl.iter_links()}
        seeds = crawl.summary().seeds
    assert {url for url, page, _ in rows if page is None} == set(seeds)
    assert all((page, url) in links and earlier for url, page, earlier in rows if page is not None)
    assert {url for ring in rings for (url,) in query(ring, "SELECT url FROM url")} == {url for url, *_ in rows}


def test_every_request_of_the_rings_is_there(crawls):
    _, rings, gathered = crawls
    visits = "SELECT host, url, visit.started, ended, bytes FROM visit JOIN site ON site.id = site"
    assert sorted(query(gathered, visits)) == sorted(row for ring in rings for row in query(ring, visits))
    moments = [moment for (moment,) in query(gathered, "SELECT ended FROM visit ORDER BY id")]
    assert moments == sorted(moments)


def test_every_page_has_its_bytes(crawls):
    one, rings, gathered = crawls
    with ttcrawl.open(one) as first, ttcrawl.open(gathered) as second:
        for row in first.iter_pages():
            assert second.body(row.url) == first.body(row.url)
    linked = [path for ring in rings for path in (ring / "warc").iterdir()]
    assert {path.stat().st_ino for path in (gathered / "warc").iterdir()} == {path.stat().st_ino for path in linked}


#: Formats of several files.
IN_FOLDERS = ("sitemap", "site-search")

READ = (
    *("status", "why --summary", "why SEED", "page SEED --links", "duplicates", "aliases", "diff", "verify"),
    *("report", "report --format json", "report --politeness", "report --seeds", "search word1", "graph"),
    *("search word1 --rank pagerank", "graph --map"),
    *("graph --export edges --out OUT", "plot --what growth --out OUT", "check --offline"),
    *(f"export --format {name} -o OUT" for name in formats.names() if name not in ("parquet", *IN_FOLDERS)),
    *("export --format parquet --table pages -o OUT", *(f"export --format {name} -o DIRECTORY" for name in IN_FOLDERS)),
)


@pytest.mark.parametrize("words", some_fast(READ, *(words for words in READ if not words.startswith("plot"))))
def test_every_command_that_reads_a_crawl_reads_it(crawls, words, tmp_path, capsys):
    one, _, gathered = crawls
    (name, *others), status = words.split(), []
    for number, directory in enumerate((one, gathered)):
        (tmp_path / f"directory-{number}").mkdir()
        names = {"OUT": tmp_path / f"out-{number}", "DIRECTORY": tmp_path / f"directory-{number}"}
        names |= {"SEED": query(directory, "SELECT url FROM url WHERE id = 1")[0][0]}
        status.append(main([name, str(directory), *(str(names.get(each, each)) for each in others)]))
    assert status[1] == status[0] and status[0] in (0, FAILED), capsys.readouterr().err


@pytest.fixture(scope="module")
def cluster(crawls):
    """The directory of the cluster that the rings are of."""
    _, rings, _ = crawls
    (seed,) = query(rings[0], "SELECT value FROM crawl WHERE name = 'seeds'")[0]
    members = founding(table(range(1, 4), buckets=BUCKETS))
    write_plan(rings[0].parent, Plan(members=members, seeds=(seed,), allowed=(), finished="done"))
    return rings[0].parent


def printed(words, directory, seed, out, capsys):
    """What a command prints and writes, without the names of directories."""
    for each in (directory, directory / "joined"):
        (each / "check.db").unlink(missing_ok=True)  # an earlier check, with which it would compare
    name, *others = words.split()
    (out / "several").mkdir(parents=True)
    names = {"OUT": out / "one", "DIRECTORY": out / "several", "SEED": seed}
    status = main([name, str(directory), *(str(names.get(each, each)) for each in others)])
    assert status in (0, FAILED), capsys.readouterr().err
    text = capsys.readouterr().out
    for path, word in ((directory / "joined", "CRAWL"), (directory, "CRAWL"), (out, "OUT")):
        text = text.replace(str(path), word) if isinstance(text, str) else text.replace(bytes(path), word.encode())
    return text, {path.name: path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


#: What has the moment of the command or the directory in it, or is for a crawl and each ring.
OTHERWISE = ("status", "verify", "wacz", "wat", "wet", "parquet", "cc-index", "sqlite", "plot")
#: Tables of text are as wide as the name of the directory.
WIDE = ("report --politeness", "report --seeds")
OF_CLUSTER = [
    f"{words} --format json" if words in WIDE else words
    for words in READ
    if not any(each in words for each in OTHERWISE)
]


@pytest.mark.parametrize("words", some_fast(OF_CLUSTER, OF_CLUSTER[6:]))
def test_commands_read_a_cluster_as_they_read_the_gathered_crawl(crawls, cluster, words, tmp_path, capsys):
    (seed,) = query(crawls[2], "SELECT url FROM url WHERE id = 1")[0]
    of_cluster = printed(words, cluster, seed, tmp_path / "cluster", capsys)
    assert of_cluster == printed(words, crawls[2], seed, tmp_path / "gathered", capsys)


def test_rings_are_joined_again_only_after_a_change(crawls, cluster, capsys):
    def joined():
        assert main(["why", str(cluster), "--summary"]) == 0
        return (cluster / "joined" / "crawl.db").stat().st_mtime_ns

    first = joined()
    assert joined() == first
    with closing(sqlite3.connect(crawls[1][0] / "crawl.db")) as db, db:
        db.execute("INSERT INTO crawl VALUES ('changed', 'by a test')")
    assert joined() != first
    assert not {path.name for path in cluster.iterdir()} - {"cluster.json", "joined", "ring-1", "ring-2", "ring-3"}


def test_a_ring_that_runs_is_read_as_of_its_last_commit(crawls, cluster, capsys):
    with locked(crawls[1][1]):
        assert main(["why", str(cluster), "--summary"]) == 0
    running = capsys.readouterr().out
    assert main(["why", str(cluster), "--summary"]) == 0
    assert capsys.readouterr().out == running


@pytest.mark.parametrize("words", ["resume", "requeue --reason *", "delete --url http://x.test/", "verify --repair"])
def test_the_joined_crawl_is_not_changed(crawls, cluster, words, capsys):
    main(["why", str(cluster), "--summary"])
    name, *others = words.split()
    assert main([name, str(cluster / "joined"), *others]) == USAGE
    assert "is made of the rings of a cluster" in capsys.readouterr().err


def test_a_cluster_is_opened_as_one_crawl(crawls, cluster):
    with ttcrawl.open(cluster) as whole, ttcrawl.open(crawls[2]) as gathered:
        assert [row.url for row in whole.iter_pages()] == [row.url for row in gathered.iter_pages()]
        assert all(whole.body(row.url) == gathered.body(row.url) for row in gathered.iter_pages())


def rows_of_parts(paths):
    """The rows of pages of JSON lines, without what each ring numbers, decides or places by itself."""
    rows = [json.loads(line) for path in paths for line in path.read_text().splitlines()]
    own = ("id", "found_on", "same", "similarity", "original", "payload", "file", "offset", "size")
    return sorted(({name: row[name] for name in row if name not in own} for row in rows), key=lambda row: row["url"])


@pytest.mark.parametrize("target", ["DIR", "file://DIR"])
def test_each_ring_exports_its_part(crawls, cluster, tmp_path, target, capsys):
    words = ["--format", "jsonl", "--table", "pages", "--table", "urls"]
    out = target.replace("DIR", str(tmp_path / "parts"))
    assert main(["cluster", "export", str(cluster), "-o", out, *words]) == 0, capsys.readouterr().err
    (tmp_path / "all").mkdir()
    assert main(["export", str(crawls[2]), "-o", str(tmp_path / "all"), *words]) == 0
    parts = tmp_path / "parts"
    assert sorted(path.name for path in (parts / "pages").iterdir()) == [f"ring-{n}.jsonl" for n in (1, 2, 3)]
    assert rows_of_parts((parts / "pages").iterdir()) == rows_of_parts([tmp_path / "all" / "pages.jsonl"])
    urls = {row["url"] for row in rows_of_parts((parts / "urls").iterdir())}
    assert urls == {row["url"] for row in rows_of_parts([tmp_path / "all" / "urls.jsonl"])}
    assert sorted(path.name for path in parts.iterdir()) == ["pages", "urls"]


@pytest.mark.slow
def test_parts_in_object_storage_are_one_table(crawls, cluster, monkeypatch, capsys):
    import pyarrow.dataset
    from pyarrow.fs import S3FileSystem

    with object_storage(monkeypatch) as address:
        words = ["--format", "parquet", "-o", "s3://bucket/crawls"]
        assert main(["cluster", "export", str(cluster), *words]) == 0, capsys.readouterr().err
        files = S3FileSystem(endpoint_override=address, scheme="http", region="us-east-1")
        table = pyarrow.dataset.dataset("bucket/crawls/pages", filesystem=files).to_table(columns=["url"])
    with ttcrawl.open(crawls[2]) as gathered:
        assert sorted(table["url"].to_pylist()) == sorted(row.url for row in gathered.iter_pages())


@pytest.mark.slow
def test_object_storage_that_does_not_answer_is_one_line(cluster, monkeypatch, capsys):
    with object_storage(monkeypatch):
        assert main(["cluster", "export", str(cluster), "-o", "s3://elsewhere/x"]) == FAILED
    assert "ring-1 cannot write its part to s3://elsewhere/x" in capsys.readouterr().err


def test_archives_that_were_moved_are_read_there(crawls, tmp_path):
    _, rings, gathered = crawls
    shutil.copytree(rings[0], moved_ring := tmp_path / "ring-1")
    with closing(Store(moved_ring / "crawl.db")) as store:
        move_archive(moved_ring, store, f"file://{tmp_path}/there", print)
    assert not list((moved_ring / "warc").iterdir())
    words = ["cluster", "gather", *map(str, (moved_ring, *rings[1:])), "-o", str(tmp_path / "all")]
    assert main(words) == 0
    with ttcrawl.open(tmp_path / "all") as whole, ttcrawl.open(gathered) as before:
        assert all(whole.body(row.url) == before.body(row.url) for row in before.iter_pages())
    assert verified(tmp_path / "all") == ""


def test_a_check_requests_once_whatever_has_changed(tmp_path, capsys):
    """What it has requested is kept beside the joined rings."""
    first, second, other = "www.site0.test", "www.site1.test", "www.other.test"
    assert OWNER(first) != OWNER(second)
    pages = {(first, "/"): Answer(body=page(at(other, "/x"))), (second, "/"): Answer(body=page(at(other, "/y")))}
    pages |= {(other, path): Answer(body=page(title=path)) for path in ("/x", "/y")}
    with Web(pages) as web:
        seeds = [web.url(name, "/") for name in (first, second)]
        rings = RealCluster(tmp_path / "c", web, seeds, rings=3, settings={"scope.scope": "host"})
        rings.run()
        members = founding(table(range(1, 4), buckets=BUCKETS))
        write_plan(tmp_path / "c", Plan(members=members, seeds=tuple(seeds), allowed=(), finished="done"))
        for _ in range(2):
            assert main(["check", str(tmp_path / "c"), "--only", "broken-link"]) == 0, capsys.readouterr().err
            with closing(sqlite3.connect(rings.paths[0] / "crawl.db")) as db, db:
                db.execute("INSERT OR IGNORE INTO crawl VALUES ('changed', 'by a test')")
        assert sorted(each.path for each in web.log() if each.host == other) == ["/robots.txt", "/x", "/y"]


def test_each_ring_is_verified(crawls, cluster, tmp_path, capsys):
    assert main(["verify", str(cluster)]) == 0
    assert capsys.readouterr().out.count("nothing is wrong") == 3
    shutil.copytree(cluster, damaged := tmp_path / "c")
    with closing(sqlite3.connect(damaged / "ring-2" / "crawl.db")) as db, db:
        db.execute("UPDATE crawl SET value = value + 1 WHERE name = 'total_pages'")
    assert main(["verify", str(damaged), "--format", "json"]) == FAILED
    rings = json.loads(capsys.readouterr().out)["rings"]
    assert [(each["ring"], len(each["problems"])) for each in rings] == [(1, 0), (2, 1), (3, 0)]
    assert main(["verify", str(damaged), "--repair"]) == FAILED
    assert f"ttcrawl cluster resume {damaged}" in capsys.readouterr().out
    assert main(["verify", str(damaged)]) == 0


def test_the_status_of_a_cluster_is_the_one_of_all_rings(cluster, capsys):
    assert main(["status", str(cluster)]) == 0
    status = capsys.readouterr().out
    assert main(["cluster", "status", str(cluster)]) == 0
    assert capsys.readouterr().out == status and "ring 3: done" in status


@pytest.fixture
def distant(cluster, tmp_path, monkeypatch):
    """The directory of the cluster on a machine without rings: what calls functions at them is in the place of Ray."""
    pytest.importorskip("ray")
    directory = tmp_path / "distant" / "c"
    directory.mkdir(parents=True)
    write_plan(directory, replace(read_plan(cluster), ray="127.0.0.1:6379"))

    def called(address, directories, function, argument):
        assert address == "127.0.0.1:6379"
        assert all(path == directory / path.name for path in directories.values())
        return [(ring, function(cluster / path.name, argument)) for ring, path in directories.items()]

    monkeypatch.setattr("ttcrawl.cluster.on_ray.called", called)
    yield directory
    assert {path.name for path in cluster.iterdir()} <= {"cluster.json", "joined", "ring-1", "ring-2", "ring-3"}


#: Tables, texts, bytes of pages, and whole WARC files.
DISTANT = ("report --format json", "search word1", "why SEED", "page SEED --links", "page SEED --body --at 2100-01-01")
DISTANT += ("check --offline", "graph --export edges --out OUT", "export --format cdxj -o OUT")


@pytest.mark.parametrize("words", some_fast(DISTANT, DISTANT[1:4]))
def test_commands_read_rings_on_other_machines(crawls, distant, words, tmp_path, capfdbinary):
    (seed,) = query(crawls[2], "SELECT url FROM url WHERE id = 1")[0]
    of_cluster = printed(words, distant, seed, tmp_path / "one", capfdbinary)
    assert of_cluster == printed(words, crawls[2], seed, tmp_path / "other", capfdbinary)


@pytest.mark.parametrize("which", ["body", "document"])
def test_the_bytes_of_a_page_are_read_where_it_is(crawls, distant, which, capfdbinary):
    """Without the tables of the others."""
    for (url,) in query(crawls[2], "SELECT url.url FROM url JOIN page ON page.url = url.id WHERE depth < 2 LIMIT 9"):
        assert main(["page", str(distant), url, f"--{which}"]) == 0
        data = capfdbinary.readouterr().out
        assert main(["page", str(crawls[2]), url, f"--{which}"]) == 0
        assert capfdbinary.readouterr().out == data
    assert not (distant / "joined").exists()


def test_tables_of_other_machines_are_copied_only_after_a_change(crawls, distant, capsys):
    def joined():
        assert main(["why", str(distant), "--summary"]) == 0
        return (distant / "joined" / "crawl.db").stat().st_mtime_ns

    first = joined()
    assert joined() == first
    with locked(crawls[1][1]):
        assert joined() != first
    assert {path.name for path in distant.iterdir()} == {"cluster.json", "joined"}


def test_a_ring_that_has_not_begun_elsewhere_is_named(distant, capsys, monkeypatch):
    def called(address, directories, function, argument):
        return [(ring, function(distant / "nowhere" / path.name, argument)) for ring, path in directories.items()]

    monkeypatch.setattr("ttcrawl.cluster.on_ray.called", called)
    assert main(["why", str(distant), "--summary"]) == USAGE
    assert "ring-1 has not begun: ttcrawl cluster resume" in capsys.readouterr().err


def test_a_list_of_directories_is_gathered_first(crawls):
    with pytest.raises(ttcrawl.UsageError, match="ttcrawl cluster gather"):
        ttcrawl.open(crawls[1])


def test_the_crawl_table_of_all_rings_is_that_of_one_crawl(crawls, tmp_path):
    """What the rounds of a distributed course crawler write: keys, answers, pages, and anchor texts across rings."""
    one, _, gathered = crawls
    tables = []
    for number, directory in enumerate((one, gathered)):
        output = tmp_path / f"{number}.jsonl"
        assert main(["export", str(directory), "--format", "crawl-table", "-o", str(output)]) == 0
        rows = [json.loads(line) for line in output.read_text().splitlines()]
        tables.append(sorted(rows, key=lambda row: row["url"]))
    assert tables[0] == tables[1] and len(tables[0]) >= 5 * len(HOSTS)
    sources = {name.removeprefix("anchors:") for row in tables[1] for name in row if name.startswith("anchors:")}
    assert len({OWNER(urlsplit(url).hostname) for url in sources}) == 3
