"""Words of other crawlers: each answer names what there is here, and a page of the manual that is there."""

import re
from pathlib import Path

import pytest

from tests.support.crawls.preforked import run
from ttcrawl.cli import parser
from ttcrawl.config import Config
from ttcrawl.config.foreign_words import WORDS, foreign_hint
from ttcrawl.config.sections import SECTIONS

DOCS = Path(__file__).parent.parent.parent / "docs"
OPTION = r"(?<![\w-])--?[a-z][\w-]*"
TOOLS = {"curl", "wget", "wget2", "HTTrack", "Scrapy", "Heritrix", "Nutch", "Combine"}


def sections():
    return {each.name: getattr(Config(), each.name) for each in SECTIONS}


def anchors(page):
    """The anchors of the headings of a page, as mkdocs makes them."""
    headings = re.findall(r"^#+ (.*)$", (DOCS / page).read_text(), re.MULTILINE)
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", each).strip().lower()) for each in headings}


@pytest.fixture(scope="module")
def known():
    """Command -> the options in its help."""
    top = parser()
    return {
        name: set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", top.commands[name].format_help())) for name in top.commands
    }


@pytest.mark.parametrize("word", WORDS, ids=lambda each: f"{each.tools} {each.words}")
def test_each_answer_is_there(word, known):
    assert word.ours or word.page
    assert set(word.tools.split(", ")) <= TOOLS
    commands = re.findall(r"ttcrawl (\w+)", word.ours)
    assert set(commands) <= known.keys()
    named = set(re.findall(OPTION, word.ours))
    assert named <= set().union(*(known[each] for each in [*commands, "crawl"]))
    for section, key in re.findall(r"\[(\w+)\](?: (\w+))?", word.ours):
        assert section in sections()
        assert key in ("", "decides") or hasattr(sections()[section], key), key
    page, _, anchor = word.page.partition("#")
    assert not page or (DOCS / page).is_file()
    assert not anchor or anchor in anchors(page)


def test_no_word_is_an_option_or_stands_twice_for_a_tool(known):
    words = [(tool, word) for each in WORDS for tool in each.tools.split(", ") for word in each.words.split()]
    assert len(words) == len(set(words))
    assert not known["crawl"] & {word for _, word in words}


def test_the_manual_has_every_word_with_its_answer():
    rows = re.findall(r"^\| ([\w, ]+) \| (`.*`) \| (.*) \|$", (DOCS / "from-others.md").read_text(), re.MULTILINE)
    assert [(tools, words.replace("`", "")) for tools, words, _ in rows] == [(each.tools, each.words) for each in WORDS]
    assert all(answer.startswith(each.ours) for (_, _, answer), each in zip(rows, WORDS, strict=True))


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("--post-data", " (wget: not possible, see docs/from-others.md#what-is-not-possible)"),
        ("--referer", " (curl, wget: --header HEADER, or [fetch] headers)"),
        ("-A", " (curl: --user-agent TEXT, or [agent] user_agent; wget: --allow PATTERN, see docs/scope.md)"),
        ("-a", ""),
        ("-U", " (wget: --user-agent TEXT, or [agent] user_agent)"),
        ("user_agent", " (Scrapy: --user-agent TEXT, or [agent] user_agent)"),
        ("DOWNLOAD_DELAY", " (Scrapy: [politeness] delay, in seconds)"),
        ("--download-delay", " (Scrapy: [politeness] delay, in seconds)"),
        ("maxHops", " (Heritrix: --max-depth N, or [crawl] max_depth)"),
        ("maxhops", " (Heritrix: --max-depth N, or [crawl] max_depth)"),
        ("http.agent.name", " (Nutch: [agent] name)"),
        ("xyzzy", ""),
        ("", ""),
        ("-", ""),
        ("--", ""),
    ],
)
def test_a_word_is_answered(word, hint):
    assert foreign_hint(word) == hint


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("crawl http://a.test/ --post-data X=1", "--post-data X=1 (wget: not possible, see docs/from-others.md"),
        (
            "crawl http://a.test/ --load-cookies c.txt",
            "(wget: --cookies FILE)",
        ),
        ("crawl -r http://a.test/", "-r (wget: links are always followed, as far as --scope says)"),
        ("crawl -l 3 http://a.test/", "-l (wget: --max-depth N, or [crawl] max_depth)"),
        ("crawl http://a.test/ -l3", "(wget: --max-depth N, or [crawl] max_depth)"),
        ("crawl http://a.test/ --level=3", "(wget: --max-depth N, or [crawl] max_depth)"),
        ("crawl http://a.test/ -np", "(wget: --scope directory)"),
        ("crawl http://a.test/ --wait 3", "(wget: [politeness] delay, in seconds)"),
        ("crawl http://a.test/ --depth 2", "(HTTrack: --max-depth N, or [crawl] max_depth)"),
        ("crawl http://a.test/ --mirror", "visits pages again; HTTrack: links are always followed"),
        ("resume c -k", "(wget: not possible, see docs/guides/archive.md; curl: [fetch] verify_tls = no)"),
        (
            "crawl http://a.test/ --set USER_AGENT=x",
            "(Scrapy: --user-agent TEXT, or [agent] user_agent)",
        ),
        ("crawl http://a.test/ --set DEPTH_LIMIT", "(Scrapy: --max-depth N, or [crawl] max_depth)"),
        ("crawl http://a.test/ --set crawl.DEPTH_LIMIT=3", "no key 'DEPTH_LIMIT' (Scrapy: --max-depth N, or [crawl]"),
        ("crawl http://a.test/ --set http.agent.name=x", "no section [http.agent] (Nutch: [agent] name)"),
        (
            "crawl http://a.test/ -c scrapy.ini",
            "[politeness] has no key 'concurrent_requests' (Scrapy: [crawl]",
        ),
        (
            "crawl -r -l 3 --max-pagse=1 http://a.test/",
            "; -r (wget: links are always followed, as far as --scope says); -l (wget: --max-depth N, or [crawl]"
            " max_depth); --max-pagse (did you mean --max-pages?): see",
        ),
        ("crawl http://a.test/ --set hooks.user_agent=1", "(did you mean user_agent in [agent]?) (Scrapy:"),
        ("report c --header", "unrecognized arguments: --header: see"),
    ],
)
def test_the_command_answers_words_of_others(tmp_path, words, said):
    (tmp_path / "scrapy.ini").write_text("[politeness]\nCONCURRENT_REQUESTS = 8\n")
    done = run(*words.split(), cwd=tmp_path)
    assert done.returncode == 2 and said in done.stderr, done.stderr


@pytest.mark.parametrize(
    ("words", "absent"),
    [
        ("crawl http://a.test/ --post-dta", "did you mean"),
        ("crawl http://a.test/ --set fetch.head=1", "did you mean"),
        ("crawl http://a.test/ --set fetch.xyzzy=1", "did you mean"),
        ("crawl http://a.test/ --set agent.delays=1", "did you mean"),
        ("crawl http://a.test/ --set nonsense.x=1", "did you mean"),
    ],
)
def test_what_is_not_near_is_no_guess(tmp_path, words, absent):
    done = run(*words.split(), cwd=tmp_path)
    assert done.returncode == 2 and absent not in done.stderr, done.stderr
