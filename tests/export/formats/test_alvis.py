"""Documents of the Alvis project, in the elements and the order of Combine's example (conformance/combine)."""

import base64
import gzip
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests.export.alvis_documents import NS, schema
from tests.support.conformance import conformance_file
from tests.support.xml_schema import xml_schema
from ttcrawl.cli import main
from ttcrawl.export.formats.alvis import identifier
from ttcrawl.export.formats.dc import NAMESPACES


def names(element):
    """The names of all elements below, each once, in order."""
    return list(dict.fromkeys(each.tag.rpartition("}")[2] for each in element.iter()))


@pytest.fixture
def documents(export, site):
    """URL -> document."""
    tree = ElementTree.parse(export("alvis", crawl=site[1]))
    return {next(each.iter(f"{NS}url")).text: each for each in tree.getroot()}


@pytest.mark.slow
def test_a_document_for_each_content(documents, site):
    web, _ = site
    home, b, copy, new = (web.url("a.test", path) for path in ("/", "/b?x=1&y=2", "/copy", "/new"))
    assert {*documents} in ({home, b, new, web.url("a.test", "/s.css")}, {home, copy, new, web.url("a.test", "/s.css")})
    (original,) = {b, copy} & {*documents}
    assert [each.text for each in documents[original].iter(f"{NS}url")] == [original, *({b, copy} - {original})]
    assert documents[home].get("id") == identifier(home)


def test_the_original_the_text_and_the_links(documents, site):
    web, _ = site
    home = documents[web.url("a.test", "/")]
    (original,) = home.iter(f"{NS}originalDocument")
    assert gzip.decompress(base64.b64decode(original.text)).startswith(b"<title>Home</title>")
    assert original.attrib == {
        **{"mimeType": "text/html", "compression": "gzip"},
        **{"encoding": "base64", "charSet": "UTF-8"},
    }
    assert "word59" in "".join(home.find(f".//{NS}canonicalDocument").itertext())
    links = home.findall(f".//{NS}outlinks/{NS}link")
    texts = [(each.get("type"), each.findtext(f"{NS}anchorText")) for each in links]
    assert texts[:2] == [("a", "the b"), ("a", "old")] and len(texts) == 5  # the style sheet has no type in the format
    assert links[0].find(f"{NS}location").attrib == {"documentId": identifier(web.url("a.test", "/b?x=1&y=2"))}
    inlinks = home.findall(f".//{NS}inlinks/{NS}link")
    assert {each.findtext(f"{NS}anchorText") for each in inlinks} == {"home again"} and len(inlinks) == 2
    assert home.findtext(f".//{NS}inlinkHosts") == "0"


def test_a_page_in_xhtml_has_its_original(export, xhtml):
    directory, content = xhtml
    (original,) = ElementTree.parse(path := export("alvis", crawl=directory)).iter(f"{NS}originalDocument")
    assert gzip.decompress(base64.b64decode(original.text)) == content
    assert original.get("mimeType") == "application/xhtml+xml"
    schema().validate(path)


def test_elements_and_order_are_those_of_combine(documents):
    example = next(iter(ElementTree.parse(conformance_file("combine/ex_alvis.xml")).getroot()))
    of_combine = names(example)
    for document in documents.values():
        ours = names(document)
        assert {*ours} <= {*of_combine}
        acquisition = [each.tag for each in document.find(f"{NS}acquisition")]
        assert acquisition == [each.tag for each in example.find(f"{NS}acquisition") if each.tag in acquisition]


def test_documents_are_valid(export, site):
    """By a schema that the output of Combine itself is valid by."""
    for path in (export("alvis", crawl=site[1]), export("alvis", name="hostile")):
        assert [error.reason for error in schema().iter_errors(path)] == []
    invalid = path.read_text().replace("<checkedDate>", "<checkedDate>on ").replace("urls>", "addresses>")
    assert len({error.path for error in schema().iter_errors(invalid)}) > 1
    schema().validate(conformance_file("combine/ex_alvis.xml"))


def test_hostile_titles_are_well_formed(export, directory):
    for form in ("alvis", "dc"):
        (record, *_) = ElementTree.parse(export(form)).getroot()
        assert "evil" in "".join(record.itertext())


def test_dublin_core(export, site):
    dublin_core = xml_schema(Path(__file__).with_name("oai_dc.xsd"))
    web, crawl = site
    records = ElementTree.parse(export("dc", crawl=crawl)).getroot().findall(f".//{{{NAMESPACES['xmlns:oai_dc']}}}dc")
    dc = f"{{{NAMESPACES['xmlns:dc']}}}"
    for record in records:
        dublin_core.validate(record)
    told = {record.findtext(f"{dc}identifier"): record for record in records}
    home = told[web.url("a.test", "/")]
    assert home.findtext(f"{dc}title") == "Home" and home.findtext(f"{dc}format") == "text/html"
    assert len(told) == 4 and main(["export", str(crawl), "--format", "dc", "--text"]) == 2
