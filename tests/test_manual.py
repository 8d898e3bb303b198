"""README and manual say what the code does: commands, keys, tables, kinds of links, links, and examples that run."""

import html
import re
import runpy
import shlex
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path

import pytest

from tests.library.sample_crawl import make
from tests.support.crawls.crawling import query
from tests.support.web.mesh import mesh
from tests.support.web.site import Web
from ttcrawl.cli import parser
from ttcrawl.cli.command_line import parsed
from ttcrawl.cli.configuration import overrides
from ttcrawl.config import CONVERTERS, SECTIONS, HostSection, keys
from ttcrawl.config import read as read_config
from ttcrawl.export import formats
from ttcrawl.vocabulary.kind import KINDS

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs").rglob("*.md"))


def page(name):
    return (ROOT / "docs" / name).read_text()


COMMANDS = page("commands.md")

#: Options of all commands, which the manual has once.
OF_ALL = {"-h", "--help", "-q", "--quiet", "--color"}


def helped(*words):
    """What --help says."""
    with redirect_stdout(StringIO()) as out, suppress(SystemExit):
        parser().parse_args([*words, "--help"])
    return out.getvalue()


def commands(*group):
    """All commands; those of a group with its name before them."""
    names = [" ".join((*group, name)) for name in re.findall(r"^    ([a-z][\w-]*)", helped(*group), re.MULTILINE)]
    return [each for name in names for each in commands(name) or [name]] if not group else names


def options(command):
    """All that begin a line of its help."""
    lines = re.findall(r"^  (-.*?)(?:  |$)", helped(*command.split()), re.MULTILINE)
    return {option for line in lines for option in re.findall(r"(?<![\w-])(--?[a-z][a-z-]*)", line)}


@pytest.mark.slow
def test_the_manual_has_every_command_and_option():
    named = set(re.findall(r"^### `ttcrawl ((?:cluster |try )?[\w-]+)", COMMANDS, re.MULTILINE))
    assert named == set(commands())
    for name in commands():
        section = COMMANDS.split(f"### `ttcrawl {name}")[1].split("\n##")[0]
        known = options(name) - OF_ALL
        written = set(re.findall(r"(?<![\w-])(--?[a-z][a-z-]*)", section)) - OF_ALL
        assert known == written, name


def test_the_manual_has_every_key_with_its_default_and_meaning():
    rows = re.findall(r"^\| <a[^>]*></a>`(\w+)` \| (?:`(.*?)`)? *\| (.+) \|$", page("configuration.md"), re.MULTILINE)
    table = [(name, default, html.unescape(meaning)) for name, default, meaning in rows]
    expected = []
    for section in [*(each.default for each in SECTIONS), HostSection]:
        for key in keys(section):
            value = key.default
            text = ("yes" if value else "no") if isinstance(value, bool) else value
            shown = repr(text).removesuffix(".0") if isinstance(text, float) else str(text)
            expected.append((key.name, shown, key.metadata["meaning"]))
    assert table == expected


def test_writing_the_references_again_changes_nothing():
    reference = runpy.run_path(str(ROOT / "docs" / "reference.py"))
    for name, written in reference["PAGES"].items():
        assert written(page(name)) == page(name)
    assert reference["config_ini"]() == (ROOT / "config.ini").read_text()


def test_the_manual_has_every_format():
    named = re.findall(r"^\| `([\w-]+)` \| .+ \| .* \|$", page("export.md").split("\n## ")[0], re.MULTILINE)
    assert named == list(formats.names())


def test_the_manual_has_every_converter():
    table = re.findall(
        r"^\| `([\w.-]+/[\w.-]+)` \| (?:`(.*?)`)? \| (?:`(.*?)`)? *\|", page("documents.md"), re.MULTILINE
    )
    expected = [(each.type, *[line.text for line in each.lines], "")[:3] for each in CONVERTERS]
    assert table == expected


def test_the_manual_has_every_table():
    from ttcrawl.store.schema import TABLES

    named = set(re.findall(r"^\| `(\w+)` \|", page("tables.md").split("\n## Columns\n")[0], re.MULTILINE))
    tables = set(re.findall(r"CREATE (?:TABLE|VIEW) (\w+)", TABLES))
    assert named == {name for name in tables if not name.startswith("earlier_")}


def test_the_manual_has_every_column_of_every_table_that_is_declared_by_itself():
    from ttcrawl.store.columns import columns

    tables = page("tables.md").split("\n## Columns\n")[1].split("\n## ")[0].split("\n### ")[1:]
    assert len(tables) > 40
    for table in tables:
        name, text = table.split("\n", 1)
        rows = dict(re.findall(r"^\| `(\w+)` \| ([A-Z]+)", text, re.MULTILINE))
        assert rows == columns(name.strip("`")), name


