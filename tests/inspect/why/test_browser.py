"""How a page was read, in words."""

import pytest

from ttcrawl.inspect.why.browser import BrowserUse, Template, lines

TEMPLATE = Template(pattern="/t/*", read="browser", pages=1200, rendered=7)
STATIC = BrowserUse(
    way="static", reason="no scripts", seconds=0.0, requests=0, bytes=0, links=None, words=None, template=None
)
RENDERED = BrowserUse(
    way="browser", reason="template", seconds=1.25, requests=3, bytes=4567, links=2, words=1001, template=TEMPLATE
)


@pytest.mark.parametrize(
    ("use", "told"),
    [
        (STATIC, ["static: it has no scripts"]),
        (
            RENDERED,
            [
                "browser: scripts add to the pages of its template",
                "template /t/*: 1,200 pages, 7 in the browser, the next one: browser",
                "1.2 s in the browser, 3 requests of scripts, 4,567 bytes",
                "only the browser showed 2 links and 1,001 words",
            ],
        ),
    ],
)
def test_the_reason_comes_first_then_template_cost_and_gain(use, told):
    assert lines(use) == told
