"""The pages of tests.browser.ways_of_clicks before a person: a plain script of Playwright that knows where to click.

What it sees there, the crawl must find without knowing (tests.browser.test_ways).
"""

import contextlib

import pytest

from tests.browser.chromium import needs_chromium
from tests.browser.ways_of_clicks import CLICKS
from tests.support.web.site import Answer, Web
from ttcrawl.browser.program import program
from ttcrawl.config import Browser

sync_api = pytest.importorskip("playwright.sync_api")

#: Name -> what a person does: (what, where), one after the other.
PERSON = {
    "button": [("click", "#b")],
    "pointer": [("click", "#d")],
    "tabs": [("click", "#t2")],
    "accordion": [("click", "#b")],
    "details": [("click", "summary")],
    "more": [("click", "#b")] * 3,
    "paging": [("click", "#b")] * 2,
    "hover": [("hover", "#m")],
    "menu": [("click", "#b"), ("click", "#i")],
    "hash": [("click", "a")],
    "bang": [("click", "a")],
    "router": [("click", "#b")],
    "onclick": [("click", "b")],
    "open": [("click", "#b")],
    "mousedown": [("click", "#p")],
    "mouseup": [("click", "#p")],
    "pointer-up": [("click", "#p")],
    "trusted": [("click", "#b")],
    "mouseover": [("hover", "#p")],
    "mouseout": [("hover", "#p"), ("leave", "#p")],
    "rest": [("hover", "#p")],
    "dblclick": [("dblclick", "#p")],
    "focus": [("click", "#i")],
    "focusin": [("click", "#p")],
    "keydown": [("press Enter", "#p")],
    "arrow": [("press ArrowDown", "#i")],
    "item": [("click", "#b"), ("click", "#i")],
    "react": [("click", "#p")],
    "many": [("click", "#b")],
    "around": [("click at the side", "#d")],
    "select": [("fill", "input"), ("click", "button")],
    "enter": [("fill", "input"), ("press Enter", "input")],
}


def act(page, what, where):
    element = page.locator(where).first
    if what == "leave":
        page.mouse.move(900, 500)
    elif what == "fill":
        element.fill("a")
    elif what.startswith("press "):
        element.press(what.removeprefix("press "))
    elif what == "click at the side":
        element.click(position={"x": 280, "y": 5})
    else:
        getattr(element, what)()
    page.wait_for_timeout(500)


@needs_chromium
@pytest.mark.slow
@pytest.mark.long
def test_a_person_sees_what_the_crawl_finds():
    site = {("a.test", path): page for name in PERSON for path, page in CLICKS[name].pages(name).items()}
    with Web(site | {("a.test", f"/found/{name}"): Answer(body=b"<p>found") for name in PERSON}) as web:
        shown = dict[str, bool]()
        with sync_api.sync_playwright() as playwright:
            chromium = playwright.chromium.launch(
                executable_path=program(Browser(use="yes")),
                chromium_sandbox=False,
                args=["--host-resolver-rules=MAP a.test 127.0.0.1"],
            )
            for name, actions in PERSON.items():
                context = chromium.new_context(viewport={"width": 1280, "height": 720})
                page = context.new_page()
                page.goto(web.url("a.test", f"/way/{name}"))
                for what, where in actions:
                    act(page, what, where)
                with contextlib.suppress(sync_api.Error):
                    links = page.evaluate("[...document.links].map((link) => link.href)")
                urls = {*links, *(each.url.partition("?")[0] for each in context.pages)}
                shown[name] = web.url("a.test", f"/found/{name}") in urls
                context.close()
            chromium.close()
    assert [name for name, seen in shown.items() if not seen] == []
    assert not [name for name in shown if "c" not in CLICKS[name].found]
