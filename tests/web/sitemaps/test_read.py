"""Other people's cases first: sitemaps.org, RFC 4287, rssboard.org, and what crawlers have met (crawler-commons,
ultimate-sitemap-parser, Scrapy), as facts."""

import codecs
import json

import pytest

from tests.support.cases import one_in
from ttcrawl.web.sitemaps.entry import Entry
from ttcrawl.web.sitemaps.read import read

HERE = "http://www.example.com/sitemap.xml"
NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def hrefs(listing, *kinds):
    wanted = {ord(kind) for kind in kinds}
    return [each.href for each in listing.entries if not wanted or each.kind in wanted]


def listed(data, **options):
    data = data if isinstance(data, bytes) else data.encode()
    return read(data, HERE, **{"maps": True, "text": True, "feeds": True} | options)


EXAMPLE = f"""<?xml version="1.0" encoding="UTF-8"?>
<urlset {NS}>
   <url>
      <loc>http://www.example.com/</loc>
      <lastmod>2005-01-01</lastmod>
      <changefreq>monthly</changefreq>
      <priority>0.8</priority>
   </url>
   <url>
      <loc>http://www.example.com/catalog?item=12&amp;desc=vacation_hawaii</loc>
      <changefreq>weekly</changefreq>
   </url>
   <url>
      <loc>http://www.example.com/catalog?item=74&amp;desc=vacation_newfoundland</loc>
      <lastmod>2004-12-23T18:00:15+00:00</lastmod>
      <priority>0.3</priority>
   </url>
</urlset>
"""


def test_the_example_of_sitemaps_org():
    listing = listed(EXAMPLE)
    assert (listing.form, listing.error) == ("urlset", "")
    assert listing.entries == (
        Entry("http://www.example.com/", ord("M"), "", 1104537600.0, 0.8),
        Entry("http://www.example.com/catalog?item=12&desc=vacation_hawaii", ord("M")),
        Entry("http://www.example.com/catalog?item=74&desc=vacation_newfoundland", ord("M"), "", 1103824815.0, 0.3),
    )


def test_the_index_of_sitemaps_org():
    listing = listed(
        f"""<?xml version="1.0" encoding="UTF-8"?><sitemapindex {NS}>
        <sitemap><loc>http://www.example.com/sitemap1.xml.gz</loc><lastmod>2004-10-01T18:23:17+00:00</lastmod></sitemap>
        <sitemap><loc>http://www.example.com/sitemap2.xml.gz</loc><lastmod>2005-01-01</lastmod></sitemap>
        </sitemapindex>"""
    )
    assert listing.form == "sitemapindex"
    assert hrefs(listing, "I") == [f"http://www.example.com/sitemap{n}.xml.gz" for n in (1, 2)]


