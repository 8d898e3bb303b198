"""The marks of a whole crawl are the same whatever the number of processes, the order of answers and kills."""

import random
from dataclasses import replace

import pytest

from tests.support.crawls.crawling import Crawled, crawl, verified
from tests.support.faults.killing import killed_crawl
from tests.support.web.site import Answer, Web, at, page

HOSTS = [f"h{number}.test" for number in range(3)]
ARTICLES, WORDS = 6, [f"word{number}" for number in range(500)]
OPTIONS = ("--no-obey-delay", "--scope", "any", "--set", "politeness.connections=4")

MARKS = """
    SELECT url.url, same, first.url, round(similarity, 6) FROM duplicate JOIN url ON url.id = duplicate.url
    JOIN url AS first ON first.id = coalesce(duplicate_of, near_duplicate_of) ORDER BY 1"""

#: Of pages with the same bytes the first one, by what tables `url` and `page` say.
BY_BYTES = """
    SELECT url.url, (SELECT first.url FROM page AS same JOIN url AS first ON first.id = same.url
                     WHERE same.digest = page.digest ORDER BY first.depth, first.priority, first.url LIMIT 1)
    FROM page JOIN url ON url.id = page.url WHERE state = 'fetched' AND page.status = 200"""


def copies():
    """Articles with print versions, session ids, changed sentences, other spaces and mirrors."""
    rng = random.Random(5)
    pages: dict[tuple[str, str], bytes] = {}
    for number in range(ARTICLES):
        words = rng.choices(WORDS, k=150)
        changed = [*words[:70], "changed", *words[71:]]
        text, other = " ".join(words), " ".join(changed)
        title, link = f"article {number}", f"/article/{rng.randrange(ARTICLES)}"
        body = page(link, title=title, content=f"<p>{text}</p>")
        for host in HOSTS[: rng.choice((1, 2, 3))]:
            pages[host, f"/article/{number}"] = body
            for session in rng.sample(range(9), 2):
                pages[host, f"/article/{number}?session={session}"] = body
        host = rng.choice(HOSTS)
        pages[host, f"/spaced/{number}"] = page(link, title=title, content=f"<p>  {text.upper()}\n</p>")
        pages[host, f"/print/{number}"] = page("/", title=f"{title}, to be printed", content=f"<p>{text}</p>")
        pages[host, f"/changed/{number}"] = page(link, "/", title=title, content=f"<p>{other}</p>")
    return pages


def site(seed):
    """The same pages; answers take a time that is random."""
    pages, rng = copies(), random.Random(6)
    hubs = [(host, f"/hub/{number}") for host in HOSTS for number in range(3)]
    links: dict[tuple[str, str], list[str]] = {each: [] for each in [*hubs, (HOSTS[0], "/"), (HOSTS[1], "/")]}
    for host, path in pages:  # each is met on two ways, of different lengths
        for place in rng.sample([*links], 2):
            links[place].append(at(host, path))
    for before, (host, path) in zip([(HOSTS[0], "/"), *hubs], hubs, strict=False):
        links[before].append(at(host, path))
        links[HOSTS[0], "/"].append(at(host, path)) if rng.random() < 0.4 else None
    answers = {key: Answer(body=body) for key, body in pages.items()}
    answers |= {key: Answer(body=page(*hrefs, title=f"hub {key}")) for key, hrefs in links.items()}
    timing = random.Random(seed)
    return {key: replace(answer, delay=timing.choice((0, 0.005, 0.05))) for key, answer in answers.items()}


def seeds(web):
    return [web.url(host, "/") for host in HOSTS[:2]]


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """The marks of one crawl, and the port, which is part of every URL."""
    with Web(site(0)) as web:
        done = crawl(web, seeds(web), tmp_path_factory.mktemp("marks") / "c", *OPTIONS)
        return done, web.port


def test_the_marks_are_right(reference):
    done, _ = reference
    marks = {url: (same, first) for url, same, first, _ in done.query(MARKS)}
    assert {same for same, _ in marks.values()} == {"bytes", "text", "near"}
    assert done.query("SELECT * FROM unsettled") == []
    first = dict(done.query(BY_BYTES))
    same = {url: original for url, original in first.items() if url != original}
    # nothing else has their text, or what has it comes later or is the original of both
    assert {url for url in same if marks[url][0] == "bytes"} == {url for url in same if marks[url][1] == same[url]}
    assert {url for url in same if marks[url][0] != "text"} <= {url for url in same if marks[url][1] == same[url]}
    for url, (kind, original) in marks.items():
        number = url.partition("?")[0].rpartition("/")[2]
        assert original.partition("?")[0].rpartition("/")[2] == number and (kind == "near" or original not in marks)
    told = sum(url.split("/")[3] in ("print", "changed", "spaced") for url in first)
    assert told == 3 * ARTICLES and len(marks) == len(first) - len(set(HOSTS)) * 3 - 2 - ARTICLES
    assert verified(done.directory) == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [("--fetchers", "2", "--parsers", "3"), ("--inline",), ("--set", "duplicates.cache=2", "--parsers", "2")],
    ids=["2 and 3 processes", "inline", "small cache"],
)
def test_the_marks_do_not_depend_on_processes(tmp_path, reference, options):
    done, port = reference
    with Web(site(len(options)), port=port) as web:
        again = crawl(web, seeds(web), tmp_path / "c", *OPTIONS, *options)
    assert again.query(MARKS) == done.query(MARKS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "kills"), [(1, 1), *(pytest.param(*each, marks=pytest.mark.slow) for each in ((1, 3), (2, 8), (3, 8)))]
)
def test_the_marks_survive_kills(tmp_path, reference, seed, kills):
    done, port = reference
    slow = {key: replace(answer, delay=answer.delay + 0.06 * kills) for key, answer in site(seed).items()}
    with Web(slow, port=port) as web:
        killed = killed_crawl(web, seeds(web), tmp_path, kills, random.Random(seed), *OPTIONS, "--parsers", "2")
    again = Crawled(status=0, out="", err="", directory=tmp_path / "c")
    assert killed.total() == kills and again.query(MARKS) == done.query(MARKS)
    assert verified(again.directory) == ""
