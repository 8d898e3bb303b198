"""The fingerprints of pages as a parse process makes them."""

from dataclasses import replace

import pytest

from tests.parse.reading import read
from tests.read.documents.documents import body as document
from ttcrawl.config import Config, Duplicates, Links, Record
from ttcrawl.ring.columns import Fingerprint
from ttcrawl.web import storable

pytestmark = pytest.mark.usefixtures("reader")

SENTENCES = "".join(f"<p>Sentence {n} says that paragraph {n * 3} is about {n * 7} birds.</p>" for n in range(20))
PAGE = f"""<html lang=en><title>Birds</title><nav><a href=/a>Home</a> <a href=/b>News</a></nav>
<main><h1>Birds</h1>{SENTENCES}<pre>a   b
  c</pre></main><footer>Number 1</footer>"""
ON = Config(duplicates=Duplicates(min_words=20))
NOTHING = Record(sniff=False, metadata=False, text=False, main=False, language=False)


@pytest.fixture
def known(tmp_path):
    def make(body, config=ON, headers=(("Content-Type", "text/html; charset=utf-8"),), url="http://a.test/x/y"):
        body = body if isinstance(body, bytes) else body.encode()
        return read(tmp_path / "warc", url, body, config, headers).reading.fingerprint

    return make


def test_a_page(known):
    found = known(PAGE)
    assert found.text and found.bands and found.signature and found.shingles


@pytest.mark.parametrize("parser", ["lexbor", "html5lib", "regex"])
@pytest.mark.parametrize("record", [Record(), NOTHING, replace(NOTHING, text=True), replace(NOTHING, metadata=True)])
def test_whatever_else_is_asked_of_pages(known, parser, record):
    config = replace(ON, record=record, links=Links(parser=parser))
    # the regular expression does not know the texts of links, by which menus are known
    assert known(PAGE, config).text == known(PAGE).text
    assert known(PAGE, config).shingles == known(PAGE).shingles


SAME = {
    "markup": PAGE.replace("<p>", "<div class=x><p>").replace("</p>", "</p></div>"),
    "case": PAGE.replace("Sentence", "SENTENCE"),
    "white space": PAGE.replace(" is about ", " \n is\tabout&nbsp;"),
    "comment": PAGE.replace("<main>", "<!-- made in 0.1 s --><script>var session = 5</script><main>"),
}


@pytest.mark.parametrize("body", SAME.values(), ids=SAME)
def test_the_same_text(known, body):
    assert known(body) == known(PAGE)


def test_another_footer_is_another_text_and_the_same_main_text(known):
    one, other = known(PAGE), known(PAGE.replace("Number 1", "Number 2"))
    assert one.text != other.text and one == storable.replace(other, text=one.text)


@pytest.mark.parametrize("recorded", [Links().recorded, ""])
@pytest.mark.parametrize("parser", ["lexbor", "regex"])
def test_the_pages_of_a_gallery_differ_in_their_pictures(known, recorded, parser):
    links = Links(kinds="anchor", recorded=recorded, parser=parser)
    config = replace(ON, links=links)
    shown = [known(PAGE.replace("<h1>", f"<img src='img/{n}.jpg?sid={n}'><h1>"), config).text for n in (1, 2, 2)]
    assert shown[0] != shown[1] == shown[2]
    assert known(PAGE.replace("<h1>", "<img src='/other/2.jpg'><h1>"), config).text == shown[2]
    assert known(PAGE, config).text not in shown


def test_pages_that_a_script_will_fill_differ_in_their_titles(known):
    assert known(PAGE.replace("<title>Birds", "<title>Fish")).text != known(PAGE).text


PLAIN = "\n".join(f"Line {n} of a text with {n * 3} words, or so it says." for n in range(30))


@pytest.mark.parametrize(
    ("kind", "body"),
    [("text/plain", PLAIN.encode()), ("text/markdown", PLAIN.encode()), ("application/pdf", document("text.pdf"))],
)
@pytest.mark.parametrize("record", [Record(), NOTHING])
def test_what_is_no_html(known, kind, body, record):
    config = replace(ON, record=record, duplicates=Duplicates(min_words=1))
    found = known(body, config, headers=(("Content-Type", kind),))
    assert found.shingles and found.signature
    assert found == known(body, replace(config, record=Record()), headers=(("Content-Type", kind),))


def test_the_same_words_as_plain_text(known):
    as_html = "<html>" + "".join(f"<p>{line}</p>\n" for line in PLAIN.split("\n"))
    assert known(as_html) == known(PLAIN, headers=(("Content-Type", "text/plain"),))


def test_what_has_no_text_is_known_by_its_bytes_alone(known):
    assert known(b"\x89PNG\r\n\x1a\n" + bytes(50), headers=(("Content-Type", "image/png"),)) == Fingerprint()


@pytest.mark.parametrize(("exact", "near"), [(True, False), (False, True), (False, False)])
def test_only_what_is_asked_for(known, exact, near):
    found = known(PAGE, Config(duplicates=Duplicates(exact=exact, near=near)))
    assert bool(found and found.text) == exact and bool(found and found.shingles) == near
    assert (found is None) == (not exact and not near)
