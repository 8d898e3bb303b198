"""Pages in the browser are exact duplicates if they have the same document after their scripts."""

import pytest

from tests.browser.chromium import needs_chromium
from tests.support.crawls.crawling import crawl, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web

pytestmark = [needs_chromium, pytest.mark.slow]

WORDS = " ".join(f"word{n}" for n in range(40))
#: One shell, whose script makes a text of the URL, except its last character.
SHELL = (
    "<html><body><script>const name = location.pathname.slice(6, -1); document.currentScript.remove();"
    f"document.body.innerHTML = `<p>${{'{WORDS}'.replaceAll('word', name)}}</p>`</script></body></html>"
)
#: Another one makes the same document as the first one does for /page/one*.
OTHER = SHELL.replace("location.pathname.slice(6, -1)", "'one'") + "<!-- other -->"
#: What the scripts make of it, as an answer without scripts.
STATIC = f"<html><head></head><body><p>{WORDS.replace('word', 'one')}</p></body></html>"
PAGES = {"/page/one1": SHELL, "/page/one2": SHELL, "/page/two1": SHELL, "/page/other": OTHER, "/static": STATIC}


def test_the_document_decides_and_not_the_shell(tmp_path):
    site = {("a.test", path): Answer(body=text.encode()) for path, text in PAGES.items()}
    site["a.test", "/"] = Answer(body="".join(f"<a href={path}>x</a>" for path in PAGES).encode())
    with Web(site) as web:
        options = ("--no-obey-delay", "--set", "browser.use=path:/page/", "--set", "browser.scrolls=0")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options)
        url = web.url("a.test", "/page/one2")
    assert done.status == 0, done.err
    marks = done.query(
        "SELECT here.url, there.url, same FROM duplicate JOIN url AS here ON here.id = duplicate.url"
        " JOIN url AS there ON there.id = duplicate_of"
    )
    paths = {tuple("/" + each.split("/", 3)[3] for each in (here, there)): same for here, there, same in marks}
    # an answer is no document, so these have the text alone in common
    assert paths == {
        ("/page/one2", "/page/one1"): "bytes",
        ("/page/other", "/page/one1"): "bytes",
        ("/static", "/page/one1"): "text",
    }
    assert verified(done.directory) == ""
    why = run("why", done.directory, url).stdout
    assert f"duplicate of {url[:-1]}1: the same document after its scripts" in why
    assert "same bytes before its scripts as 2 other pages" in why
    assert "by bytes" in run("duplicates", done.directory).stdout
