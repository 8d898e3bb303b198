"""Archives become a crawl that all commands read."""

import sqlite3
from contextlib import closing

import pytest

from tests.archives.writing import HOST, STATES, Warc, import_, page, three_pages
from tests.support.crawls.crawling import crawl, query, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web
from tests.support.web.site import page as site_page
from ttcrawl.cli import main


def states(directory):
    rows = query(directory, "SELECT url, state, reason FROM url")
    return {url: (state, reason) for url, state, reason in rows if url != f"{HOST}/sitemap.xml"}


def test_a_warc_file_becomes_a_crawl(tmp_path, capsys):
    path, crawl_directory = three_pages(tmp_path / "a.warc.gz").write(), tmp_path / "c"
    import_(crawl_directory, path)
    assert states(crawl_directory) == STATES
    depths = dict(query(crawl_directory, "SELECT url, depth FROM url WHERE depth IS NOT NULL"))
    assert depths[f"{HOST}/"] == 0 and depths[f"{HOST}/two"] == depths[f"{HOST}/missing"] == 1
    assert query(crawl_directory, "SELECT text, datetime(time, 'unixepoch') FROM robots") == [
        ("User-agent: *\nDisallow: /private\n", "2020-01-02 00:01:00")
    ]
    assert query(crawl_directory, "SELECT count(*) FROM visit") == [(5,)]
    assert "a crawler/1.0" in query(crawl_directory, "SELECT information FROM imported")[0][0]
    assert verified(crawl_directory) == ""
    main(["why", str(crawl_directory), f"{HOST}/two"])
    assert str(path) in capsys.readouterr().out


def test_a_second_import_adds_and_knows_the_records_again(tmp_path):
    first = three_pages(tmp_path / "a.warc.gz").write()
    second = Warc(tmp_path / "b.warc.gz")
    second.add(f"{HOST}/missing", page("/more", title="Three"), date="2020-01-03T00:00:00Z")
    directory = tmp_path / "c"
    import_(directory, first)
    before = query(directory, "SELECT url, time, digest FROM page")
    assert "5  records that were known" in import_(directory, first)
    (tmp_path / "copy.warc.gz").write_bytes(first.read_bytes())
    assert "5  records that were known" in import_(directory, tmp_path / "copy.warc.gz")
    assert query(directory, "SELECT url, time, digest FROM page") == before
    import_(directory, second.write())
    assert states(directory)[f"{HOST}/missing"] == ("fetched", "http 200")
    assert states(directory)[f"{HOST}/more"] == ("refused", "not in archive")
    assert verified(directory) == ""


@pytest.mark.parametrize("option", ["--copy", "--link"])
def test_files_of_the_crawl_itself_are_left_out(tmp_path, option):
    path, directory = three_pages(tmp_path / "a.warc.gz").write(), tmp_path / "c"
    import_(directory, path, option)
    before = query(directory, "SELECT * FROM imported")
    own = run("import", directory / "warc", "-d", directory)
    assert own.returncode == 2 and "is a part of" in own.stderr and "name archives that are elsewhere" in own.stderr
    assert "5  records that were known" in import_(directory, tmp_path)
    assert query(directory, "SELECT * FROM imported") == before and verified(directory) == ""


@pytest.mark.parametrize("form", ["wacz", "cdxj"])
@pytest.mark.parametrize("option", [[], ["--copy"]], ids=["elsewhere", "copied"])
def test_what_was_imported_is_exported_as_an_archive(tmp_path, option, form):
    pytest.importorskip("cdxj_indexer")
    directory, out = tmp_path / "c", tmp_path / f"all.{form}"
    import_(directory, three_pages(tmp_path / "a.warc.gz").write(), *option)
    assert run("export", directory, "--format", form, "-o", out).returncode == 0
    if form == "wacz":
        import_(tmp_path / "again", out)
        assert states(tmp_path / "again") == STATES
    else:
        assert f'"url": "{HOST}/two"' in out.read_text()


@pytest.mark.parametrize("option", ["--copy", "--link"])
def test_the_bytes_may_be_in_the_directory(tmp_path, option):
    path, directory = three_pages(tmp_path / "a.warc.gz").write(), tmp_path / "c"
    import_(directory, path, option)
    path.unlink()
    assert verified(directory) == ""


def test_an_original_that_is_gone_is_said(tmp_path):
    path, directory = three_pages(tmp_path / "a.warc.gz").write(), tmp_path / "c"
    import_(directory, path)
    path.unlink()
    assert "an imported file is missing" in verified(directory)