ONE = "http://a.test/1"
#: name -> (document, what it lists, whether something is said to be wrong)
MAPS = {
    "no namespace": (f"<urlset><url><loc>{ONE}</loc></url></urlset>", [ONE], False),
    "the namespace of Google": (
        f'<urlset xmlns="http://www.google.com/schemas/sitemap/0.84"><url><loc>{ONE}</loc></url></urlset>',
        [ONE],
        False,
    ),
    "a wrong namespace": (f'<urlset xmlns="https://example.org/"><url><loc>{ONE}</loc></url></urlset>', [ONE], False),
    "a prefix": (
        f'<sm:urlset xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9"><sm:url><sm:loc>{ONE}</sm:loc></sm:url>'
        "</sm:urlset>",
        [ONE],
        False,
    ),
    "a prefix that is not declared": (
        f"<urlset {NS}><url><loc>{ONE}</loc><image:image><image:loc>/i.png</image:loc></image:image></url></urlset>",
        [ONE, "/i.png"],
        False,
    ),
    "white space": (f"<urlset><url><loc>\n\t {ONE}\n </loc></url></urlset>", [ONE], False),
    "CDATA": (f"<urlset><url><loc><![CDATA[{ONE}?a&b]]></loc></url></urlset>", [f"{ONE}?a&b"], False),
    "a blank line before": (f"\n\n <?xml version='1.0'?><urlset><url><loc>{ONE}</loc></url></urlset>", [ONE], False),
    "an ampersand as such": (
        f"<urlset><url><loc>{ONE}?a=1&b=2&amp;c</loc></url></urlset>",
        [f"{ONE}?a=1&b=2&c"],
        False,
    ),
    "an ampersand as such, and CDATA": (
        f"<urlset><url><x><![CDATA[a&b]]></x><loc>{ONE}?a&b</loc></url>"
        f"<url><loc><![CDATA[{ONE}?c&d&amp;<!--]]></loc></url><!-- & <![CDATA[ -->"
        f"<url><loc>{ONE}?e&f</loc></url></urlset>",
        [f"{ONE}?a&b", f"{ONE}?c&d&amp;<!--", f"{ONE}?e&f"],
        False,
    ),
    "an ampersand as such, and CDATA without an end": (
        f"<urlset><url><loc>{ONE}?a&b</loc></url><url><loc><![CDATA[{ONE}",
        [f"{ONE}?a&b"],
        True,
    ),
    "a control character": (f"<urlset><url><loc>{ONE}\x03</loc></url></urlset>", [ONE], False),
    "not closed": (f"<urlset><url><loc>{ONE}</loc></url><url><loc>http://a.te", [ONE], True),
    "not closed inside an entry": (f"<urlset><url><loc>{ONE}</loc>", [ONE], True),
    "garbage behind": (f"<urlset><url><loc>{ONE}</loc></url></urlset>\n<!-- 1 s --> x", [ONE], True),
    "a comment behind": (f"<urlset><url><loc>{ONE}</loc></url></urlset>\n<!-- 1 s -->\n", [ONE], False),
    "empty": ("<urlset></urlset>", [], False),
    "empty loc": (f"<urlset><url><loc/></url><url><loc>{ONE}</loc></url></urlset>", [ONE], False),
    "two locs": (f"<urlset><url><loc>{ONE}</loc><loc>/2</loc></url></urlset>", [ONE, "/2"], False),
    "an unknown element with a loc": (f"<urlset><url><loc>{ONE}</loc><x><y/></x></url></urlset>", [ONE], False),
    "hreflang": (
        f'<urlset {NS} xmlns:xhtml="http://www.w3.org/1999/xhtml"><url><loc>{ONE}</loc>'
        '<xhtml:link rel="alternate" hreflang="de" href="/de"/><xhtml:link rel="other" href="/no"/></url></urlset>',
        [ONE, "/de"],
        False,
    ),
    "video": (
        f'<urlset xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"><url><loc>{ONE}</loc><video:video>'
        "<video:thumbnail_loc>/t.jpg</video:thumbnail_loc><video:content_loc>/v.mp4</video:content_loc>"
        "<video:title>x</video:title></video:video></url></urlset>",
        [ONE, "/t.jpg", "/v.mp4"],
        False,
    ),
    "entities": (f'<!DOCTYPE urlset [<!ENTITY a "{ONE}">]><urlset><url><loc>&a;</loc></url></urlset>', None, None),
}


@pytest.mark.parametrize("name", MAPS)
def test_sitemaps(name):
    document, expected, wrong = MAPS[name]
    listing = listed(document)
    if expected is None:
        assert listing is None or (listing.entries == () and listing.error)
        return
    assert (hrefs(listing), bool(listing.error)) == (expected, wrong)


