"""What if: the effect of rules, as `ttcrawl why --as-if` prints it."""

import pytest

from tests.support.crawls.crawling import crawl
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, page
from tests.support.window import window

PAGES = {
    ("a.test", "/"): Answer(body=page("/a.pdf", "/b", "http://b.test/")),
    ("a.test", "/a.pdf"): Answer(body=b"%PDF-1.4"),
    ("a.test", "/b"): Answer(body=page("/c")),
    ("a.test", "/c"): Answer(body=page()),
}


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    directory = tmp_path_factory.mktemp("what-if") / "crawl"
    with Web(PAGES) as web:
        assert crawl(web, web.url("a.test", "/"), directory, "--no-obey-delay", "--inline").status == 0
    return directory


def test_a_rule_shows_what_would_go(crawled):
    with window(crawled) as opened:
        text = opened.get("/crawl/what-if?rule=exclude%3D*%2Fb").text
        printed = run("why", crawled, "--as-if", "exclude=*/b").stdout
        assert "1 URL that was requested or queued would be refused; 1 more would never be discovered." in printed
        assert "<dt>Would be refused</dt><dd>1</dd>" in text and "<dt>Never discovered</dt><dd>1</dd>" in text
        assert f"why {crawled} --as-if &#39;exclude=*/b&#39;" in text
        assert 'action="/crawl/do/apply"' not in text and "--apply" in text
        both = opened.get("/crawl/what-if?rule=exclude%3D*%2Fb&rule=crawl.max_depth%3D1&rule=").text
        assert both.count('name="rule" value=') == 2 and "Remove crawl.max_depth=1" in both


def test_with_control_it_can_be_applied(crawled):
    with window(crawled, control=True) as opened:
        text = opened.get("/crawl/what-if?rule=exclude%3D*%2Fb").text
        assert 'action="/crawl/do/apply"' in text and f'value="{opened.safety.form}"' in text


WRONG = [
    ("rule=nonsense", "write exclude=PATTERN"),
    ("rule=fetch.retries%3D3", "its effect is unknown without requests"),
    ("rule=%3Cscript%3Ealert(1)%3C/script%3E", "&lt;script&gt;"),
    ("rule=crawl.max_depth%3Dx", "max_depth"),
    ("rule=exclude%3D*nowhere*", "Nothing changes"),
    ("", "For example"),
]


@pytest.mark.parametrize(("query", "message"), WRONG)
def test_what_is_wrong_with_a_rule_is_said(crawled, query, message):
    with window(crawled) as opened:
        answer = opened.get(f"/crawl/what-if?{query}")
        assert answer.status == 200 and message in answer.text, answer.text
