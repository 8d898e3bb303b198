"""Every form of archives gives the same crawl of the same records."""

import base64
import dbm.dumb
import gzip
import io
import json
import pickle
import struct
import sys
import zipfile
from ipaddress import ip_address
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.archives.writing import HOST, STATES, Warc, import_, page, three_pages
from tests.support.crawls.crawling import query, verified

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def plain(path):
    return three_pages(path, packed=False).bytes()


def of_version(number):
    return lambda path: plain(path).replace(b"WARC/1.0\r\n", f"WARC/{number}\r\n".encode())


def with_line_feeds(path):
    """The headers of records end their lines with LF alone."""
    lines, data = [], io.BytesIO(plain(path))
    while line := data.readline():
        if not line.startswith(b"WARC/"):
            continue
        header = [line]
        while (line := data.readline()).strip():
            header.append(line)
        length = next(int(each.split(b":")[1]) for each in header if each.lower().startswith(b"content-length"))
        lines += [each.replace(b"\r\n", b"\n") for each in header]
        lines += [b"\n", data.read(length), b"\r\n\r\n"]
    return b"".join(lines)


def with_dictionary(path):
    """A frame that is skipped has the dictionary, as in the archives of ArchiveTeam."""
    data = plain(path)
    dictionary = zstd.train_dict([data[at : at + 300] for at in range(0, len(data) - 300, 7)], 2048)
    head = b"\x5d\x2a\x4d\x18" + struct.pack("<I", len(dictionary.dict_content)) + dictionary.dict_content
    return head + zstd.compress(data, zstd_dict=dictionary)


def arc(path):
    """ARC version 1, which Heritrix 1 wrote."""
    about = b"1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n\n"
    records = [b"filedesc://a.arc 0.0.0.0 20200102000000 text/plain %d\n" % len(about) + about]
    for record in ArchiveIterator(io.BytesIO(plain(path)), no_record_parse=True):
        if record.rec_type == "response":
            block, header = record.content_stream().read(), record.rec_headers.get_header
            date = "".join(each for each in header("WARC-Date") if each.isdigit())
            line = f"{header('WARC-Target-URI')} 192.0.2.1 {date} text/html {len(block)}\n"
            records.append(b"\n" + line.encode() + block)
    return records


def wacz(path):
    out = io.BytesIO()
    pages = "".join(json.dumps({"url": f"{HOST}{name}"}) + "\n" for name in ("/", "/two", "/old"))
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("archive/data.warc.gz", three_pages(path).bytes())
        file.writestr("pages/pages.jsonl", '{"format": "json-pages-1.0"}\n' + pages)
        file.writestr("datapackage.json", "{}")
    return out.getvalue()