@pytest.mark.parametrize(
    ("document", "form"),
    [
        ("<html><body><a href=x>y</a></body></html>", None),
        ("<!DOCTYPE html><title>Not found</title>", None),
        ("", None),
        ("no URL in any line\n", None),
        ('{"a": "http://a.test/"}', None),
        ("%PDF-1.4 http://a.test/", None),
        ("http://a.test/\n", "text"),
        ("\ufeffHTTP://a.test/\r\n\r\nhttps://b.test/ \n", "text"),
        ("ftp://a.test/x\n", "text"),
        ("<rss/>", "rss"),
        ("<urlset/>", "urlset"),
        ("<svg/>", None),
    ],
)
def test_what_it_is(document, form):
    listing = listed(document)
    assert (listing.form if listing else None) == form


def test_only_what_is_asked_for_is_read():
    assert listed("<urlset/>", maps=False) is None
    assert listed("<rss/>", feeds=False) is None
    assert listed("http://a.test/", text=False) is None
    assert (
        listed(json.dumps({"version": "https://jsonfeed.org/version/1", "items": []}), feeds=False, text=False) is None
    )


@pytest.mark.parametrize(
    ("encoding", "declared", "mark"),
    [
        ("utf-8", "UTF-8", b""),
        ("utf-8", "", b""),
        ("utf-8", "UTF-16", b""),
        ("utf-8", "UTF-8", codecs.BOM_UTF8),
        ("utf-16-le", "UTF-16", codecs.BOM_UTF16_LE),
        ("utf-16-be", "UTF-16", codecs.BOM_UTF16_BE),
        ("utf-16-le", "", b""),
        ("utf-16-be", "UTF-16", b""),
        ("latin-1", "ISO-8859-1", b""),
        ("cp1252", "windows-1252", b""),
    ],
)
def test_encodings_that_expat_knows(encoding, declared, mark):
    said = f' encoding="{declared}"' if declared else ""
    text = f'<?xml version="1.0"{said}?><urlset><url><loc>http://a.test/é</loc></url></urlset>'
    listing = listed(mark + text.encode(encoding))
    assert hrefs(listing) == ["http://a.test/é"]
    name = {"latin-1": "windows-1252", "cp1252": "windows-1252"}.get(encoding, encoding.replace("16-", "16"))
    by_label = declared and (encoding, declared) not in (("utf-8", "UTF-16"), ("utf-16-be", "UTF-16"))
    assert (listing.charset, listing.decided) == (name, "bom" if mark else "meta" if by_label else "content")
    assert listing.declared == (declared if not encoding.startswith("utf-16") else "")


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("koi8-r", "мир"),
        ("gb18030", "世界"),
        ("shift_jis", "世界"),
        ("euc-kr", "세계"),
        ("big5", "世界"),
        ("euc-jp", "世界"),
    ],
)
def test_encodings_that_it_lacks(encoding, text):
    document = f"<urlset><url><loc>http://a.test/{text}</loc></url></urlset>"
    declared = f"<?xml version='1.0' encoding='{encoding}'?>{document}".encode(encoding)
    assert (
        hrefs(listed(declared))
        == hrefs(listed(document.encode(encoding), charset=encoding))
        == [f"http://a.test/{text}"]
    )


def test_what_cannot_be_decoded_is_replaced():
    assert hrefs(listed(b"<urlset><url><loc>/\xff</loc></url><url><loc>/2</loc></url></urlset>")) == ["/\ufffd", "/2"]


RSS = """<?xml version="1.0"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"
     xmlns:media="http://search.yahoo.com/mrss/"><channel>
  <title>Liftoff  News</title><link>http://liftoff.example/</link><description>d</description>
  <atom:link href="http://liftoff.example/rss" rel="self"/><atom:link href="/rss?page=2" rel="next"/>
  <image><title>i</title><url>/logo.png</url><link>/image-link</link></image>
  <item><title>Star City</title><link>http://liftoff.example/star</link><guid>http://liftoff.example/#item573</guid>
    <pubDate>Tue, 03 Jun 2003 09:39:21 GMT</pubDate><enclosure url="/a.mp3" length="1" type="audio/mpeg"/></item>
  <item><description>no title</description><guid>http://liftoff.example/guid</guid></item>
  <item><title>not permanent</title><guid isPermaLink="false">urn:x:1</guid></item>
  <item><title>A &amp;amp; <![CDATA[B]]></title><link> /relative </link><dc:date>2003-06-04</dc:date>
    <media:thumbnail url="/t.png"/><media:content url="/m.mp4" type="video/mp4"/></item>
</channel></rss>"""


