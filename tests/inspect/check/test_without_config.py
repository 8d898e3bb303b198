"""A crawl directory without config.ini: the rules of the crawl decide which URLs are external."""

import pytest

from tests.support.crawls.crawl_db import crawl_of, generated
from ttcrawl.cli import main


@pytest.mark.parametrize("options", [(), ("--offline",)])
def test_the_file_must_be_restored(tmp_path, capsys, options):
    directory = crawl_of(tmp_path / "c", {"http://a.test/": []})
    assert main(["check", str(directory), *options]) == 2
    error = capsys.readouterr().err
    assert f"{directory / 'config.ini'} is missing" in error and "restore the file" in error and "-c" not in error


def test_a_generated_crawl_has_it(tmp_path, capsys):
    directory = generated(tmp_path / "c", urls=20, links=40, pages=10, hosts=2)
    assert main(["check", str(directory), "--offline"]) in (1, 3)
    assert "Document" not in capsys.readouterr().err
