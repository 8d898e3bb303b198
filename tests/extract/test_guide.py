"""docs/guides/extract.md: its commands run over a shop, and its functions find what they say."""

import csv
import json
import re
import shlex
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.crawls.crawling import crawl
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web

GUIDE = (Path(__file__).parents[2] / "docs" / "guides" / "extract.md").read_text()
COMMANDS = re.findall(r"^    ttcrawl (extract .*)$", GUIDE, re.MULTILINE)
(SHOP,) = re.findall(r"```python\n# shop.py\n(.*?)```", GUIDE, re.DOTALL)
((COMPARE, COMPARED),) = re.findall(r"\$ ttcrawl (extract .*)\n((?:      .*\n)+)", GUIDE)

PAGES = 5
PAGE = """<!DOCTYPE html><html lang=en><title>Tea {n}</title><h1>Tea {n}</h1><b class=price>{n}.50 €</b>
<div class=gallery><img src=/{n}.png><img src=/{n}b.png></div>
<p class=review><b class=author>Ann</b> <i class=stars>4</i></p>
<p class=review><b class=author>Bob</b> <i class=stars>{n}</i></p>
<table class=facts><tr><th>Origin<th>Grams<tr><td>Assam<td>{n}00</table>
<div itemscope itemtype="https://schema.org/Product"><span itemprop=name>Tea {n}</span></div>
<script type="application/ld+json">{{"@type": "Product", "name": "Tea {n}"}}</script><a href="/{next}">next</a>"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    pages = {
        ("a.test", f"/{n or ''}"): Answer(body=PAGE.format(n=n, next=(n + 1) % PAGES or "").encode())
        for n in range(PAGES)
    }
    with Web(pages) as web:
        directory = tmp_path_factory.mktemp("guide") / "shop"
        done = crawl(web, web.url("a.test", "/"), directory, "--set", "politeness.delay=0")
        assert done.status == 0, done.err
    return directory


@pytest.fixture
def called(shop, tmp_path):
    """Call a command of the guide beside its shop.py: what it prints, and the rows of the file that it writes."""
    (tmp_path / "shop.py").write_text(SHOP)
    (shop / "items.db").unlink(missing_ok=True)

    def called(command):
        words = shlex.split(command.replace(" shop ", f" {shlex.quote(str(shop))} ", 1))
        done = run(*words, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout, rows(tmp_path / words[words.index("-o") + 1]) if "-o" in words else None

    return called


def rows(path):
    """All rows of a file of items; those of SQLite by the name of their table."""
    match path.suffix:
        case ".csv":
            return list(csv.DictReader(path.open()))
        case ".jsonl":
            return [json.loads(line) for line in path.open()]
        case ".parquet":
            import pyarrow.parquet

            return pyarrow.parquet.read_table(path).to_pylist()
        case ".sqlite":
            with closing(sqlite3.connect(path)) as db:
                names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
                return {name: db.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names}


#: Words of a command of the guide -> what the file has of the shop.
WRITTEN = {
    "-o items.parquet": lambda rows: sorted(row["price"] for row in rows) == [n + 0.5 for n in range(PAGES)],
    "-o shop.sqlite": lambda rows: rows == {"shop.py:page": PAGES, "shop.py:reviews": 2 * PAGES},
    "-o items.csv": lambda rows: {len(json.loads(row["pictures"])) for row in rows} == {2} and len(rows) == PAGES,
    "-o reviews.csv": lambda rows: sorted(row["author"] for row in rows) == ["Ann"] * PAGES + ["Bob"] * PAGES,
    "-o products.jsonl": lambda rows: sorted(row["name"] for row in rows) == [f"Tea {n}" for n in range(PAGES)],
    "-o facts.sqlite": lambda rows: sorted(rows.values()) == [PAGES, PAGES],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_run(called, command):
    out, written = called(command)
    expected = [holds for words, holds in WRITTEN.items() if words in command]
    if "--show" in command:
        assert "Tea 3" in out and written is None
    else:
        assert [holds(written) for holds in expected] == [True]


def test_a_comparison_reads_as_the_guide_says(called, tmp_path):
    called("extract shop shop.py:page -o items.jsonl")
    (tmp_path / "shop.py").write_text(SHOP.replace("float(price", "1 + float(price"))
    out, _ = called(COMPARE)
    theirs, ours = (re.sub(r"https?://\S+|\d+(\.\d+)?", "#", text).split("\n") for text in (COMPARED, out))
    assert {line.strip() for line in theirs} - {""} <= {line.strip() for line in ours}