def test_rss_2():
    listing = listed(RSS)
    assert (listing.form, listing.title, listing.error) == ("rss", "Liftoff News", "")
    assert hrefs(listing, "t") == ["http://liftoff.example/"]
    assert hrefs(listing, "n") == ["/rss?page=2"]
    assert hrefs(listing, "v", "g") == ["/a.mp3", "/t.png", "/m.mp4"]
    assert [(each.href, each.title, each.changed) for each in listing.entries if each.kind == ord("e")] == [
        ("http://liftoff.example/star", "Star City", 1054633161.0),
        ("http://liftoff.example/guid", "", None),
        ("/relative", "A &amp; B", 1054684800.0),
    ]


def test_rss_091_has_a_dtd_that_is_not_fetched():
    listing = listed(
        '<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.example/rss.dtd">'
        '<rss version="0.91"><channel><title>caf&eacute;</title><item><link>/1</link></item></channel></rss>'
    )
    assert (hrefs(listing), listing.error) == (["/1"], "")


@pytest.mark.parametrize(
    "document",
    [
        "<rss><channel><item><title><![CDATA[a&b]]></title><link>/?a&b</link></item></channel></rss>",
        '<feed><entry><title><![CDATA[a&b]]></title><link href="/?a&b"/></entry></feed>',
        '<rdf:RDF xmlns:rdf="r"><item><title><![CDATA[a&b]]></title><link>/?a&b</link></item></rdf:RDF>',
        "<rss><channel><item><title>a&b\x03</title><link>/?a&b</link></item></channel></rss>",
    ],
    ids=["RSS", "Atom", "RDF", "a control character"],
)
def test_feeds_with_an_ampersand_as_such(document):
    (entry,) = (listing := listed(document)).entries
    assert (entry.href.rpartition("/")[2], entry.title, listing.error) == ("?a&b", "a&b", "")


def test_rss_1():
    listing = listed(
        """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
        xmlns:dc="http://purl.org/dc/elements/1.1/">
        <channel rdf:about="http://www.xml.com/xml/news.rss"><title>XML.com</title><link>http://xml.com/pub</link>
          <items><rdf:Seq><rdf:li resource="http://xml.com/1"/></rdf:Seq></items></channel>
        <image rdf:about="http://xml.com/i.gif"><title>x</title><link>http://www.xml.com</link></image>
        <item rdf:about="http://xml.com/1"><title>One</title><link>http://xml.com/one</link><dc:date>2000-08-09</dc:date></item>
        <item rdf:about="http://xml.com/2"><title>Two</title></item></rdf:RDF>"""
    )
    assert (listing.form, listing.title) == ("rdf", "XML.com")
    assert [(each.href, each.title) for each in listing.entries if each.kind == ord("e")] == [
        ("http://xml.com/one", "One"),
        ("http://xml.com/2", "Two"),
    ]


def test_atom():
    listing = listed(
        """<?xml version="1.0" encoding="utf-8"?>
        <feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://example.org/blog/">
          <title type="text">dive into mark</title><link rel="self" href="feed.atom"/><link href="./"/>
          <entry xml:base="2005/"><title>Atom draft-07 snapshot</title><updated>2005-07-31T12:29:29Z</updated>
            <link rel="alternate" type="text/html" href="04/02/atom"/>
            <link rel="enclosure" type="audio/mpeg" href="/audio/ph34r.mp3"/><link rel="edit" href="edit"/>
            <published>2003-12-13T08:29:29-04:00</published>
            <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><a href="x">x</a></div></content>
          </entry>
          <entry><title>Two</title><link href="two"/></entry>
        </feed>"""
    )
    assert (listing.form, listing.title) == ("atom", "dive into mark")
    assert hrefs(listing) == [
        "http://example.org/blog/",
        "http://example.org/blog/2005/04/02/atom",
        "http://example.org/audio/ph34r.mp3",
        "http://example.org/blog/two",
    ]
    assert [each.changed for each in listing.entries][1] == 1122812969.0


