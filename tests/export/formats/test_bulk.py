"""Bulk lines by the documented rules: https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-bulk."""

import json
from datetime import datetime

import pytest

from tests.library.sample_crawl import EVIL, HOME, MAIN, TEXT
from ttcrawl.cli import main
from ttcrawl.export.formats.bulk import FIELDS, LONGEST_ID, document_id, write_parts


def pairs(data):
    """(action, document) of the lines of a body, which ends with a line feed."""
    assert data.endswith(b"\n") and b"\r" not in data
    lines = [json.loads(line) for line in data.split(b"\n")[:-1]]
    assert len(lines) % 2 == 0
    return [*zip(lines[::2], lines[1::2], strict=True)]


@pytest.mark.parametrize("crawl", ["sample", "site"])
def test_the_lines_obey_the_rules_of_the_mapping(export, directory, site, crawl):
    documents = pairs(export("bulk", crawl=directory if crawl == "sample" else site[1]).read_bytes())
    assert documents
    for action, document in documents:
        assert [*action] == ["index"] and [*action["index"]] == ["_id"]
        assert len(action["index"]["_id"].encode()) <= LONGEST_ID
        assert {*document} <= {*FIELDS}
        for name, value in document.items():
            match FIELDS[name]["type"]:
                case "date" if "ignore_malformed" not in FIELDS[name]:
                    datetime.fromisoformat(value)
                case "long" | "short":
                    assert isinstance(value, int)
                case "keyword":
                    assert isinstance(value, str)
                case "text":
                    assert isinstance(value, str) or all(isinstance(each, str) for each in value)


def test_a_document_has_the_texts_of_its_page(export):
    of_url = {action["index"]["_id"]: document for action, document in pairs(export("bulk").read_bytes())}
    home = of_url[HOME]
    assert (home["title"], home["text"], home["main_text"], home["language"]) == (EVIL, TEXT, MAIN, "en")


def test_copies_and_redirects_are_no_documents(export, site):
    web, crawl = site
    urls = {document["url"] for _, document in pairs(export("bulk", crawl=crawl).read_bytes())}
    assert web.url("a.test", "/old") not in urls and web.url("a.test", "/gone") not in urls
    assert len(urls & {web.url("a.test", "/copy"), web.url("a.test", "/b?x=1&y=2")}) == 1


def test_a_long_url_has_a_digest_as_its_id():
    assert document_id("http://a.test/" + "x" * 498) == "http://a.test/" + "x" * 498
    assert len(document_id("http://a.test/" + "x" * 499)) == len("sha256:") + 64


def test_a_directory_gets_parts_and_the_mapping(directory, tmp_path, capsys):
    assert main(["export", str(directory), "--format", "bulk", "-o", str(tmp_path)]) == 0
    assert {path.name for path in (tmp_path / "bulk").iterdir()} == {"mapping.json", "part-00001.ndjson"}
    assert json.loads((tmp_path / "bulk" / "mapping.json").read_text())["mappings"]["properties"] == FIELDS
    assert main(["export", str(directory), "--format", "bulk", "-o", str(tmp_path)]) == 2
    assert "exists: remove it, or name another directory" in capsys.readouterr().err


def test_parts_end_between_documents(tmp_path):
    write_parts(tmp_path, [b"a" * 40, b"b" * 40, b"c" * 30, b"d" * 200, b"e"], 100)
    parts = [path.read_bytes()[:1] + b"%d" % path.stat().st_size for path in sorted(tmp_path.iterdir())]
    assert parts == [b"a80", b"c30", b"d200", b"e1"]
