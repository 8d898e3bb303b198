"""Steps by pattern: their grammar, and what they do with a page."""

import json
import re

import pytest

from tests.browser.chromium import needs_chromium
from tests.support.crawls.crawling import crawl, query
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web
from ttcrawl.browser.steps import compile_steps
from ttcrawl.config import Line, Lines
from ttcrawl.errors import UsageError

GOOD = ("wait .list li", "click #more", "hover nav > li", "scroll [id='box']", "pause 1.5", "accept")
GOOD += ("fill #a > input = x y = z", "fill [name=pw] = ${PW}", "press Enter", "press Control+a", "submit form")


def lines(*texts):
    return Lines(Line(text=text, file="config.ini", number=n) for n, text in enumerate(texts, 7))


def test_steps_of_all_patterns_that_match_are_done_in_order():
    steps = compile_steps(lines("path:/a accept", "http://a.test/* click  #b", "host:b.test wait p", "path:/a pause 2"))
    assert [str(step) for step in steps("http://a.test/a")] == ["accept", "click #b", "pause 2"]
    assert [str(step) for step in steps("http://b.test/")] == ["wait p"]
    assert steps("http://c.test/") == ()


@pytest.mark.parametrize("step", GOOD)
def test_each_verb_is_understood(step):
    assert [str(each) for each in compile_steps(lines(f"path:/ {step}"))("http://a.test/")] == [step]


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("path:/", "write PATTERN and one of: wait SELECTOR, click SELECTOR"),
        ("path:/ type #a", "write PATTERN and one of"),
        ("path:/ press", "write press KEY"),
        ("path:/ press the key", "write press KEY, such as Enter"),
        ("path:/ fill #a", "write fill SELECTOR = VALUE"),
        ("path:/ fill #a = ", "write fill SELECTOR = VALUE"),
        ("path:/ fill a[ = x", r"a\[ is not a CSS selector"),
        ("path:/ fill #password = hunter2", "this is a secret: write"),
        ("path:/ submit", "write submit SELECTOR"),
        ("path:/ click", "write click SELECTOR"),
        ("path:/ accept #a", "write accept$"),
        ("path:/ click a[", r"a\[ is not a CSS selector"),
        ("path:/ wait ::none", "::none is not a CSS selector"),
        ("path:/ pause soon", "write pause SECONDS, at most 60"),
        ("path:/ pause 61", "write pause SECONDS, at most 60"),
        ("/a click #a", "a wildcard pattern is compared with the complete URL"),
        ("regex:( click #a", "missing"),
    ],
)
def test_a_wrong_step_is_one_line_with_its_position(text, cause):
    with pytest.raises(UsageError, match=rf"^config.ini, line 7: \[browser\] steps: [^\n]*{cause}[^\n]*$"):
        compile_steps(lines(text))


PAGE = b"""<body><div id=onetrust style="position:fixed;inset:0;z-index:9">
<button id=onetrust-accept-btn-handler>Yes</button></div><button id=b>Buy</button><div id=list></div><script>
document.getElementById('onetrust-accept-btn-handler').onclick = () => onetrust.remove();
b.onclick = () => setTimeout(() => { list.innerHTML = '<p id=late>late</p>'; }, 700);
list.onmouseover = () => list.insertAdjacentHTML('afterend', '<a href=/found>x</a>');
</script>"""


@needs_chromium
@pytest.mark.slow
def test_steps_open_a_page_and_one_that_fails_loses_nothing(tmp_path):
    steps = ("accept", "click #b", "click #1", "wait #late", "hover #late")
    value = "\n".join(f"path:/page {step}" for step in steps)
    site = {("a.test", "/page"): Answer(body=PAGE), ("a.test", "/found"): Answer(body=b"<p>found")}
    with Web(site) as web:
        options = ("--no-obey-delay", "--set", "browser.use=path:/page", "--set", f"browser.steps={value}")
        patient = ("--set", "browser.wait=60", "--set", "browser.max_time=90")
        crawled = crawl(web, web.url("a.test", "/page"), tmp_path / "c", *options, *patient)
    assert crawled.status == 0, crawled.err
    states = {re.sub("^.*/", "/", url): state for url, state in crawled.states().items()}
    why = run("why", crawled.directory, web.url("a.test", "/page"))
    assert re.search(r"a step in the browser failed: click #1: .+", why.stdout), why
    ((steps,),) = query(crawled.directory, "SELECT steps FROM failed_steps")
    assert [step.partition(":")[0] for step in json.loads(steps)] == ["click #1"]
    assert states == {"/page": ("fetched", "http 200"), "/found": ("fetched", "http 200")}
