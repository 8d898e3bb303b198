"""`ttcrawl verify` finds revisit records of identical bytes whose response is lost; `--repair` leaves them out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.support.crawls.crawling import crawl, query, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, page
from ttcrawl.cli import main
from ttcrawl.inspect.verify.revisits import UNKNOWN_ORIGINAL

#: The page with the bytes, the page that refers to it, and what they are after the loss.
ORIGINAL, COPY = "/a", "/b"
SAME = Answer(body=page(title="same", content="words " * 50))
LATER = {"the same": (SAME, SAME), "others": (Answer(body=page(title="a")), Answer(body=page(title="b")))}


def references(directory: Path) -> Iterator[tuple[str, tuple[str, str], bool]]:
    """(Type, URL and date, whether it is a response or refers to one) of each record of an answer."""
    records, responses = [], set()
    for path in sorted((directory / "warc").glob("*.warc.gz")):
        with open(path, "rb") as file:
            for record in ArchiveIterator(file):
                field, prefix = record.rec_headers.get_header, "WARC-Refers-To-"
                own = field("WARC-Target-URI"), field("WARC-Date")
                if record.rec_type == "response":
                    responses.add(own)
                    records.append((record.rec_type, own, own))
                elif record.rec_type == "revisit":
                    records.append((record.rec_type, own, (field(f"{prefix}Target-URI"), field(f"{prefix}Date"))))
    return ((kind, own, refers in responses) for kind, own, refers in records)


def damage(directory: Path, url: str) -> None:
    sql = f"SELECT file, offset + size - 12 FROM page JOIN url ON url.id = page.url WHERE url.url = '{url}'"
    ((name, position),) = query(directory, sql)
    path = directory / "warc" / name
    data = bytearray(path.read_bytes())
    data[position] ^= 0xFF
    path.write_bytes(data)


@pytest.mark.parametrize("later", LATER.values(), ids=LATER)
def test_copies_of_a_lost_response_go_with_it(tmp_path: Path, later: tuple[Answer, Answer]) -> None:
    directory = tmp_path / "c"
    pages = {"/": [Answer(body=page(ORIGINAL, COPY))], ORIGINAL: [SAME, later[0]], COPY: [SAME, later[1]]}
    with Web({("a.test", path): answers for path, answers in pages.items()}) as web:
        options = ("--no-obey-delay", "--inline", "--set", "frontier.priority=first")
        assert crawl(web, web.url("a.test", "/"), directory, *options).status == 0
        ((original,),) = query(directory, "SELECT url FROM url WHERE id = (SELECT max(payload) FROM page)")
        assert [sound for kind, _, sound in references(directory) if kind == "revisit"] == [True]
        damage(directory, original)
        assert f"\n{UNKNOWN_ORIGINAL}: 1 " in verified(directory)
        assert main(["verify", str(directory), "--repair"]) == 1
        assert verified(directory) == "" and {kind for kind, _, _ in references(directory)} == {"response"}
        assert query(directory, "SELECT count(*) FROM url WHERE state = 'queued'") == [(2,)]
        assert run("resume", directory, "--progress", "none").returncode == 0
    assert verified(directory) == "" and all(sound for _, _, sound in references(directory))
    assert query(directory, "SELECT count(*) FROM page JOIN url ON url.id = page.url WHERE state = 'fetched'") == [(3,)]