def test_answers_by_time_and_revisit_records(tmp_path):
    """A page that changes has an earlier answer; a repeated one has none; a revisit has the body of another file."""
    first, second = Warc(tmp_path / "1.warc.gz"), Warc(tmp_path / "2.warc.gz")
    first.add(f"{HOST}/", page("/a", title="Old"))
    date = first.add(f"{HOST}/same", page("/b", title="Same"))
    second.add(f"{HOST}/", page("/c", title="New"), date="2020-02-01T00:00:00Z")
    second.add(f"{HOST}/same", page("/b", title="Same"), date="2020-02-02T00:00:00Z")
    refers = {
        "WARC-Refers-To-Target-URI": f"{HOST}/same",
        "WARC-Refers-To-Date": date,
        "WARC-Profile": "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest",
    }
    second.add(f"{HOST}/again", kind="revisit", more=refers, date="2020-02-03T00:00:00Z")
    lost = refers | {"WARC-Refers-To-Target-URI": f"{HOST}/nowhere"}
    second.add(f"{HOST}/lost", kind="revisit", more=lost, date="2020-02-04T00:00:00Z")
    directory = tmp_path / "c"
    said = import_(directory, first.write(), second.write())
    assert "1  answers that repeat the one before" in said
    assert "1  a revisit record without the record it repeats" in said
    titles = "SELECT url.url, title FROM {} AS page JOIN url ON url.id = page.url ORDER BY 1"
    assert query(directory, titles.format("earlier_page")) == [(f"{HOST}/", "Old")]
    latest = [(f"{HOST}/", "New"), (f"{HOST}/again", "Same"), (f"{HOST}/same", "Same")]
    assert query(directory, titles.format("page")) == latest
    assert verified(directory) == ""


def test_resume_requests_what_is_missing(tmp_path):
    pages = {
        ("a.test", "/"): Answer(body=site_page("/two", "/missing")),
        ("a.test", "/two"): Answer(body=site_page()),
        ("a.test", "/missing"): Answer(body=site_page("/next")),
        ("a.test", "/next"): Answer(body=site_page("/")),
    }
    with Web(pages) as web:
        warc = Warc(tmp_path / "a.warc.gz")
        warc.add(web.url("a.test", "/"), page("/two", "/missing", "http://other.test/"))
        warc.add(web.url("a.test", "/two"), page("/"))
        directory = tmp_path / "c"
        import_(directory, warc.write(), *(part for each in web.resolve for part in ("--set", f"fetch.resolve={each}")))
        resolve = [part for entry in web.resolve for part in ("--resolve", entry)]
        run("resume", directory, *resolve, "--no-obey-delay", "--inline", cwd=tmp_path, timeout=120)
        after = {url: state for url, (state, _) in states(directory).items()}
        assert after[web.url("a.test", "/missing")] == after[web.url("a.test", "/next")] == "fetched"
        assert states(directory)["http://other.test/"] == ("refused", "scope: host")
        requested = {each.path for each in web.log()}
    assert requested.isdisjoint({"/", "/two"})
    assert verified(directory) == ""


@pytest.mark.parametrize("written", ["<http://a.test/>", "http://A.test", "http://a.test:80/#top"])
def test_urls_are_written_in_several_ways(tmp_path, written, capsys):
    """wget writes angle brackets, as the grammar of WARC 1.0 does."""
    warc = Warc(tmp_path / "a.warc.gz")
    warc.add(written, page(title="One"))
    import_(tmp_path / "c", warc.write())
    assert states(tmp_path / "c") == {f"{HOST}/": ("fetched", "http 200")}
    assert verified(tmp_path / "c") == ""
    assert main(["page", str(tmp_path / "c"), f"{HOST}/", "--body"]) == 0
    assert "<title>One</title>" in capsys.readouterr().out


def test_what_a_page_shows_is_no_page(tmp_path):
    """The link to an image is not followed; an archive that has the image tells that its program followed it."""
    warc = Warc(tmp_path / "a.warc.gz")
    warc.add(f"{HOST}/", b"<title>One</title><img src=/i.png><a href=/two>two</a>")
    warc.add(f"{HOST}/i.png", b"\x89PNG\r\n\x1a\n", headers=(("Content-Type", "image/png"),))
    import_(tmp_path / "c", warc.write())
    rows = query(tmp_path / "c", "SELECT url, state, depth, requisite FROM url WHERE state = 'fetched' ORDER BY 1")
    assert rows == [(f"{HOST}/", "fetched", 0, 0), (f"{HOST}/i.png", "fetched", None, 1)]
    assert verified(tmp_path / "c") == ""


