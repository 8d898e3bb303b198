"""`ttcrawl report --section`: the named parts alone, in every form."""

import json
from contextlib import suppress

import pytest

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.cli import main
from ttcrawl.report.study import PARTS, selected

FORMS = {  # form -> what shows the table of the sites, and what another table
    "text": ("Sites with pages", "Politeness\n"),
    "markdown": ("| Sites |", "| Politeness |"),
    "csv": ("Sites,", "Politeness,"),
    "latex": (r"\caption{Sites}", r"\caption{Politeness}"),
    "html": (">Sites</h3>", ">Politeness</h3>"),
    "json": ('"sites":', '"politeness":'),
}


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    return str(crawl_of(tmp_path_factory.mktemp("sections"), {"http://a.test/": ["http://a.test/1"]}))


@pytest.mark.parametrize("form", FORMS)
def test_a_named_part_alone(directory, form, capsys):
    assert main(["report", directory, "--format", form, "--section", "sites,soft_404"]) == 0
    out = capsys.readouterr().out
    named, other = FORMS[form]
    assert named in out and other not in out


def test_several_names_come_in_the_order_of_the_report(directory, capsys):
    assert main(["report", directory, "--section", "sites, politeness", "--section", "summary"]) == 0
    out = capsys.readouterr().out
    assert out.index("Crawl\n") < out.index("Politeness\n") < out.index("Sites with pages")


def test_json_has_the_same_figures_as_the_whole_report(directory, capsys):
    assert main(["report", directory, "--format", "json"]) == 0
    whole = json.loads(capsys.readouterr().out)
    for part in PARTS:
        assert main(["report", directory, "--format", "json", "--section", part]) == 0
        record = json.loads(capsys.readouterr().out)
        assert {name: whole.get(name) for name in record} == record
        assert set(record) == {"name", part} or (part == "summary" and not set(record) & set(PARTS))


@pytest.mark.parametrize(
    "options, error",
    [
        (["--section", "nope"], f"no part 'nope'; its parts: {', '.join(PARTS)}"),
        (["--section", " ,"], "names of parts"),
        (["--section", "laws", "--seeds"], "not allowed with argument --section"),
    ],
)
def test_wrong_names(directory, options, error, capsys):
    with suppress(SystemExit):
        assert main(["report", directory, *options]) == 2
    assert error in capsys.readouterr().err


def test_a_part_without_figures_says_so(directory, capsys):
    assert main(["report", directory, "--section", "topic"]) == 0
    assert "nothing to show: this crawl has no figures of topic" in capsys.readouterr().err


def test_no_name_means_every_part():
    assert selected([]) == list(PARTS)
