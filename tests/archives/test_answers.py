"""Which records are answers, and what they tell of the way to a URL."""

import pytest

from tests.archives.writing import HOST, Warc, import_, page
from tests.support.crawls.crawling import query, verified
from ttcrawl.cli import main

HTTP = "application/http; msgtype=request"


def test_answers_to_other_requests_than_get_are_no_pages(tmp_path):
    """Browsers send POST and OPTIONS to the URLs of pages. The request names its answer (Heritrix, Browsertrix,
    warcprox), or the answer its request (wget)."""
    warc = Warc(tmp_path / "a.warc.gz")
    for number, method in enumerate(("GET", "POST", "OPTIONS", "HEAD")):
        ids = {"WARC-Record-ID": f"<urn:uuid:a{number}>"}
        warc.add(f"{HOST}/", page(title=method), more=ids)
        sent = f"{method} / HTTP/1.1\r\nHost: a.test\r\n\r\n".encode()
        warc.block("request", f"{HOST}/", sent, HTTP, WARC_Concurrent_To=ids["WARC-Record-ID"])
        ids = {"WARC-Record-ID": f"<urn:uuid:b{number}>"}
        warc.block("request", f"{HOST}/wget", sent, HTTP, **ids)
        warc.add(f"{HOST}/wget", page(title=method), more={"WARC-Concurrent-To": ids["WARC-Record-ID"]})
    said = import_(tmp_path / "c", warc.write())
    assert "6  answers to other requests than GET" in said
    rows = query(tmp_path / "c", "SELECT url.url, title FROM answer JOIN url ON url.id = answer.url ORDER BY 1")
    assert rows == [(f"{HOST}/", "GET"), (f"{HOST}/wget", "GET")]
    assert "2 response to POST" in import_(tmp_path / "d", warc.path, "--check")


def test_resources_are_answers_without_a_head(tmp_path, capsys):
    """As warcit writes files, and Heritrix those that it has over FTP. What is about no page is counted."""
    warc = Warc(tmp_path / "a.warc.gz")
    warc.block("resource", f"{HOST}/", page("/two", title="One"), "text/html")
    warc.block("resource", f"{HOST}/two", b"\x89PNG\r\n\x1a\n" + bytes(40), "image/png")
    warc.block("resource", "ftp://a.test/file.txt", b"words\n", "text/plain")
    warc.block("resource", f"urn:pageinfo:{HOST}/", b"{}", "application/json")
    warc.block("resource", "metadata://gnu.org/software/wget/warc/wget.log", b"log", "text/plain")
    warc.block("response", "dns:a.test", b"20200102\na.test. 60 IN A 192.0.2.1\n", "text/dns")
    warc.block("conversion", f"{HOST}/", b"One", "text/plain")
    directory = tmp_path / "c"
    said = import_(directory, warc.write(), "--set", "fetch.ftp=yes")
    assert "3  records about no page" in said and "not imported" not in said
    rows = query(directory, "SELECT url.url, status, type FROM page JOIN url ON url.id = page.url ORDER BY 1")
    assert rows == [
        ("ftp://a.test/file.txt", 200, "text/plain"),
        (f"{HOST}/", 200, "text/html"),
        (f"{HOST}/two", 200, "image/png"),
    ]
    assert verified(directory) == ""
    assert main(["page", str(directory), f"{HOST}/", "--body"]) == 0
    assert "<title>One</title>" in capsys.readouterr().out


#: Heads as servers send them, which programs keep as they are; the title of each page is read.
HEADS = {
    "no phrase": b"HTTP/1.1 200\r\nContent-Type: text/html\r\n\r\n",
    "HTTP/2": b"HTTP/2 200\r\ncontent-type: text/html\r\n\r\n",
    "two spaces": b"HTTP/1.0  200 OK\r\nContent-Type: text/html\r\n\r\n",
    "line feeds": b"HTTP/1.1 200 OK\nContent-Type: text/html\nServer: old\n\n",
    "a folded line": b"HTTP/1.1 200 OK\r\nX-Long: a\r\n b\r\nContent-Type: text/html\r\n\r\n",
    "lower case": b"http/1.1 200 ok\r\nContent-Type: text/html\r\n\r\n",
}


def test_heads_of_answers(tmp_path):
    warc = Warc(tmp_path / "a.warc.gz")
    for number, (title, head) in enumerate(HEADS.items()):
        warc.block("response", f"{HOST}/{number}", head + page(title=title), "application/http; msgtype=response")
    warc.block("response", f"{HOST}/none", page(title="none"), "application/http; msgtype=response")
    directory = tmp_path / "c"
    assert "1  no status line" in import_(directory, warc.write())
    assert query(directory, "SELECT title FROM page ORDER BY url") == [(title,) for title in HEADS]
    assert query(directory, "SELECT offset, what FROM import_damage") == [(warc.offsets[-1], "no status line")]
    assert verified(directory) == ""


def test_the_way_of_heritrix_to_a_url(tmp_path):
    """Its metadata say which page led to a URL that no link names, such as one in a script."""
    warc = Warc(tmp_path / "a.warc.gz")
    for name, via, hops in (("/", "", ""), ("/one", "/", "L"), ("/hidden", "/one", "LX"), ("/orphan", "/gone", "LL")):
        ids = {"WARC-Record-ID": f"<urn:uuid:{name}>"}
        warc.add(HOST + name, page("/one", title=name), more=ids)
        about = f"via: {HOST}{via}\r\nhopsFromSeed: {hops}\r\nfetchTimeMs: 7\r\n" if hops else "seed: \r\n"
        fields = {"WARC_Concurrent_To": ids["WARC-Record-ID"]}
        warc.block("metadata", HOST + name, about.encode(), "application/warc-fields", **fields)
    import_(tmp_path / "c", warc.write())
    rows = query(
        tmp_path / "c",
        "SELECT url.url, url.depth, source.url FROM url LEFT JOIN url AS source ON source.id = url.found_on"
        " WHERE url.state = 'fetched' ORDER BY url.id",
    )
    home, one = f"{HOST}/", f"{HOST}/one"
    assert rows == [(home, 0, None), (one, 1, home), (f"{HOST}/hidden", 2, one), (f"{HOST}/orphan", 0, None)]
    assert query(tmp_path / "c", "SELECT value FROM crawl WHERE name = 'seeds'") == [(f"{home}\n{HOST}/orphan",)]
    assert verified(tmp_path / "c") == ""


@pytest.mark.parametrize("listed", [False, True])
def test_pages_of_browsertrix(tmp_path, listed):
    """Its records say as what a browser has requested them; its directory has a list of pages."""
    folder = tmp_path / "crawls" / "archive"
    folder.mkdir(parents=True)
    warc = Warc(folder / "rec.warc.gz")
    for name, kind in (("/", "document"), ("/data", "xhr")):
        more = {} if listed else {"WARC-Resource-Type": kind}
        warc.add(HOST + name, page(title=name), more=more)
    warc.write()
    if listed:
        (tmp_path / "crawls" / "pages").mkdir()
        (tmp_path / "crawls" / "pages" / "pages.jsonl").write_text(f'{{"id": "pages"}}\n{{"url": "{HOST}/"}}\n')
    import_(tmp_path / "c", tmp_path / "crawls")
    rows = query(tmp_path / "c", "SELECT url, depth, requisite FROM url WHERE state = 'fetched' ORDER BY 1")
    assert rows == [(f"{HOST}/", 0, 0), (f"{HOST}/data", None, 1)]
