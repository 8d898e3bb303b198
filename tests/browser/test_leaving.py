"""Pages whose scripts leave them for another URL, or change their address: what is read, and how long it takes."""

import time

import pytest

from tests.browser.chromium import needs_chromium
from tests.support.crawls.crawling import crawl, verified
from tests.support.web.site import Answer, Web
from ttcrawl import open as open_crawl
from ttcrawl.browser.page import TARGETS

pytestmark = [needs_chromium, pytest.mark.slow]

#: Seconds that a page has. What has left its document is read long before.
MOST = 100

#: How a page leaves while it loads -> its script.
LEAVING = {
    "location": "location = '/there'",
    "replace": "location.replace('/there')",
    "form": "document.body.append(Object.assign(document.createElement('form'), {action: '/there'}));"
    " document.forms[0].submit()",
    "post": "document.body.append(Object.assign(document.createElement('form'), {action: '/post', method: 'POST'}));"
    " document.forms[0].submit()",
}
#: What comes afterwards: the page is scrolled, a step is done, an element is clicked.
AFTER = """<body style='height: 5000px'><p id=more>More</p><button id=b>Show</button><script>
const show = (name) => document.body.insertAdjacentHTML('beforeend', `<a href=/${name}>${name}</a>`);
onscroll = () => { onscroll = null; show('scrolled') };
more.onclick = () => show('stepped');
b.onclick = () => show('clicked');
LEAVE
</script>"""


@pytest.mark.parametrize("how", LEAVING)
def test_a_page_that_leaves_while_it_loads_is_read_like_others(tmp_path, how):
    names = ("scrolled", "stepped", "clicked", *(() if how == "post" else ("there",)))
    site = {("a.test", "/"): Answer(body=AFTER.replace("LEAVE", LEAVING[how]).encode())}
    site |= {("a.test", f"/{name}"): Answer(body=b"<p>found") for name in names}
    with Web(site) as web:
        url = web.url("a.test", "/")
        keys = {"use": "regex:/$", "max_time": MOST, "clicks": 2, "screenshot": "yes", "steps": f"{url} click #more"}
        options = [part for name, value in keys.items() for part in ("--set", f"browser.{name}={value}")]
        began = time.monotonic()
        done = crawl(web, url, tmp_path / "c", "--no-obey-delay", *options, timeout=3 * MOST)
        took = time.monotonic() - began
        paths = {hit.path.removesuffix("?") for hit in web.log()}
    assert done.status == 0, done.err
    assert took < MOST
    assert paths - {"/robots.txt", "/"} == {f"/{name}" for name in names}
    with open_crawl(done.directory) as opened:
        assert opened.screenshot(url).startswith(b"\x89PNG")
    assert done.query("SELECT count(*) FROM failed_steps") == [(0,)]
    assert verified(done.directory) == ""


def test_each_address_that_scripts_give_a_page_is_a_link(tmp_path):
    states = "for (let n = 1; n < 4; n++) history.pushState({}, '', `/state${n}#part`); location.hash = 'end';"
    inner = "history.replaceState({}, '', '#inside')"
    script = f"{states} setTimeout(() => history.replaceState({{}}, '', '/late?n=1'), 100)"
    body = f'<body><iframe srcdoc="<script>{inner}</script>"></iframe><script>{script}</script>'
    with Web({("a.test", "/"): Answer(body=body.encode())}) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--set", "browser.use=regex:/$")
        paths = {hit.path for hit in web.log()}
    assert done.status == 0, done.err
    assert paths == {"/robots.txt", "/", "/state1", "/state2", "/state3", "/late?n=1"}


def test_addresses_without_end_are_bounded(tmp_path):
    script = f"for (let n = 0; n < {TARGETS + 50}; n++) history.pushState({{}}, '', `/s${{n}}`)"
    with Web({("a.test", "/"): Answer(body=f"<script>{script}</script>".encode())}) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--set", "browser.use=regex:/$")
    assert done.status == 0, done.err
    # the last one is the address of the document
    assert done.query("SELECT count(*) FROM url WHERE depth > 0") == [(TARGETS + 1,)]


#: What a page does to its document -> the text that is read. There is no page before it in the history of its window.
GOING = {
    "document.write('<p>here'); history.back(); history.go(-5)": "here",
    "document.documentElement.remove()": "",
    "setTimeout(() => document.replaceChildren())": "",
}


@pytest.mark.parametrize("script", GOING)
def test_a_document_that_scripts_would_leave_or_remove_is_read_as_it_is(tmp_path, script):
    with Web({("a.test", "/"): Answer(body=f"<script>{script}</script>".encode())}) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--set", "browser.use=yes")
        url = web.url("a.test", "/")
    assert (done.status, done.query("SELECT reason FROM url")) == (0, [("http 200",)]), done.err
    with open_crawl(done.directory) as opened:
        assert opened.text(url) == GOING[script]


def test_cdata_sections_of_xhtml_are_text(tmp_path):
    body = b"""<html xmlns="http://www.w3.org/1999/xhtml"><head><script src="s.js"/></head>
        <body><p><![CDATA[1 < 2 & 3]]></p></body></html>"""
    site = {("a.test", "/"): Answer(body=body, headers=(("Content-Type", "application/xhtml+xml"),))}
    with Web(site) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--set", "browser.use=yes")
        url = web.url("a.test", "/")
    with open_crawl(done.directory) as opened:
        assert opened.text(url) == "1 < 2 & 3"
