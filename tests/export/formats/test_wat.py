"""WAT: the metadata of responses in the shape of Common Crawl's, read by warcio and fastwarc."""

import json

from fastwarc.warc import ArchiveIterator as FastIterator
from fastwarc.warc import WarcRecordType
from warcio.archiveiterator import ArchiveIterator

from tests.support.crawls.crawling import query


def envelopes(path):
    """URL -> (headers of the record, its JSON)."""
    with open(path, "rb") as file:
        info, *records = [
            (each.rec_headers, each.content_stream().read()) for each in ArchiveIterator(file, check_digests="raise")
        ]
    assert info[0].get_header("WARC-Type") == "warcinfo"
    assert {headers.get_header("WARC-Type") for headers, _ in records} == {"metadata"}
    assert {headers.get_header("Content-Type") for headers, _ in records} == {"application/json"}
    return {headers.get_header("WARC-Target-URI"): (headers, json.loads(data)) for headers, data in records}


def test_every_response_has_an_envelope(export, site):
    web, crawl = site
    path = export("wat", name="x.warc.wat.gz", crawl=crawl)
    found = envelopes(path)
    assert {*found} == {url for (url,) in query(crawl, "SELECT url.url FROM page JOIN url ON url.id = page.url")}
    with open(path, "rb") as file:
        assert sum(1 for _ in FastIterator(file, record_types=WarcRecordType.metadata)) == len(found)
    headers, home = found[web.url("a.test", "/")]
    container, envelope = home["Container"], home["Envelope"]
    archived = (crawl / "warc" / container["Filename"]).read_bytes()
    offset, size = int(container["Offset"]), int(container["Gzip-Metadata"]["Deflate-Length"])
    with open(crawl / "warc" / container["Filename"], "rb") as file:
        file.seek(offset)
        record = next(ArchiveIterator(file))
    assert size <= len(archived) - offset
    about = envelope["WARC-Header-Metadata"]
    assert about["WARC-Record-ID"] == record.rec_headers.get_header("WARC-Record-ID")
    assert headers.get_header("WARC-Refers-To") == about["WARC-Record-ID"]
    assert envelope["Actual-Content-Length"] == record.rec_headers.get_header("Content-Length")
    http = envelope["Payload-Metadata"]["HTTP-Response-Metadata"]
    assert http["Response-Message"] == {"Version": "HTTP/1.1", "Status": "200", "Reason": "OK"}
    assert int(http["Entity-Length"]) == len(record.raw_stream.read())
    assert envelope["Payload-Metadata"]["Actual-Content-Type"].startswith("application/http")


def test_html_has_its_title_and_links(export, site):
    web, crawl = site
    found = envelopes(export("wat", crawl=crawl))
    html = {
        url: http["HTML-Metadata"]
        for url, (_, each) in found.items()
        if "HTML-Metadata" in (http := each["Envelope"]["Payload-Metadata"]["HTTP-Response-Metadata"])
    }
    home = html[web.url("a.test", "/")]
    assert home["Head"]["Title"] == "Home"
    assert home["Head"]["Link"] == [{"path": "LINK@/href", "url": web.url("a.test", "/s.css"), "rel": "stylesheet"}]
    assert {"path": "A@/href", "url": web.url("a.test", "/b?x=1&y=2"), "text": "the b"} in home["Links"]
    assert web.url("a.test", "/s.css") not in html


def test_names_are_those_of_common_crawl(export):
    for _, found in envelopes(export("wat")).values():
        assert [*found] == ["Container", "Envelope"]
        assert {*found["Envelope"]} == {
            *("Format", "Actual-Content-Length", "Block-Digest", "WARC-Header-Metadata", "Payload-Metadata")
        }
