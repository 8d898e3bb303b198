"""WET: the texts of pages as conversion records, read by warcio and fastwarc."""

import gzip

from fastwarc.warc import ArchiveIterator as FastIterator
from fastwarc.warc import WarcRecordType
from warcio.archiveiterator import ArchiveIterator

from tests.library.sample_crawl import HOME, TEXT
from tests.support.crawls.crawling import query
from ttcrawl.library.crawl import Crawl

URLS = "SELECT url.url FROM text JOIN url ON url.id = text.url"


def test_every_text_is_a_conversion_record(export, site):
    _, crawl = site
    path = export("wet", crawl=crawl)
    with open(path, "rb") as file:
        records = [
            (each.rec_headers, each.content_stream().read()) for each in ArchiveIterator(file, check_digests="raise")
        ]
    (info, _), *others = records
    assert info.get_header("WARC-Type") == "warcinfo"
    with Crawl(crawl) as opened:
        texts = {
            url: opened.text(url) for (url,) in query(crawl, "SELECT url.url FROM text JOIN url ON url.id = text.url")
        }
    assert {headers.get_header("WARC-Target-URI"): body.decode() for headers, body in others} == texts and len(
        texts
    ) > 3
    ids = b"".join(gzip.decompress(archive.read_bytes()) for archive in (crawl / "warc").iterdir())
    for headers, _ in others:
        assert headers.get_header("WARC-Type") == "conversion" and headers.get_header("Content-Type") == "text/plain"
        assert headers.get_header("WARC-Refers-To").encode() in ids
    with open(path, "rb") as file:
        fast = [each.headers["WARC-Target-URI"] for each in FastIterator(file, record_types=WarcRecordType.conversion)]
    assert fast == [headers.get_header("WARC-Target-URI") for headers, _ in others]


def test_language_and_selection(export):
    with open(export("wet"), "rb") as file:
        _, record = [(each.rec_headers, each.content_stream().read()) for each in ArchiveIterator(file)]
    assert record[0].get_header("WARC-Target-URI") == HOME and record[1].decode() == TEXT
    assert record[0].get_header("WARC-Identified-Content-Language") == "en"
    with open(export("wet", "--where", "depth=1"), "rb") as file:
        assert [each.rec_type for each in ArchiveIterator(file)] == ["warcinfo"]
