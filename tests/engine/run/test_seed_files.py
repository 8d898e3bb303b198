"""Files with seeds, one of each kind, as programs write them."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
import tracemalloc

import pytest

import ttcrawl
from ttcrawl.config import Config
from ttcrawl.config.compiled import compile_canon
from ttcrawl.engine.run.seed_files import DOCUMENT, LINE
from ttcrawl.engine.run.seeds import Seeds, seed_urls

SITE = "http://a.test"
A, B = f"{SITE}/a", f"{SITE}/b"
SITEMAP = f"""<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url><loc>{A}</loc><image:image><image:loc>{SITE}/i.png</image:loc></image:image></url>
<url><loc> {B}?x=1&amp;y=2 </loc></url></urlset>"""
HAR = {
    "log": {
        "version": "1.2",
        "creator": {"name": "WebInspector", "version": "537.36"},
        "pages": [{"startedDateTime": "2024-01-01T00:00:00.000Z", "id": "page_1", "title": f"{SITE}/title"}],
        "entries": [
            {
                "_initiator": {"type": "script", "url": f"{SITE}/script.js"},
                "request": {"method": "GET", "url": A, "headers": [{"name": "referer", "value": f"{SITE}/referer"}]},
                "response": {"status": 302, "redirectURL": f"{SITE}/redirect", "content": {"text": "<a href=/x>"}},
            },
            {"request": {"method": "POST", "url": f"{SITE}/post"}},
            {"request": {"method": "GET", "url": "data:image/png;base64,AAAA"}},
            {"request": {"method": "GET", "url": B}},
        ],
    }
}
CHROME_BOOKMARKS = {
    "checksum": "0",
    "roots": {
        "bookmark_bar": {
            "children": [
                {"date_added": "1", "name": "A", "type": "url", "url": A},
                {"children": [{"name": "B", "type": "url", "url": B}], "name": "folder", "type": "folder"},
            ],
            "name": "Bookmarks bar",
        }
    },
    "version": 1,
}
FIREFOX_BACKUP = {"guid": "root", "children": [{"uri": A, "iconUri": f"{SITE}/i.ico", "type": "text/x-moz-place"}]}
#: Firefox and Chromium write the same form; Firefox has entries of its own and icons in it.
BOOKMARKS = f"""<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This is an automatically generated file.
     It will be read and overwritten.
     DO NOT EDIT! -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks Menu</H1>
<DL><p>
    <DT><A HREF="place:type=6&sort=14" ADD_DATE="1700000000">Recent Tags</A>
    <DT><H3 ADD_DATE="1700000000" PERSONAL_TOOLBAR_FOLDER="true">Bookmarks Toolbar</H3>
    <DL><p>
        <DT><A HREF="{A}?x=1&amp;y=2" ADD_DATE="1" ICON_URI="{SITE}/i.ico" ICON="data:image/png;base64,AAAA">A</A>
    </DL><p>
    <DT><A HREF="javascript:void(0)">A program</A>
    <HR>
    <DT><A HREF="{B}" ADD_DATE="1700000000">B</A>