SOURCE = """<source><id>tag:b.test</id><title>Source</title><updated>2030-01-01T00:00:00Z</updated>
    <link href="http://b.test/source"/><link rel="alternate" href="http://b.test/"/><link rel="self" href="http://b.test/f"/>
    <link rel="enclosure" href="http://b.test/a.mp3"/><link rel="next" href="http://b.test/next"/>
    <author><name>B</name><uri>http://b.test/author</uri></author><icon>http://b.test/i.png</icon>
    <m:thumbnail url="http://b.test/t.png"/><m:group><m:content url="http://b.test/v.mp4"/></m:group>
  </source>"""
NOT_OF_THE_ENTRY = [
    SOURCE,
    '<author><name>A</name><uri>http://b.test/author</uri><link href="http://b.test/"/></author>',
    '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><link href="http://b.test/x.css"/></div></content>',
    '<content type="application/xml"><svg><link href="http://b.test/"/><enclosure url="http://b.test/e"/></svg></content>',
    '<rights><link href="http://b.test/"/></rights>',
    '<m:group><m:player url="http://b.test/player"/><link href="http://b.test/"/></m:group>',
]


@pytest.mark.parametrize("inner", NOT_OF_THE_ENTRY)
def test_what_an_entry_holds_is_not_its_link(inner):
    """RFC 4287 section 4.2.11: a source has the head of the feed from which an entry was copied."""
    link = '<link href="http://a.test/1"/><title>One</title><updated>2020-01-01T00:00:00Z</updated>'
    for entry in (f"{link}{inner}", f"{inner}{link}"):
        listing = listed(
            f"""<feed xmlns="http://www.w3.org/2005/Atom" xmlns:m="http://search.yahoo.com/mrss/">
            <link href="http://a.test/"/><entry>{entry}</entry><entry><link href="http://a.test/2"/></entry></feed>"""
        )
        assert hrefs(listing) == ["http://a.test/", "http://a.test/1", "http://a.test/2"]
        assert (listing.entries[1].title, listing.entries[1].changed) == ("One", 1577836800.0)
    alone = listed(f'<feed xmlns="http://www.w3.org/2005/Atom" xmlns:m="urn:m"><entry>{inner}</entry></feed>')
    assert hrefs(alone) == []


def test_what_an_item_holds_is_not_its_link():
    listing = listed(
        """<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
        <channel><link>http://a.test/</link><image><url>http://a.test/i.png</url><link>http://b.test/image</link></image>
          <textInput><link>http://b.test/search</link></textInput>
          <item><atom:source><atom:link href="http://b.test/"/><link>http://b.test/2</link></atom:source>
            <source url="http://b.test/feed">B</source><link>http://a.test/1</link>
            <atom:author><atom:uri>http://b.test/author</atom:uri></atom:author>
            <media:group><media:content url="/v.mp4"><media:thumbnail url="/t.png"/></media:content></media:group>
          </item>
        </channel></rss>"""
    )
    assert hrefs(listing) == ["http://a.test/", "http://a.test/1", "/v.mp4", "/t.png"]


