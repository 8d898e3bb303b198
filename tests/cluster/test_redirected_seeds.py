"""Redirects of seeds whose targets belong to other rings: the cluster crawls what one crawl would."""

import pytest

from tests.support.crawls.crawling import crawl, options_for, query, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, at, moved, page

SEEDS = ("a.test", "c.test", "d.test")


def pages():
    """c.test is read before the seeds redirect, and links to their targets."""
    answers = {
        ("c.test", "/"): Answer(body=page("/x", at("www.a.test", "/linked"), at("other.test", "/linked"))),
        ("a.test", "/"): Answer(status=301, headers=moved(at("www.a.test", "/")).headers, delay=0.7),
        ("d.test", "/"): Answer(status=302, headers=moved(at("other.test", "/")).headers, delay=0.7),
    }
    for host in ("www.a.test", "other.test"):
        answers |= {(host, path): Answer(body=page("/x")) for path in ("/", "/linked")}
    return answers | {(host, "/x"): Answer(body=page()) for host in ("c.test", "www.a.test", "other.test")}


def states(directory):
    return dict(query(directory, "SELECT url, state || ' ' || reason FROM url"))


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["strict", "always", "never"])
def test_rings_follow_redirects_of_seeds_as_one_crawl_does(tmp_path, mode):
    with Web(pages()) as web:
        seeds = [web.url(host, "/") for host in SEEDS]
        options = ("--no-obey-delay", "--set", f"scope.redirected_seeds={mode}")
        one = crawl(web, seeds, tmp_path / "one", *options)
        begin = ("cluster", "crawl", *seeds, "-d", tmp_path / "c", "--rings", 3, "--progress", "none")
        done = run(*begin, *options_for(web), *options)
    assert one.status == done.returncode == 0, (one.err, done.stderr)
    gathered = run("cluster", "gather", tmp_path / "c", "-o", tmp_path / "together")
    assert gathered.returncode == 0, gathered.stderr
    assert states(tmp_path / "together") == states(one.directory)
    for directory in (one.directory, tmp_path / "together", *(tmp_path / "c" / f"ring-{ring}" for ring in (1, 2, 3))):
        assert verified(directory) == ""