def wacz_of_wacz(path):
    """Several crawls that were downloaded as one file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("crawl-1.wacz", wacz(path))
        file.writestr("datapackage.json", '{"profile": "multi-wacz-package"}')
    return out.getvalue()


def har(path):
    entries = []
    for record in ArchiveIterator(io.BytesIO(plain(path))):
        if record.rec_type != "response":
            continue
        body, head, header = record.content_stream().read(), record.http_headers, record.rec_headers.get_header
        headers = [{"name": name, "value": value} for name, value in head.headers]
        encoded = {"encoding": "base64", "text": base64.b64encode(body).decode(), "mimeType": "text/html"}
        url, is_page = header("WARC-Target-URI"), head.get_header("Content-Type") == "text/html"
        entries.append(
            {
                "startedDateTime": header("WARC-Date"),
                "request": {"method": "GET", "url": url, "headers": []},
                "response": {"status": int(head.get_statuscode()), "headers": headers, "content": encoded},
                "_resourceType": "document" if is_page else "other",
            }
        )
    return json.dumps({"log": {"creator": {"name": "a browser", "version": "1"}, "entries": entries}}).encode()


FORMS = {
    "0.18.warc": of_version("0.18"),
    "1.1.warc": of_version("1.1"),
    "lf.warc": with_line_feeds,
    "members.warc.gz": lambda path: three_pages(path).bytes(),
    "whole.warc.gz": lambda path: gzip.compress(plain(path)),
    "frames.warc.zst": lambda path: zstd.compress(plain(path)),
    "dictionary.warc.zst": with_dictionary,
    "plain.arc": lambda path: b"".join(arc(path)),
    "packed.arc.gz": lambda path: b"".join(map(gzip.compress, arc(path))),
    "a.wacz": wacz,
    "several.wacz": wacz_of_wacz,
    "a.har": har,
}


@pytest.mark.parametrize("name", FORMS)
def test_every_form_gives_the_same_crawl(tmp_path, name):
    path, directory = tmp_path / name, tmp_path / "c"
    path.write_bytes(FORMS[name](path))
    import_(directory, path)
    rows = query(directory, "SELECT url, state, reason FROM url WHERE url NOT LIKE '%sitemap.xml'")
    assert {url: (state, reason) for url, state, reason in rows} == STATES
    titles = query(directory, "SELECT title FROM page WHERE title != '' ORDER BY 1")
    assert titles == [("One",), ("Two",)]
    requisites = query(directory, "SELECT url FROM url WHERE depth IS NULL AND state = 'fetched'")
    assert requisites == [(f"{HOST}/icon.png",)]
    assert verified(directory) == ""
    assert "records that were known" in import_(directory, path)


@pytest.mark.parametrize("packed", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_the_cache_of_scrapy(tmp_path, packed):
    """As scrapy.extensions.httpcache.FilesystemCacheStorage writes it; nothing is unpickled."""
    for number, (path, links) in enumerate({"/": ("/two",), "/two": ("/three",)}.items()):
        url, directory = f"{HOST}{path}", tmp_path / ".scrapy" / "httpcache" / "spider" / "ab" / f"ab{number}"
        directory.mkdir(parents=True)
        meta = {"url": url, "method": "GET", "status": 200, "response_url": url, "timestamp": 1577923200.5 + number}
        (directory / "meta").write_bytes(packed(repr(meta).encode()))
        (directory / "pickled_meta").write_bytes(b"cos\nsystem\n(S'touch " + str(tmp_path / "run").encode() + b"'\ntR.")
        (directory / "response_headers").write_bytes(packed(b"Content-Type: text/html"))
        (directory / "response_body").write_bytes(packed(page(*links, title=path)))
        (directory / "request_headers").write_bytes(packed(b"User-Agent: a spider"))
        (directory / "request_body").write_bytes(b"")
    import_(tmp_path / "c", tmp_path / ".scrapy")
    rows = query(tmp_path / "c", "SELECT url, state FROM url ORDER BY id")
    assert rows == [(f"{HOST}/", "fetched"), (f"{HOST}/two", "fetched"), (f"{HOST}/three", "refused")]
    assert not (tmp_path / "run").exists()


class Harm:
    """Its pickle runs a program when it is read."""

    def __reduce__(self):
        return (Path.touch, (Path("harm"),))


def test_the_database_of_scrapy(tmp_path):
    """As scrapy.extensions.httpcache.DbmCacheStorage writes it; what its pickles name is not called."""
    (tmp_path / "cache").mkdir()
    responses = {"a": ("/", ("/two",)), "b": ("/two", ("/three",)), "c": ("/harm", ())}
    with dbm.dumb.open(str(tmp_path / "cache" / "spider.db"), "c") as database:
        for number, (name, (path, links)) in enumerate(responses.items()):
            headers = {b"Content-Type": [b"text/html"], b"Set-Cookie": [b"a=1", b"b=2"]}
            data = {"status": 200, "url": HOST + path, "headers": headers, "body": page(*links, title=path)}
            data |= {"flags": [], "protocol": "HTTP/1.1", "ip_address": ip_address("192.0.2.1")}
            database[f"{name}_data"] = pickle.dumps(Harm() if name == "c" else data, protocol=4)
            database[f"{name}_time"] = str(1577923200.5 + number)
    said = import_(tmp_path / "c", tmp_path / "cache")
    assert "1  no data of a response" in said
    rows = query(tmp_path / "c", "SELECT url, state FROM url ORDER BY id")
    assert rows == [(f"{HOST}/", "fetched"), (f"{HOST}/two", "fetched"), (f"{HOST}/three", "refused")]
    assert not list(tmp_path.rglob("harm"))


#: What is done to the bytes of a file of members -> what is said, and how many of its five answers are there.
def cut(warc):
    return warc.bytes()[:-100]


def broken(warc):
    data = bytearray(warc.bytes())
    middle = (warc.offsets[2] + warc.offsets[3]) // 2
    data[middle : middle + 20] = bytes(20)
    return bytes(data)


def wrong_digest(warc):
    return _replaced(warc, b"Words about", b"Wards about")


def wrong_length(warc):
    return _replaced(warc, b"</main>", b"</main></main></main></main>")


def no_type(warc):
    return _replaced(warc, b"WARC-Type: response", b"WARC-Tipe: response")


def no_clock(warc):
    return _replaced(warc, b"WARC-Date: 2020", b"WARC-Date: 1970")


def late_clock(warc):
    return _replaced(warc, b"WARC-Date: 2020", b"WARC-Date: 2120")


def _replaced(warc, old, new):
    """The second page has other bytes, in a sound member."""
    data = warc.bytes()
    start, end = warc.offsets[2], warc.offsets[3]
    return data[:start] + gzip.compress(gzip.decompress(data[start:end]).replace(old, new)) + data[end:]


DAMAGES = {
    cut: "gzip: truncated",
    broken: "gzip: ",
    wrong_digest: "wrong digest",
    wrong_length: "longer than its length",
    no_type: "no type",
    no_clock: "a clock before 1980",
    late_clock: "a clock after 2099",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_named_and_ends_nothing(tmp_path, damage):
    path, directory = tmp_path / "a.warc.gz", tmp_path / "c"
    path.write_bytes(damage(three_pages(path)))
    said = import_(directory, path)
    assert DAMAGES[damage] in said
    rows = query(directory, "SELECT offset, what FROM import_damage")
    assert len(rows) == 1 and DAMAGES[damage] in rows[0][1]
    assert query(directory, "SELECT count(*) FROM url WHERE state IN ('fetched', 'moved')") == [(3,)]
    assert verified(directory) == ""


def test_a_check_only_tells(tmp_path):
    path = tmp_path / "a.warc.gz"
    warc = three_pages(path)
    path.write_bytes(no_type(warc))
    said = import_(tmp_path / "c", path, "--check", status=1)
    assert f"at {warc.offsets[2]:,}: no type" in said and "4 response" in said
    assert not (tmp_path / "c").exists()


def test_what_could_not_be_packed_is_packed_by_the_next_import(tmp_path):
    """As after a full disk: the file is known, and its records are not there."""
    path, directory = tmp_path / "a.har", tmp_path / "c"
    path.write_bytes(har(path))
    import_(directory, path)
    (file,) = (directory / "warc").glob("*imported*")
    data = file.read_bytes()
    file.unlink()
    said = import_(directory, path)
    assert file.read_bytes() == data and "records that were known" in said and "not imported" not in said
    assert verified(directory) == ""


def test_urls_that_are_none_are_counted(tmp_path):
    warc = Warc(tmp_path / "a.warc.gz")
    for url in ("whois://a.test", "http://[", "http://a.test:99999/", "urn:x"):
        warc.add(url, page())
    warc.add(f"{HOST}/", page())
    said = import_(tmp_path / "c", warc.write())
    assert "2  a URL that is not fetched" in said and "2  records about no page" in said
    assert query(tmp_path / "c", "SELECT url FROM url WHERE state = 'fetched'") == [(f"{HOST}/",)]
