"""The crawls that a wrong name may mean."""

import pytest

from tests.support.crawls.preforked import run
from ttcrawl.store.nearby import FEW, nearby_crawls


def crawls(place, *names):
    for name in names:
        (place / name).mkdir(parents=True)
        (place / name / "crawl.db").touch()


@pytest.mark.parametrize(
    ("names", "wrong", "hint"),
    [
        ((), "x", ""),
        (("crawl-a.org",), "a.org", " (did you mean {0}/crawl-a.org?)"),
        (("crawl-a.org", "b"), "crawl-a.rog", " (did you mean {0}/crawl-a.org?)"),
        (("one", "two"), "xyzzy", " (crawls in {0}: one, two)"),
        (tuple("abcde"), "xyzzy", " (crawls in {0}: a, b, c and 2 more)"),
        (("a",), "none/x", ""),
        (("a",), "\0/x", ""),
    ],
)
def test_a_hint(tmp_path, names, wrong, hint):
    crawls(tmp_path, *names)
    (tmp_path / "other").mkdir()
    assert nearby_crawls(tmp_path / wrong) == hint.format(tmp_path) and FEW == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("status", "the following arguments are required: DIR (crawls here: crawl-a.test): see ttcrawl status --help"),
        ("page", "the following arguments are required: DIR, URL (crawls here: crawl-a.test)"),
        ("report a.test", "a.test is not a crawl directory: it does not exist (did you mean crawl-a.test?)"),
        ("why crawl-a.tset http://a.test/", "it does not exist (did you mean crawl-a.test?)"),
        ("report .", "it contains no crawl.db; give the directory that was given to ttcrawl crawl -d (crawls here:"),
        ("resume a.test", "name the directory that was given to -d (did you mean crawl-a.test?)"),
        ("resume xyzzy", "name the directory that was given to -d (crawls here: crawl-a.test)"),
        ("a.test", "there is no command a.test (did you mean ttcrawl crawl a.test?): see ttcrawl --help"),
        ("http://a.test/x", "(did you mean ttcrawl crawl http://a.test/x?)"),
        ("localhost:8000", "(did you mean ttcrawl crawl localhost:8000?)"),
        ("crawl-a.test", "(it is a directory: did you mean ttcrawl status crawl-a.test, or ttcrawl report"),
        ("fetch http://a.test/", "there is no command fetch (did you mean crawl?)"),
        ("version", "there is no command version (did you mean --version?)"),
        ("reprot crawl-a.test", "there is no command reprot (did you mean report?)"),
        ("xyzzy", "there is no command xyzzy: see ttcrawl --help"),
    ],
)
def test_what_newcomers_type(tmp_path, words, said):
    crawls(tmp_path, "crawl-a.test")
    done = run(*words.split(), cwd=tmp_path)
    assert done.returncode == 2 and said in done.stderr and done.stderr.count("\n") == 1, done.stderr
