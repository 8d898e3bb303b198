"""Every screen in a real browser: nothing fails, nothing leaves, everybody can use it."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.library.sample_crawl import GONE, HOME, make
from tests.support.web.site import Answer, Web
from tests.support.window import Watched, chromium, window
from ttcrawl.store.lock import Lock
from ttcrawl.window.application import screen_paths

pytestmark = pytest.mark.slow

AXE = Path(__file__).parents[2] / ".venv-axe" / "node_modules" / "axe-core" / "axe.min.js"

#: Paths that are no pages by themselves: data, a picture, a report that is framed.
PARTS = ("/screenshot", "/findings/page")
WITH_PARAMETERS = (
    f"url?u={quote(HOME)}",
    f"url?u={quote(GONE)}",
    "urls?state=failed",
    "what-if?rule=exclude%3D*/b",
    "search?q=hello",
)
SCREENS = [path for path in screen_paths() if "." not in path and path not in PARTS]
PATHS = ["/", *(f"/crawl{path}" for path in SCREENS), *(f"/crawl/{path}" for path in WITH_PARAMETERS)]
PATHS += [f"{path}?with=other" for path in PATHS if path == "/crawl/diff"]


@pytest.fixture(scope="module")
def browser():
    with chromium("--host-resolver-rules=MAP evil.test 127.0.0.1") as one:
        yield one


@pytest.fixture(scope="module")
def each(tmp_path_factory):
    folder = tmp_path_factory.mktemp("chromium")
    make(folder / "crawl")
    make(folder / "other")
    with window(folder / "crawl", folder / "other", control=True) as one:
        yield one


@pytest.fixture(scope="module", params=["light", "dark"])
def watched(request, browser, each):
    return Watched(browser, each, color_scheme=request.param, viewport={"width": 1200, "height": 900})


def opened(watched, address):
    """Go there in an empty tab, and wait for the end of work that the page waits for."""
    page = watched.emptied()
    page.goto(address)
    page.wait_for_selector("head > meta[http-equiv=refresh]", state="detached")  # a function would be an eval: CSP
    return page


@pytest.mark.parametrize("path", PATHS)
def test_each_screen_has_no_fault(watched, each, path):
    """No error of its script, no request elsewhere, nothing serious for axe, a title with crawl and question."""
    watched.trouble.clear()
    page = opened(watched, each.origin + path)
    assert [text for text in watched.trouble if "status of 400" not in text] == []  # a screen that needs a parameter
    question, *crawl, program = page.title().split(" · ")
    assert question and program == "ttcrawl" and (crawl == ["crawl"] or path == "/")
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: npm install --prefix .venv-axe axe-core")
    page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run()")["violations"]
    serious = [rule for rule in found if rule["impact"] in ("serious", "critical")]
    assert [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in serious] == []


def test_nothing_is_wider_than_a_telephone(browser, each):
    watched = Watched(browser, each, viewport={"width": 390, "height": 800})
    widths = {}
    for path in PATHS:
        widths[path] = opened(watched, each.origin + path).evaluate("document.documentElement.scrollWidth")
    assert {path: width for path, width in widths.items() if width > 390} == {}


def test_paper_has_no_menu(watched, each):
    watched.page.goto(f"{each.origin}/crawl/")
    watched.page.emulate_media(media="print")
    assert not watched.page.is_visible("nav") and watched.page.is_visible("h1")
    watched.page.emulate_media(media="screen")


def test_keys(watched, each):
    page = watched.page
    page.goto(f"{each.origin}/")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    assert page.evaluate("document.activeElement.textContent") == "crawl"
    page.keyboard.press("Enter")
    page.wait_for_url("**/crawl/")
    page.keyboard.press("?")
    assert page.is_visible("#keys")
    page.keyboard.press("Escape")
    assert not page.is_visible("#keys")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("g")
    page.keyboard.press("u")
    page.wait_for_url("**/crawl/urls")


def changed(directory, *statements):
    with closing(sqlite3.connect(directory / "crawl.db")) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()


def test_now_follows_a_crawl_that_runs_and_is_killed(browser, tmp_path):
    make(tmp_path / "crawl")
    lock = Lock(tmp_path / "crawl")
    try:
        with window(tmp_path / "crawl") as each:
            watched = Watched(browser, each)
            page = watched.page
            page.wait_for_selector(".state.running")
            assert 'http-equiv="refresh" content="5"' in page.inner_html("head noscript")
            changed(tmp_path / "crawl", "INSERT OR REPLACE INTO crawl VALUES ('total_pages', 54321)")
            page.wait_for_selector("text=54,321")
            lock.close()
            page.wait_for_selector(".state.running", state="detached")
            (tmp_path / "crawl").rename(tmp_path / "moved")
            page.wait_for_selector("text=it does not exist")
            (tmp_path / "moved").rename(tmp_path / "crawl")
            page.wait_for_selector("text=it does not exist", state="detached")
            assert watched.trouble == []
    finally:
        with suppress(OSError):  # closed above
            lock.close()


def test_a_name_that_leads_here_shows_nothing(browser, each):
    """DNS rebinding."""
    page = browser.new_context().new_page()
    assert page.goto(each.address("/").replace("127.0.0.1", "evil.test")).status == 421


#: What a page of another site tries with the window of somebody who has its cookie.
ATTACKS = """async (origin) => {
  const outcome = {};
  for (const mode of ["cors", "no-cors"]) {
    const answer = await fetch(origin + "/crawl/", {mode, credentials: "include"}).catch(error => null);
    outcome[mode] = answer && await answer.text();
  }
  const frame = document.body.appendChild(document.createElement("iframe"));
  const loaded = new Promise(resolve => { frame.onload = resolve; });
  frame.src = origin + "/crawl/";
  await loaded;
  try { outcome.frame = frame.contentDocument?.body.textContent ?? "" } catch { outcome.frame = "" }
  const script = document.body.appendChild(document.createElement("script"));
  outcome.script = await new Promise(resolve => {
    script.onload = () => resolve("ran");
    script.onerror = () => resolve("");
    script.src = origin + "/static/window.js";
  });
  const answer = await fetch(origin + "/crawl/do/requeue", {method: "POST", mode: "no-cors", credentials: "include",
    headers: {"content-type": "application/x-www-form-urlencoded"}, body: "state=failed"}).catch(() => null);
  return outcome;
}"""


FORM = """origin => {
  const form = document.body.appendChild(document.createElement("form"));
  form.method = "post";
  form.action = origin + "/crawl/do/requeue";
  form.innerHTML = "<input name=state value=failed>";
  form.submit();
}"""


def test_another_site_reads_nothing_and_changes_nothing(browser, each):
    watched = Watched(browser, each)  # whoever attacks has the cookie in the same browser
    with Web({("b.test", "/"): Answer(body=b"<body>")}, address="127.0.0.3") as web:
        page = watched.page.context.new_page()
        page.goto(f"http://127.0.0.3:{web.port}/", wait_until="load")
        outcome = page.evaluate(ATTACKS, each.origin)
        with page.expect_navigation():
            page.evaluate(FORM, each.origin)
    assert outcome == {"cors": None, "no-cors": "", "frame": "", "script": ""}
    assert "Open the address" in page.content()  # the strict cookie did not come along
    assert "1 URL is queued again" in each.post("/crawl/do/requeue", {"state": "failed"}).text


#: Directives that refuse what is put into a page here.
REFUSED = [
    *("base-uri", "connect-src", "form-action", "frame-src", "img-src"),
    *("script-src-attr", "script-src-elem", "style-src-attr", "style-src-elem"),
]
SLIPS = """async (expected) => {
  const refused = new Set();
  document.addEventListener("securitypolicyviolation", event => refused.add(event.effectiveDirective));
  const box = document.body.appendChild(document.createElement("div"));
  box.innerHTML = `<img src=http://evil.test/x onerror="document.title='evil'"><p style="color:red">x</p>
    <iframe src=http://evil.test/></iframe><link rel=stylesheet href=http://evil.test/x.css>
    <form action=http://evil.test/><button id=send></button></form><base href=http://evil.test/>`;
  const script = document.body.appendChild(document.createElement("script"));
  script.textContent = "document.title = 'evil'";
  await fetch("http://evil.test/").catch(() => 0);
  document.getElementById("send").click();
  for (let n = 0; n < 200 && refused.size < expected; n++) await new Promise(resolve => setTimeout(resolve, 20));
  return [...refused].sort();
}"""


def test_the_policy_holds_for_what_slips_into_a_page(watched, each):
    page = opened(watched, f"{each.origin}/crawl/")
    refused = page.evaluate(SLIPS, len(REFUSED))
    assert refused == REFUSED and "evil" not in page.title()
    watched.trouble.clear()
