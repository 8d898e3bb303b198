"""Headers of WARC records of other programs."""

from ttcrawl.archives.header import header_of


def test_a_field_ends_at_its_line_feed_alone():
    named = "http://a.test/one\u2028two\u0085three\x0cfour"
    data = f"WARC/1.0\r\nWARC-Target-URI: <{named}>\r\nContent-Length: 4\r\n\r\n"
    for each in (data, data.replace("\r\n", "\n")):
        header, at = header_of(each.encode() + b"body")
        assert (header.version, header.url, header.length, at) == ("WARC/1.0", named, 4, len(each.encode()))
