"""Pages made by scripts: what a crawl finds without a browser, and through one."""

import re

import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.browser.chromium import needs_chromium
from tests.support.crawls.crawling import crawl, query, verified
from tests.support.web.site import Answer, Web

JSON = (("Content-Type", "application/json"),)


def scripted(script, body=""):
    return Answer(
        body=f"<!DOCTYPE html><html><head><title>t</title></head><body>{body}<script>{script}</script>".encode()
    )


#: A way in which a script makes a link -> its page. Each makes a link to /found/NAME.
WAYS = {
    "fetch": scripted(
        "fetch('/data.json').then(r => r.json()).then(d => { document.body.innerHTML = `<a href='${d.link}'>x</a>` })"
    ),
    "history": scripted("history.pushState({}, '', '/found/history')"),
    "hash": scripted(
        "onhashchange = () => { document.body.innerHTML = location.hash ? '<a href=/found/hash>x</a>' : '' };"
        "location.hash = '#/route'"
    ),
    "write": scripted("document.write('<a href=' + '/found/' + 'write>x</a>')"),
    "shadow": scripted(
        "document.body.appendChild(document.createElement('p')).attachShadow({mode: 'open'}).innerHTML ="
        " '<a href=/found/shadow>x</a>'"
    ),
    "iframe": scripted(
        "document.body.appendChild(document.createElement('iframe')).srcdoc = '<a href=/found/iframe>x</a>'"
    ),
    "location": scripted("location.href = '/found/' + 'location'"),
    "lazy": scripted(
        "new IntersectionObserver(seen => { if (seen[0].isIntersecting) end.innerHTML = '<a href=/found/lazy>x</a>' })"
        ".observe(end)",
        "<div style='height: 9000px'></div><div id=end>.</div>",
    ),
    "module": Answer(body=b"<body><script type=module src=/js/main.js></script>"),
    "relative": scripted(
        "history.replaceState({}, '', '/found/deep/x'); document.body.innerHTML = '<a href=../relative>x</a>'"
    ),
    "based": scripted(
        "document.head.title = 'a > b'; history.replaceState({}, '', '/found/deep/y');"
        "document.body.innerHTML = '<a href=../based>x</a>'"
    ),
    "worker": scripted("new Worker('/js/worker.js').onmessage = event => { document.body.innerHTML = event.data }"),
    "redirected": scripted(
        "fetch('/moved.json').then(r => r.json()).then(d => { document.body.innerHTML = `<a href='${d.other}'>x</a>` })"
    ),
}
DATA = b'{"link": "/found/fetch", "other": "/found/redirected"}'
SCRIPT = (("Content-Type", "text/javascript"),)
SITE = {
    ("a.test", "/"): Answer(body="".join(f"<a href=/way/{name}>{name}</a>" for name in WAYS).encode()),
    **{("a.test", f"/way/{name}"): page for name, page in WAYS.items()},
    **{("a.test", f"/found/{name}"): Answer(body=b"<p>found") for name in WAYS},
    ("a.test", "/data.json"): Answer(body=DATA, headers=JSON),
    ("a.test", "/moved.json"): Answer(status=302, headers=(("Location", "/data.json"),)),
    ("a.test", "/js/main.js"): Answer(body=b"import './part.js'", headers=SCRIPT),
    ("a.test", "/js/part.js"): Answer(body=b"document.body.innerHTML = '<a href=/found/module>x</a>'", headers=SCRIPT),
    ("a.test", "/js/worker.js"): Answer(body=b"postMessage('<a href=/found/worker>x</a>')", headers=SCRIPT),
}

#: Options of a test: no contact is needed, and no delay.
QUICK = ("--no-obey-delay", "--set", "links.kinds=anchor refresh")


def found(crawled):
    return {match[1] for url in crawled.states() if (match := re.search("/found/([a-z]+)$", url))}


@pytest.fixture(scope="module")
def through_a_browser(tmp_path_factory):
    """(The crawl, the requests that the server saw)."""
    with Web(SITE) as web:
        options = (*QUICK, "--set", "browser.use=path:/way/", "--set", "browser.scrolls=1")
        crawled = crawl(web, web.url("a.test", "/"), tmp_path_factory.mktemp("browser") / "c", *options)
        return crawled, [hit.path for hit in web.log()]


@needs_chromium
@pytest.mark.slow
def test_links_that_scripts_make_are_found_through_a_browser_alone(through_a_browser, tmp_path):
    with Web(SITE) as web:
        static = crawl(web, web.url("a.test", "/"), tmp_path / "c", *QUICK)
    assert found(static) == set()
    crawled, _ = through_a_browser
    assert crawled.status == 0, crawled.err
    assert found(crawled) == set(WAYS)


@needs_chromium
@pytest.mark.slow
def test_a_document_is_requested_once_and_frames_by_the_crawl_alone(through_a_browser):
    _, paths = through_a_browser
    documents = [path for path in paths if path.startswith(("/way/", "/found/"))]
    assert sorted(documents) == sorted(set(documents))


@needs_chromium
@pytest.mark.slow
def test_the_archive_has_all_responses_and_the_document_after_scripts(through_a_browser):
    crawled, paths = through_a_browser
    assert verified(crawled.directory) == ""
    records, exchanges = list[tuple[str, str, str, str, bytes]](), set()
    for path in (crawled.directory / "warc").iterdir():
        with open(path, "rb") as file:
            for each in ArchiveIterator(file):
                header = each.rec_headers.get_header
                names = ("WARC-Target-URI", "WARC-Record-ID", "WARC-Refers-To")
                if each.rec_type in ("response", "revisit"):  # each parse process has what pages share
                    exchanges.add((header("WARC-Target-URI"), header("WARC-Date")))
                records.append((each.rec_type, *(header(name) or "" for name in names), each.raw_stream.read()))
    responses = {id: url for kind, url, id, _, _ in records if kind in ("response", "revisit")}
    assert len(exchanges) == len(paths)
    conversions = {
        url.removeprefix("urn:dom:"): (body, refers) for kind, url, _, refers, body in records if kind == "conversion"
    }
    assert len(conversions) == len(WAYS)
    assert all(responses[refers] == url for url, (_, refers) in conversions.items())
    (write,) = (body for url, (body, _) in conversions.items() if url.endswith("/way/write"))
    assert b'<a href="/found/write">' in write
    (raw,) = (body for kind, url, _, _, body in records if kind == "response" and url.endswith("/way/write"))
    assert raw == WAYS["write"].body


@needs_chromium
@pytest.mark.slow
def test_every_request_of_a_page_counts_for_its_visit(through_a_browser):
    crawled, paths = through_a_browser
    assert query(crawled.directory, "SELECT sum(requests) FROM visit") == [(len(paths),)]