def test_json_feed():
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "My feed",
        "home_page_url": "https://example.org/",
        "next_url": "/feed?2",
        "items": [
            {"id": "2", "title": "a\n b", "url": "/second", "date_modified": "2010-02-07T14:04:00-05:00"},
            {
                "id": "1",
                "external_url": "/out",
                "attachments": [{"url": "/a.mp3", "mime_type": "audio/mpeg"}],
                "image": "/i",
            },
            *(["no item"], {"id": "0"}, {"url": 5}),
        ],
    }
    listing = listed(json.dumps(feed), text=False)
    assert (listing.form, listing.title) == ("json", "My feed")
    assert [(each.href, chr(each.kind), each.title) for each in listing.entries] == [
        ("https://example.org/", "t", ""),
        ("/feed?2", "n", ""),
        ("/second", "e", "a b"),
        ("/out", "e", ""),
        ("/i", "g", ""),
        ("/a.mp3", "v", ""),
    ]
    assert listing.entries[2].changed == 1265569440.0


@pytest.mark.parametrize(
    "many",
    [
        "<urlset>" + "".join(f"<url><loc>/{n}</loc></url>" for n in range(9)) + "</urlset>",
        "<rss><channel>" + "".join(f"<item><link>/{n}</link></item>" for n in range(9)) + "</channel></rss>",
        "".join(f"http://a.test/{n}\n" for n in range(9)),
        json.dumps({"version": "https://jsonfeed.org/version/1", "items": [{"url": f"/{n}"} for n in range(9)]}),
    ],
)
def test_no_more_entries_than_are_wanted(many):
    for most, error in ((3, "only the first 3 entries are read"), (9, "")):
        listing = listed(many, most=most)
        assert (len(listing.entries), listing.error) == (most, error)


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
BOMBS = {
    "billion laughs": f'<!DOCTYPE urlset [<!ENTITY l0 "lol">{LAUGHS}]><urlset><url><loc>&l9;</loc></url></urlset>',
    "quadratic blow-up": f'<!DOCTYPE urlset [<!ENTITY a "{"a" * 50_000}">]><urlset><url><loc>{"&a;" * 9999}</loc>',
    "a file": '<!DOCTYPE urlset [<!ENTITY a SYSTEM "file:///etc/passwd">]><urlset><url><loc>&a;</loc></url></urlset>',
    "a parameter entity": '<!DOCTYPE urlset [<!ENTITY % a SYSTEM "http://a.test/x">%a;]><urlset/>',
    "an external subset": '<!DOCTYPE urlset SYSTEM "file:///etc/passwd"><urlset><url><loc>&a;</loc></url></urlset>',
    "attributes by a DTD": '<!DOCTYPE urlset [<!ATTLIST url x CDATA "y">]><urlset><url/></urlset>',
    "nested": "<urlset>" + "<url>" * 1_000_000,
    "nested, JSON": '{"version": "https://jsonfeed.org/version/1", "items": ' + "[" * 1_000_000,
    "a long text": "<urlset><url><loc>" + "x" * 10_000_000 + "</loc></url></urlset>",
    "a long name": "<urlset><" + "x" * 10_000_000 + "/></urlset>",
    "attributes": "<urlset " + " ".join(f'a{n}=""' for n in range(200_000)) + "/>",
    "namespaces": "<urlset " + " ".join(f'xmlns:a{n}="{n}"' for n in range(100_000)) + "/>",
    "namespaces in each element": "<urlset>"
    + "".join(f'<a{n}:x xmlns:a{n}="u"/>' for n in range(50_000))
    + "</urlset>",
    "CDATA without an end": "<urlset>&" + "<![CDATA[" * 1_000_000,
    "comments without an end": "<urlset>&" + "<!--" * 1_000_000,
    "a long number": "<urlset><url><priority>" + "9" * 1_000_000 + "</priority><lastmod>" + "1" * 1_000_000,
}


@pytest.mark.parametrize("name", one_in(3, BOMBS))
def test_bombs(name):
    listing = listed(BOMBS[name], text=False)
    assert listing is None or sum(len(each.href) for each in listing.entries) < 20_000
    if "ENTITY" in BOMBS[name]:
        assert listing is None or (listing.entries == () and listing.error)