</DL><p>
"""
CRAWL_LOG = f"""\
2011-06-23T17:12:08.802Z     1         54 dns:a.test P {A} text/dns #006 20110623171208483+318 sha1:X - content-size:54
2011-06-23T17:12:08.802Z   200       1299 {SITE}/robots.txt P {A} text/plain #006 20110623171208483+318 sha1:X - -
2011-06-23T17:12:08.802Z   200      12991 {A} - - text/html #006 20110623171208483+318 sha1:X {A} -
2011-06-23T17:12:09.802Z    -2          - {B} LLE {A} no-type #001 - - - 2t
"""
OPML = f"""<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0"><head><title>feeds</title></head><body><outline text="folder">
<outline type="rss" text="A" xmlUrl="{SITE}/feed" htmlUrl="{A}"/><outline type="link" text="B" url="{B}"/>
</outline></body></opml>"""
CAPTURE = f"{A} text/html 200 G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK - - 1242 784 example.warc.gz"

#: Contents of a file, and the paths of its seeds.
FORMS = {
    "list": (f"# why\n{A} # the first\n\n- <{B}>\n", ["/a", "/b"]),
    "list of a Mac": (f"{A}\r{B}\r", ["/a", "/b"]),
    "list of a spreadsheet": (f"{A}\tIts title\r\n{B}\tIts title\r\n", ["/a", "/b"]),
    "UTF-8 with a mark": (f"\ufeff{A}\n", ["/a"]),
    "PowerShell's >": (f"\ufeff{A}\r\n{B}\r\n".encode("utf-16-le"), ["/a", "/b"]),
    "UTF-16, big end first": (f"\ufeff{A}\n".encode("utf-16-be"), ["/a"]),
    "UTF-16 without a mark": (f"{A}\n{B}\n".encode("utf-16-le"), ["/a", "/b"]),
    "UTF-32": (f"{A}\n".encode("utf-32"), ["/a"]),
    "gzip": (gzip.compress(f"{A}\n{B}\n".encode()), ["/a", "/b"]),
    "gzip of several members": (gzip.compress(f"{A}\n".encode()) + gzip.compress(f"{B}\n".encode()), ["/a", "/b"]),
    "CSV": (f'id,url,title\n1,{A},"x, y\nz"\n2,"{B},c",z\n3,,\n', ["/a", "/b,c"]),
    "CSV of one column": (f"url\n{A},b # why\n", ["/a,b"]),
    "CSV without a header": (f"1,{A}\n2,{B}\n", ["/a", "/b"]),
    "TSV of Excel": (f"\ufefftitle\turl\r\nx\t{A}\r\n".encode("utf-16-le"), ["/a"]),
    "JSON lines": (f'{{"id":1,"url":"{A}"}}\n\n{{"id":2,"url":null}}\n{{"url":"{B}"}}\n', ["/a", "/b"]),
    "pages.jsonl of a WACZ": (f'{{"format":"json-pages-1.0","id":"pages"}}\n{{"id":"1","url":"{A}"}}\n', ["/a"]),
    "JSON array": (json.dumps([A, B]), ["/a", "/b"]),
    "JSON objects": (json.dumps({"seeds": [{"url": A, "tags": ["x"]}, B]}, indent=2), ["/a", "/b"]),
    "answer of a CDX server": (json.dumps([["urlkey", "original"], ["test,a)/a", A]]), ["/a"]),
    "bookmarks of Chromium": (json.dumps(CHROME_BOOKMARKS, indent=3), ["/a", "/b"]),
    "backup of Firefox": (json.dumps(FIREFOX_BACKUP), ["/a"]),
    "bookmarks": (BOOKMARKS, ["/a?x=1&y=2", "/b"]),
    "page": (f"<?xml version='1.0'?><!DOCTYPE html><html><a href='{A}'>a</a><a href='/b'>b</a></html>", ["/a"]),
    "sitemap": (SITEMAP, ["/a", "/b?x=1&y=2"]),
    "sitemap in gzip": (gzip.compress(SITEMAP.encode()), ["/a", "/b?x=1&y=2"]),
    "sitemap in UTF-16": (SITEMAP.replace("UTF-8", "UTF-16").encode("utf-16"), ["/a", "/b?x=1&y=2"]),
    "sitemap in Latin-1": (SITEMAP.replace("UTF-8", "latin1").replace("/a<", "/\xe9<").encode("latin1"), ["/%C3%A9"]),
    "sitemap behind comments": ("<!-- why -->" * 100 + f"<urlset><url><loc>{A}</loc></url></urlset>", ["/a"]),
    "broken sitemap": (SITEMAP[: SITEMAP.index("<url><loc> ")], ["/a"]),
    "index of sitemaps": (f"<sitemapindex><sitemap><loc>{A}.xml.gz</loc></sitemap></sitemapindex>", ["/a.xml.gz"]),
    "RSS": (
        f"<rss><channel><link>{SITE}/</link><item><link>{A}</link><enclosure url='{B}'/></item></channel></rss>",
        ["/a"],
    ),
    "Atom": (f'<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="{A}"/></entry></feed>', ["/a"]),
    "JSON Feed": (
        json.dumps({"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "url": A}]}),
        ["/a"],
    ),
    "OPML": (OPML, ["/a", "/feed", "/b"]),
    "crawl.log": (CRAWL_LOG, ["/a", "/b"]),
    "seeds of Heritrix": (f"# why\n{A}\n+http://(test,a,\n{B}\ttag\n", ["/a", "/b"]),
    "CDX": (f" CDX N b a m s k r M S V g\ntest,a)/a 20170306040206 {CAPTURE}\n", ["/a"]),
    "CDX without a header": (f"test,a)/a 20170306040206 {CAPTURE}\n", ["/a"]),
    "CDX of other fields": (f" CDX A b e a m\nx 20170306040206 127.0.0.1 {A} text/html\n", ["/a"]),
    "CDXJ": (f'test,a)/a 20170306040206 {{"url": "{A}", "mime": "text/html"}}\n', ["/a"]),
    "CDXJ with a header": (f'!OpenWayback-CDXJ 1.0\n@x {{}}\ntest,a)/a 2017 {{"url": "{A}"}}\n', ["/a"]),
    "HAR": (json.dumps(HAR, indent=2), ["/a", "/b"]),
    "HAR in one line": ("\ufeff" + json.dumps(HAR), ["/a", "/b"]),
    "NUL in a line": (f"{A}\n{' ' * 2000}\n{SITE}/\0x\n{B}\n", ["/a", "/b"]),
    "Latin-1 in a comment": (f"{A} # \xe9\n{B}\n".encode("latin1"), ["/a", "/b"]),
    "endless line": (f"{A}\n{SITE}/{'x' * (2 * LINE)}\n{B}\n", ["/a", "/b"]),
}


def read(file, **options):
    return [url.removeprefix(SITE) for url in ttcrawl.read_seeds(file, **options)]


@pytest.mark.parametrize("form", FORMS)
def test_a_form(tmp_path, form):
    contents, paths = FORMS[form]
    (tmp_path / "seeds").write_bytes(contents.encode() if isinstance(contents, str) else contents)
    assert read(tmp_path / "seeds")[: len(paths)] == paths


@pytest.mark.parametrize(
    ("contents", "column", "paths"),
    [
        (f"url,target\n{A},{B}\n", "target", ["/b"]),
        (f"url,Target\n{A},{B}\n", "target", ["/b"]),
        (f'{{"source":"{A}","target":"{B}"}}\n{{"source":"{A}","target":null}}\n', "target", ["/b"]),
        (json.dumps([{"source": A, "target": B}]), "target", ["/b"]),
    ],
)
def test_another_column(tmp_path, contents, column, paths):
    (tmp_path / "seeds").write_text(contents)
    assert read(tmp_path / "seeds", column=column) == paths


#: Contents of a file that has no seeds, or what makes them, and what is said.
NO_SEEDS = {
    "empty": ("", "there are no seeds in FILE: it has no URL"),
    "comments": ("# why\n", "there are no seeds in FILE: it has no URL"),
    "words": (
        "no seed\nno\n",
        "FILE, line 1: the seed 'no seed' is not an http or https URL; nor is the seed of line 2",
    ),
    "PDF": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "FILE is application/pdf, no list of URLs"),
    "picture": (b"\x89PNG\r\n\x1a\n" + bytes(50), "FILE is image/png, no list of URLs"),
    "program": (b"\x7fELF\2\1\1" + bytes(50), "FILE is application/octet-stream, no list of URLs"),
    "spreadsheet": (b"PK\x03\x04" + bytes(50), "FILE is a ZIP archive or a document of an office program"),
    "xz": (b"\xfd7zXZ\x00" + bytes(50), "FILE is packed with xz: unpack it"),
    "WARC": ("WARC/1.1\r\nWARC-Type: warcinfo\r\n", "FILE is an archive (WARC)"),
    "bomb": (
        lambda: gzip.compress((b"#" * 99 + b"\n") * 200_000),
        "FILE is a bomb: it unpacks to more than 250 times its size",
    ),
    "bomb in a bomb": (lambda: gzip.compress(gzip.compress(b"x" * 9_000_000)), "FILE is application/x-gzip"),
    "cut gzip": (gzip.compress(f"{A}\n".encode())[:-9], "FILE is not complete: its gzip data ends early"),
    "damaged gzip": (gzip.compress(f"{A}\n".encode())[:-8] + bytes(8), "FILE is damaged: "),
    "entities": ('<!DOCTYPE o [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><opml><outline url="&b;"/></opml>', "has no URL"),
    "other XML": ("<svg/>", "FILE is XML, but no sitemap, feed or OPML"),
    "page without links": ("<html><p>x</html>", "there are no seeds in FILE"),
    # an expression that goes back takes hours for them
    "parentheses": (")" * (1 << 20), "FILE, line 1: the seed '))))"),
    "CDXJ with parentheses": ('a)/ 2020 {"url": "no"}\n' + ")" * (1 << 20), "FILE, line 1: the seed 'no'"),
    "dots in a bracket": ("<" + "a." * (1 << 19), "no seeds in FILE: it has no URL"),
    "broken JSON": ('{"log": {', "FILE is broken JSON"),
    "deep JSON": ("[" * 100_000, "FILE is broken JSON"),
    "other columns": ('{"a":1}\n{"b":1}\n', "FILE has no column url: its columns are a, b"),
}


@pytest.mark.parametrize("form", NO_SEEDS)
def test_no_seeds(tmp_path, form):
    contents, message = NO_SEEDS[form]
    contents = contents() if callable(contents) else contents
    file = tmp_path / "seeds"
    file.write_bytes(contents.encode() if isinstance(contents, str) else contents)
    with pytest.raises(ttcrawl.UsageError) as error:
        ttcrawl.read_seeds(file)
    assert message in str(error.value).replace(str(file), "FILE")


@pytest.mark.parametrize(
    ("contents", "said"),
    [
        (f"{A}\n\x1b[2J\n", r"FILE, line 2: the seed '\x1b[2J' is not an http or https URL; continuing"),
        (f"{A}\n{'x' * 101}\n", f"FILE, line 2: the seed '{'x' * 100}'... is not an http or https URL"),
        (f"{A}\n".encode() + b"http://caf\xe9.test/\n", r"FILE is not UTF-8 text in line 2: 'http://caf\xe9.test/'"),
        (f"{A}\n+http://(test,\n", "'+http://(test,' is a rule of Heritrix for its scope, and not an http or https"),
        (f"{A} its title\n{B} its title\n", "FILE, line 1: what follows the URL is left out, as in 1 more line; write"),
        (json.dumps([A, "no seed", "no"]), "FILE, entry 2: the seed 'no seed' is not an http or https URL; nor is"),
        (f"<urlset><url><loc>{A}</loc></url><url>", "FILE: broken XML: no element found"),
    ],
)
def test_what_is_said_of_a_line(tmp_path, capsys, contents, said):
    file = tmp_path / "seeds"
    file.write_bytes(contents.encode() if isinstance(contents, str) else contents)
    assert read(file)[0] == "/a"
    told = capsys.readouterr().err.replace(str(file), "FILE")
    assert said in told and told.isascii() and "\x1b" not in told


def test_each_file_names_its_own_lines(tmp_path):
    for name, line in (("one", A), ("two", B)):
        (tmp_path / name).write_text(f"no {name}\n{line}\n")
    told: list[str] = []
    files = tuple(str(tmp_path / name) for name in ("one", "two"))
    assert seed_urls(Seeds(texts=(SITE,), files=files), compile_canon(Config().url), told.append) == (f"{SITE}/", A, B)
    assert [line.partition(", line 1: ")[0] for line in told] == list(files)


def test_parquet(tmp_path):
    pandas = pytest.importorskip("pandas")
    pandas.DataFrame({"id": [1, 2], "url": [A, None], "other": [B, B]}).to_parquet(tmp_path / "seeds")
    assert read(tmp_path / "seeds") == ["/a"]
    assert read(tmp_path / "seeds", column="other") == ["/b"]
    with pytest.raises(ttcrawl.UsageError, match="has no column x: its columns are id, url, other"):
        read(tmp_path / "seeds", column="x")
    (tmp_path / "seeds").write_bytes(b"PAR1" + bytes(50))
    with pytest.raises(ttcrawl.UsageError, match="is damaged"):
        read(tmp_path / "seeds")


def test_a_document_that_is_too_large(tmp_path):
    with (tmp_path / "seeds").open("wb") as file:
        file.write(b"<urlset>" + b" " * 2000)
        file.truncate(DOCUMENT + 1)
    with pytest.raises(ttcrawl.UsageError, match="is larger than 128 MiB"):
        read(tmp_path / "seeds")


def test_a_pipe_that_gives_little_at_once(tmp_path):
    os.mkfifo(tmp_path / "seeds")
    program = "import sys, time\nfor url in sys.argv[2:]:\n    file.write(url + '\\n'); file.flush()"
    program = program.replace("for url", "file = open(sys.argv[1], 'w')\nfor url")
    with subprocess.Popen([sys.executable, "-c", program, tmp_path / "seeds", A, B]):
        assert read(tmp_path / "seeds") == ["/a", "/b"]


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(f"{A}\n".encode()))))
    assert read("-") == ["/a"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(ttcrawl.UsageError, match="there are no seeds in standard input"):
        read("-")


@pytest.mark.slow
@pytest.mark.parametrize("form", ["list", "CSV", "JSON lines", "gzip"])
def test_memory_does_not_grow_with_the_lines(tmp_path, form):
    """A list of 100,000 URLs takes as much as one of 10,000 while it is read: less than 20 MB."""
    line = {"CSV": "{0},%s/{0}\n", "JSON lines": '{{"id":{0},"url":"%s/{0}"}}\n'}.get(form, "%s/{0} # {0}\n") % SITE
    text = "id,url\n" * (form == "CSV") + "".join(line.format(number) for number in range(100_000))
    (tmp_path / "seeds").write_bytes(gzip.compress(text.encode()) if form == "gzip" else text.encode())
    tracemalloc.start()
    count = sum(1 for _ in Seeds(files=(str(tmp_path / "seeds"),)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 100_000 and peak < 20_000_000
