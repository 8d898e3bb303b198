"""Which hosts are aliases, by tables of crawls; each case says what is found."""

import json

import pytest

from tests.inspect.aliases.sample_crawl import Made, made
from ttcrawl import config
from ttcrawl.cli import main
from ttcrawl.config import Config
from ttcrawl.inspect.aliases.evidence import interval
from ttcrawl.inspect.aliases.find import find

A, WWW, MIRROR, OTHER = "http://a.test", "http://www.a.test", "http://mirror.test", "http://other.test"


def paths(count):
    return [f"/{n or ''}" for n in range(count)]


def site(origin, count=20, words="A", text=False, **more):
    """Each page has a content of its own; with `text` its bytes are its own too, and its text is what others have."""
    return {
        f"{origin}{path}": Made(body=f"{origin if text else ''}{words}{path}", text=f"{words}{path}" * text, **more)
        for path in paths(count)
    }


def with_others(pages, count, words="changed"):
    """The last so many pages have contents of their own."""
    last = dict(list(pages.items())[len(pages) - count :])
    return pages | {url: Made(body=f"{words} {url}") for url in last}


def everywhere(origin, count=20):
    """One body for whatever is asked: an error page with status 200, or the shell of an application."""
    return {f"{origin}{path}": Made(body="shell") for path in paths(count)}


def redirecting(old, new, count=20):
    return {f"{old}{path}": Made(to=f"{new}{path}") for path in paths(count)}