@pytest.mark.parametrize("words", [["read"], ["aliases", "--merge"]], ids=" ".join)
def test_an_archive_without_pages_has_no_seeds(tmp_path, words):
    """Commands that compile the scope of the crawl again compile one without seeds."""
    warc = Warc(tmp_path / "a.warc.gz")
    warc.add(f"{HOST}/i.png", b"\x89PNG\r\n\x1a\n", headers=(("Content-Type", "image/png"),))
    import_(tmp_path / "c", warc.write())
    assert query(tmp_path / "c", "SELECT value FROM crawl WHERE name = 'seeds'") == [("",)]
    done = run(words[0], tmp_path / "c", *words[1:])
    assert (done.returncode, done.stderr) == (0, "")


def test_seeds_that_a_killed_import_has_not_stored_are_found_again(tmp_path):
    """They are stored when there are a quarter more of them: their records are known already."""
    warc = Warc(tmp_path / "a.warc.gz")
    for number in range(20):
        warc.add(f"{HOST}/{number}", page("/0", f"/linked/{number}", title=f"Page {number}"))
    warc.add(f"{HOST}/linked/3", page(title="no seed"))
    import_(tmp_path / "c", warc.write())
    seeds = "SELECT value FROM crawl WHERE name = 'seeds'"
    ((stored,),) = query(tmp_path / "c", seeds)
    assert stored.split("\n") == [f"{HOST}/{number}" for number in range(20)]
    with closing(sqlite3.connect(tmp_path / "c" / "crawl.db")) as db, db:
        db.execute("UPDATE crawl SET value = ? WHERE name = 'seeds'", ("\n".join(stored.split("\n")[:16]),))
    import_(tmp_path / "c", warc.path)
    assert query(tmp_path / "c", seeds) == [(stored,)]


COLUMNS = {
    "page": "status, type, charset, length, title, digest, location, parser, links, content_links, recorded_links",
    "text": "size, text, main_size, main",
    "metadata": "description, language, confidence, headings, words, main_words",
    "outlinks": "targets, kinds, regions, landmarks, anchors",
}


def test_a_crawl_and_the_import_of_its_archive_are_alike(tmp_path):
    names = [f"/{number}" for number in range(12)]
    pages = {
        ("a.test", name): Answer(body=page(*names[number:], "/gone", title=name)) for number, name in enumerate(names)
    }
    pages["a.test", "/"] = Answer(body=page(*names, "/gone"))
    pages["a.test", "/0"] = pages["a.test", "/1"]
    with Web(pages) as web:
        crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline")
    import_(tmp_path / "i", tmp_path / "c" / "warc")
    for table, columns in COLUMNS.items():
        key = "source" if table == "outlinks" else "url"
        rows = f"SELECT url.url, {columns} FROM {table} JOIN url ON url.id = {table}.{key} ORDER BY 1"
        assert query(tmp_path / "i", rows) == query(tmp_path / "c", rows), table
    for sql in (
        "SELECT url, state, reason, depth, redirects FROM url WHERE state != 'refused' ORDER BY 1",
        "SELECT url.url, same, similarity, o.url FROM duplicate JOIN url ON url.id = duplicate.url"
        " JOIN url o ON o.id = coalesce(duplicate_of, near_duplicate_of) ORDER BY 1",
        "SELECT url, kind, status, bytes FROM visit ORDER BY 1, 2",
        "SELECT host, requested, fetched FROM site ORDER BY 1",
    ):
        assert query(tmp_path / "i", sql) == query(tmp_path / "c", sql), sql


@pytest.mark.parametrize("option", [[], ["--copy"]], ids=["elsewhere", "copied"])
def test_a_deletion_leaves_imported_files_and_says_so(tmp_path, option):
    path, directory = three_pages(tmp_path / "a.warc.gz").write(), tmp_path / "c"
    before = path.read_bytes()
    import_(directory, path, *option)
    said = run("delete", directory, "--url", f"{HOST}/two", "--purge", "--yes").stdout
    assert "0 records are removed" in said
    assert "1 record of deleted pages is in imported files, which stay as they are" in said
    assert path.read_bytes() == before and verified(directory) == ""


def test_a_page_can_be_deleted_whose_imported_bytes_others_share(tmp_path):
    warc, directory = Warc(tmp_path / "a.warc.gz"), tmp_path / "c"
    date = warc.add(f"{HOST}/", page("/a", title="Same"))
    refers = {
        "WARC-Refers-To-Target-URI": f"{HOST}/",
        "WARC-Refers-To-Date": date,
        "WARC-Profile": "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest",
    }
    warc.add(f"{HOST}/again", kind="revisit", more=refers)
    import_(directory, warc.write())
    done = run("delete", directory, "--url", f"{HOST}/", "--yes")
    assert done.returncode == 0, done.stderr
    assert states(directory)[f"{HOST}/again"] == ("fetched", "http 200") and verified(directory) == ""
    assert [path.name.split("-")[-3:-1] for path in (directory / "warc").glob("*-0-*")] == [["0", "00000"]]