def test_the_manual_has_every_kind_of_link():
    named = re.findall(r"^\| (\w) \| ([\w-]+) \| (.+) \|$", page("links.md"), re.MULTILINE)
    assert named == [(kind.letter, kind.name, kind.meaning) for kind in KINDS]


@pytest.mark.parametrize("path", [ROOT / "README.md", *PAGES], ids=lambda path: str(path.relative_to(ROOT)))
def test_links_and_pictures_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#]+)", path.read_text()):
        assert target.startswith("https://") or (path.parent / target).exists(), target


@pytest.mark.parametrize("path", [ROOT / "README.md", *PAGES], ids=lambda path: str(path.relative_to(ROOT)))
def test_files_of_the_program_that_are_named_exist(path):
    for name in re.findall(r"`((?:ttcrawl|tests|benchmarks)/[\w/]+(?:\.py|/))`", path.read_text()):
        assert (ROOT / name).exists(), name


def test_every_page_is_in_the_menu():
    menu = re.findall(r"- ([\w/.-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    assert sorted(menu) == [str(path.relative_to(ROOT / "docs")) for path in PAGES]


def test_the_index_leads_to_every_page():
    linked = set(re.findall(r"\]\(([\w/.-]+\.md)\)", page("index.md")))
    assert linked == {str(path.relative_to(ROOT / "docs")) for path in PAGES} - {"index.md"}


def test_the_readme_has_every_extra():
    setup = (ROOT / "setup.py").read_text(encoding="utf-8")
    of_setup = re.findall(r'^        "(\w+)": \[', setup.partition("extras_require")[2], re.MULTILINE)
    of_readme = re.findall(r"^\| `(\w+)` \|", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(of_readme) == sorted({*of_setup} - {"bench", "docs", "release", "test"})


def test_the_readme_is_a_first_page():
    assert (ROOT / "README.md").read_text().count("\n") <= 200


def lines_of_code(path):
    """The indented lines of a page, each with its continuations."""
    text = path.read_text(encoding="utf-8").replace("\\\n", " ")
    return re.findall(r"^ {4,}(?:\$ )?(.+)", text, re.MULTILINE)


@pytest.mark.parametrize("path", [ROOT / "README.md", *PAGES], ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_are_understood(path):
    for line in lines_of_code(path):
        command = re.match(r"(?:[^#|]*&& )?(?:\S*/bin/)?ttcrawl (.+)", line)
        if command and not line.startswith("ttcrawl, "):
            words = shlex.split(re.split(r" [>|&] ", command[1])[0], comments=True)
            options = parsed(words)
            read_config(None, overrides(options) if hasattr(options, "set") else [])


@pytest.mark.parametrize("path", [ROOT / "README.md", *PAGES], ids=lambda path: str(path.relative_to(ROOT)))
def test_queries_are_answered(path, tmp_path):
    # a ring has more tables
    lines = [line for line in lines_of_code(path) if "sqlite3 " in line and "/ring-" not in line]
    queries = re.findall(r'crawl\.db\s+"(SELECT .+?)"', "\n".join(lines))
    if queries:
        make(tmp_path / "c")
    for each in queries:
        assert query(tmp_path / "c", each), each


def example(path):
    return path.read_text().split("```python\n")[1].split("```")[0]


@pytest.mark.slow
def test_the_example_of_the_guide_runs(tmp_path, monkeypatch):
    make(tmp_path / "crawl-site.example")
    monkeypatch.chdir(tmp_path)
    exec(example(ROOT / "docs" / "check.md"), {})


@pytest.mark.slow
@pytest.mark.parametrize("path", [ROOT / "README.md", ROOT / "docs" / "library.md"], ids=["readme", "library"])
def test_the_example_that_crawls_runs(path, tmp_path, monkeypatch, capsys):
    with Web(mesh(["a.test"], 3, seed=2)) as web:
        monkeypatch.chdir(tmp_path)
        more = f"{{'fetch.resolve': {' '.join(web.resolve)!r}, 'politeness.delay': 0, "
        text = example(path).replace("https://example.org/", web.url("a.test", "/"))
        exec(text.replace("settings={", f"settings={more}"), {})
    out = capsys.readouterr().out
    assert f"{web.url('a.test', '/')} 200 " in out if path.name == "README.md" else out.startswith("done ")
