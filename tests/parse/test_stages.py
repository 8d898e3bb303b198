"""What is put off, by the kind of content, and that both stages together are what one would be."""

from dataclasses import replace

import pytest
from msgspec import structs

from tests.parse.reading import HTML, read
from tests.read.documents.made import ODT, odt
from tests.support.cases import some_fast
from tests.support.web.site import page
from ttcrawl.config import Config
from ttcrawl.config.compiled import compile_scope
from ttcrawl.parse.read import Reader
from ttcrawl.parse.stages import first_stage, second_stage
from ttcrawl.parse.worker import read_archived
from ttcrawl.ring.columns import Fingerprint, Reading
from ttcrawl.ring.messages import PAGE, Archived, Broken, Failed, Fetched, Read, Request
from ttcrawl.ring.position import Position
from ttcrawl.vocabulary.reason import NONE
from ttcrawl.web.storable import replace as changed

pytestmark = pytest.mark.usefixtures("reader")

URL = "http://a.test/d/page"
NOW = Config()
LATER = replace(NOW, record=replace(NOW.record, reading="later"))
#: Links of documents are neither followed nor recorded.
NO_DOCUMENTS = replace(LATER, links=replace(LATER.links, kinds="anchor next"))
NOTHING = replace(
    LATER,
    record=replace(LATER.record, metadata=False, text=False, main=False, language=False),
    links=replace(LATER.links, anchors=False, landmarks=False),
    duplicates=replace(LATER.duplicates, exact=False, near=False),
)
BODY = page("/b", "", "#top", "mailto:x", title="Title", content="<nav><a href=/c>Menu</a></nav><p>Words of its own.")
TEXT, PNG, CSS = (("Content-Type", each) for each in ("text/plain", "image/png", "text/css"))
OFFICE = ("Content-Type", ODT)
REDIRECTED = ("Link", "<other>; rel=canonical")

CONTENTS = {
    "html": (BODY, (HTML,)),
    "html with a link in its head": (BODY, (HTML, REDIRECTED, ("X-Robots-Tag", "noarchive"))),
    "html with its own address": (b'<link rel=canonical href="?x"><p>A few words', (HTML,)),
    "text": (b"plain words", (TEXT,)),
    "document": (odt("http://b.test/in"), (OFFICE,)),
}


@pytest.mark.parametrize(
    ("body", "headers", "config", "unread"),
    [
        (BODY, (HTML,), NOW, False),
        (BODY, (HTML,), LATER, True),
        (BODY, (HTML,), NOTHING, False),
        (b"", (HTML,), LATER, False),
        (b"plain words", (TEXT,), LATER, True),
        (b"\x89PNG\r\n\x1a\n", (PNG,), LATER, False),
        (b"a {}", (CSS,), LATER, False),
        (b"<rss><channel><item><link>/x</link></item></channel></rss>", (("Content-Type", "text/xml"),), LATER, False),
        (odt(), (OFFICE,), LATER, False),  # its links need its text
        (odt(), (OFFICE,), NO_DOCUMENTS, True),
        (b"PK\3\4", (("Content-Type", "application/zip"),), NO_DOCUMENTS, False),
    ],
)
def test_what_is_put_off(tmp_path, body, headers, config, unread):
    found = read(tmp_path / "warc", URL, body, config, headers)
    assert found.unread == unread
    if unread:
        assert (found.outlinks.landmarks, found.outlinks.anchors) == (b"", "")
        assert found.reading == Reading(document=found.reading.document, fingerprint=Fingerprint())


@pytest.mark.parametrize("config", [NOW, replace(NOW, links=replace(NOW.links, parser="regex"))])
def test_a_crawl_that_reads_at_once_has_one_stage(config):
    assert first_stage(config) is config


@pytest.mark.parametrize("name", CONTENTS)
@pytest.mark.parametrize("later", some_fast([LATER, NO_DOCUMENTS], LATER), ids=["later", "no links of documents"])
def test_both_stages_are_one(tmp_path, name, later):
    body, headers = CONTENTS[name]
    now = replace(later, record=replace(later.record, reading="now"))
    whole = read(tmp_path / "now" / "warc", URL, body, now, headers)
    first = read(tmp_path / "later" / "warc", URL, body, later, headers)
    second = stage_of(tmp_path / "later" / "warc", first, later) if first.unread else None
    left_out = {"archived", "unread", *(fields_of(second) if second else ())}
    expected, found = fields_of(whole), fields_of(first)
    for field in found.keys() - left_out:
        if first.unread and field == "url_independent":
            continue  # decided by the first stage alone: a copy of it is read by itself
        if first.unread and field == "look":
            expected[field] = (0, 0)  # it needs the text
        assert found[field] == expected[field], field
    for field, value in fields_of(second).items() if second else ():
        if field == "document" and value is not None and not expected[field].converter:
            continue  # its name, as the first stage has it
        assert value == expected[field], field


def fields_of(message):
    """The fields of a message, and of its groups."""
    fields = structs.asdict(message)
    groups = [fields.pop(name) for name in ("headers", "facts", "counts", "outlinks", "reading") if name in fields]
    return fields | {name: value for group in groups for name, value in structs.asdict(group).items()}


def stage_of(archive, first, config, **values):
    second = second_stage(config)
    reader = Reader(second, compile_scope(second.scope, [URL]), archive, None)
    times = {"started": 0.0, "ended": 0.0, "head_size": 0, "body_size": first.facts.length}
    fetched = Fetched(token=1, status=200, address="", **times, refused=NONE, digest=first.digest)
    request = Request(token=1, kind=PAGE, url=URL, depth=0, not_before=0.0)
    return read_archived(
        reader, structs.replace(Read(request=request, fetched=fetched, head=first.archived), **values), archive
    )


#: The archive of one process.
FILE = Position(series=0).file


@pytest.mark.parametrize(
    "values",
    [
        {"head": Archived(file=FILE, offset=1, length=9)},
        {"request": Request(token=1, kind=PAGE, url="http://a.test/other", depth=0, not_before=0.0)},
        {"payload": Archived(file=FILE, offset=1, length=9)},
    ],
    ids=["no record", "of another URL", "no body"],
)
def test_a_record_that_is_another_one_fails(tmp_path, values):
    first = read(tmp_path / "warc", URL, BODY, LATER)
    failed = stage_of(tmp_path / "warc", first, LATER, **values)
    assert isinstance(failed, Failed) and failed.reason == "parse: DamagedRecordError"


def test_other_bytes_fail_and_a_missing_file_stops_the_run(tmp_path):
    first = read(tmp_path / "warc", URL, BODY, LATER)
    assert isinstance(stage_of(tmp_path / "warc", changed(first, digest=b"0" * 16), LATER), Failed)
    (tmp_path / "warc" / first.archived.file).unlink()
    broken = stage_of(tmp_path / "warc", first, LATER)
    assert isinstance(broken, Broken) and "restore the file" in broken.message