CASES = {
    "www and not": (site(A) | site(WWW), "www.a.test=a.test"),
    "few pages of names that differ in www": (site(A, 5) | site(WWW, 5), "www.a.test=a.test"),
    "too few": (site(A, 4) | site(WWW, 4), ""),
    "few pages of strangers": (site(A, 15) | site(MIRROR, 15), ""),
    "enough of strangers": (site(A, 16) | site(MIRROR, 16), "mirror.test=a.test"),
    "another port": (site(A) | site("http://a.test:8080"), "a.test:8080=a.test"),
    "a mirror on another port": (site(A) | site("http://mirror.test:81"), "mirror.test:81=a.test"),
    "http and https": (site(A) | site("https://a.test", 19), "https://a.test=http://a.test"),
    "http and https on their ports": (
        site("http://a.test:8080") | site("https://a.test:8443"),
        "https://a.test:8443=http://a.test:8080",
    ),
    "https elsewhere": (
        site("https://a.test", 40) | site(WWW) | site("https://www.a.test"),
        "http://www.a.test=https://a.test https://www.a.test=https://a.test",
    ),
    "a mirror with 95 of 100 the same": (site(A, 100) | with_others(site(MIRROR, 100), 5), "mirror.test=a.test"),
    "a mirror with 80 of 100 the same": (site(A, 100) | with_others(site(MIRROR, 100), 20), ""),
    "www with half of 100 the same": (site(A, 100) | with_others(site(WWW, 100), 50), ""),
    "the same text in other bytes": (site(A, text=True) | site(MIRROR, text=True), "mirror.test=a.test"),
    "nearly the same": (
        site(A) | {f"{MIRROR}{path}": Made(body=f"near {path}", near=f"{A}{path}") for path in paths(20)},
        "mirror.test=a.test",
    ),
    "nearly the same as one page": (
        site(A)
        | {f"{A}{path}": Made(body=f"A{path}", near=f"{A}/") for path in paths(20)[1:]}
        | {f"{MIRROR}{path}": Made(body=f"near {path}", near=f"{A}/") for path in paths(20)},
        "",
    ),
    "the shell of an application": (everywhere(A) | everywhere(MIRROR), ""),
    "error pages of one kind": (with_others(everywhere(A), 4) | with_others(everywhere(MIRROR), 4), ""),
    "default pages": (
        with_others(site(A, 20, "default"), 17) | with_others(site(MIRROR, 20, "default"), 17),
        "",
    ),
    "empty pages": ({f"{origin}{path}": Made() for origin in (A, MIRROR) for path in paths(20)}, ""),
    "one software, other contents": (
        site(A) | site(MIRROR, words="B")
        | {f"{origin}/{n}.css": Made(body=f"css{n}", type="text/css") for origin in (A, MIRROR) for n in range(90)},
        "",
    ),
    "errors": (site(A, status=404) | site(MIRROR, status=404), ""),
    "other paths": (site(A) | {f"{MIRROR}/copy{path}": Made(body=f"A{path}") for path in paths(20)}, ""),
    "a redirecting alias": (redirecting(WWW, A) | site(A), "www.a.test=a.test"),
    "to https": (redirecting(A, "https://a.test") | site("https://a.test"), "http://a.test=https://a.test"),
    "redirects to one page": ({f"{WWW}{path}": Made(to=f"{A}/") for path in paths(20)} | site(A), ""),
    "redirects of a few": (site(MIRROR, 40, words="B") | redirecting(MIRROR, A, 6) | site(A), ""),
    "redirects to what never answered": (
        redirecting(WWW, A) | {f"{A}{path}": Made(state="queued") for path in paths(20)},
        "",
    ),
    "three names": (site(A) | site(WWW) | site(MIRROR), "mirror.test=a.test www.a.test=a.test"),
    "through a third": (
        # the first twenty of one, the last twenty of the other
        site(A, 40)
        | dict(list(site(MIRROR, 40).items())[:20])
        | dict(list(site(OTHER, 40).items())[20:]),
        "other.test=a.test mirror.test=a.test",
    ),
    "two pairs": (
        site(A) | site(WWW) | site(MIRROR, words="B") | site(OTHER, words="B"),
        "www.a.test=a.test mirror.test=other.test",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("pages", "entries"), CASES.values(), ids=CASES)
def test_what_is_an_alias(tmp_path, pages, entries):
    found = find(made(tmp_path, pages))
    assert sorted(found.entries) == sorted(entries.split())
    assert set(found.aliases.split()) == set(entries.split())


@pytest.mark.parametrize(
    ("seeds", "canonical"),
    [
        ((), "http://a.test"),
        (["http://www.a.test/"], "http://www.a.test"),
        (["http://www.a.test/", "http://mirror.test/", "http://mirror.test/1"], "http://mirror.test"),
    ],
)
def test_seeds_decide_which_name_stays(tmp_path, seeds, canonical):
    (group,) = find(made(tmp_path, site(A) | site(WWW) | site(MIRROR), seeds)).groups
    assert group.canonical.name == canonical


def test_what_redirects_is_not_canonical_though_it_is_the_seed(tmp_path):
    (group,) = find(made(tmp_path, redirecting(WWW, A) | site(A), [f"{WWW}/"])).groups
    assert group.canonical.name == A


def test_a_mirror_of_a_mirror_that_has_become_another_stands_alone(tmp_path):
    """The second has pages of both, the third none of the first: what both share with it does not make them one."""
    first = site(A, 120)
    second = with_others(site(MIRROR, 120), 10)
    third = {url.replace(MIRROR, OTHER): page for url, page in list(second.items())[60:]}
    third |= {f"{OTHER}{path}": Made(body=f"third {path}") for path in paths(60)}
    assert find(made(tmp_path, first | second | third)).entries == ("mirror.test=a.test",)


@pytest.mark.parametrize(
    ("known", "entries"),
    [
        ("www.a.test=a.test", "mirror.test=a.test"),
        ("www.a.test=a.test mirror.test=a.test", ""),
        ("a.test=b.test", "www.a.test=b.test mirror.test=b.test"),
        ("mirror.test=www.a.test", "www.a.test=a.test"),
    ],
)
def test_what_config_ini_has_already_is_kept(tmp_path, known, entries):
    settings = Config(url=config.Url(aliases=known))
    found = find(made(tmp_path, site(A) | site(WWW) | site(MIRROR), config=settings))
    assert sorted(found.entries) == sorted(entries.split())
    assert found.aliases.split()[: len(known.split())] == known.split()


def test_it_counts_what_was_fetched_twice(tmp_path):
    pages = site(A) | with_others(site(WWW), 2) | redirecting(MIRROR, A, 9) | {f"{WWW}/q": Made(state="queued")}
    found = find(made(tmp_path, pages))
    assert (found.twice, found.redirects, found.queued, found.origins, found.pages) == (18, 9, 1, 3, 40)


@pytest.mark.slow
def test_thousands_of_names_of_one_server_are_one_group(tmp_path):
    names = [f"http://n{n:04}.test" for n in range(2000)]
    pages = {f"{name}/{n}": Made(body=f"page {n}") for name in names for n in range(16)}
    (group,) = find(made(tmp_path, pages)).groups
    assert (group.canonical.name, len(group.aliases)) == (names[0], len(names) - 1)


def test_what_is_printed_can_be_read_by_programs_and_by_the_crawler(tmp_path, capsys):
    directory = str(made(tmp_path, site(A) | site("http://www.a.test")))
    assert main(["aliases", directory]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[lines.index("[url]") + 1] == "aliases = www.a.test=a.test"
    assert main(["aliases", directory, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    (group,) = told["groups"]
    assert group["canonical"] == A
    assert group["aliases"][0]["compared"]["example"] == [f"{WWW}/19", f"{A}/19"]
    assert (told["entries"], told["merged"]) == (["www.a.test=a.test"], None)


@pytest.mark.parametrize(
    ("part", "of", "low", "high"), [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0)]
)
def test_the_interval_is_wilsons(part, of, low, high):
    """Numbers of R's binom.confint(..., methods = "wilson")."""
    found = interval(part, of)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_a_directory_without_a_crawl_is_refused_in_one_line(tmp_path, capsys):
    assert main(["aliases", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
