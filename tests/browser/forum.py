"""A forum whose replies come by scripts, and what a crawl with [browser] use = auto finds of it."""

import zlib

from tests.support.crawls.crawling import query, verified
from tests.support.web.site import Answer

#: A crawl in the order of its links, one page after the other.
AUTO = ("--no-obey-delay", "--set", "browser.use=auto", "--set", "browser.scrolls=0", "--set", "browser.pages=1")


def texts(directory):
    """Path -> the text of its page."""
    rows = query(directory, "SELECT url.url, text FROM text JOIN url ON url.id = text.url")
    return {"/" + url.split("/", 3)[3]: zlib.decompress(text).decode() for url, text in rows}


def uses(directory):
    """Path -> (how it was read, why)."""
    rows = query(
        directory, "SELECT url.url, way, browser_use.reason FROM browser_use JOIN url ON url.id = browser_use.url"
    )
    return {"/" + url.split("/", 3)[3]: (used, why) for url, used, why in rows}


#: Threads of one template: the first pages have no replies, and nothing before the scripts shows which have some.
THREADS = 14
SILENT = 4


def thread(number):
    words = " ".join(f"word{number + each}" for each in range(30))
    return Answer(body=f"<p>thread{number} {words}</p><article></article><script src=/forum.js></script>".encode())


FORUM = {
    ("a.test", "/"): Answer(body="".join(f"<a href=/t/{n}>t</a> " for n in range(THREADS)).encode()),
    **{("a.test", f"/t/{n}"): thread(n) for n in range(THREADS)},
    **{
        ("a.test", f"/data/t/{n}"): Answer(body=b"" if n < SILENT else b"reply%d <a href=/r/%d>r</a>" % (n, n))
        for n in range(THREADS)
    },
    **{("a.test", f"/r/{n}"): Answer(body=b"<p>the reply%d" % n) for n in range(SILENT, THREADS)},
    ("a.test", "/forum.js"): Answer(
        body=b"fetch('/data' + location.pathname).then(r => r.text()).then(t =>"
        b" { document.querySelector('article').innerHTML = t })",
        headers=(("Content-Type", "text/javascript"),),
    ),
}


def assert_complete(done):
    found = texts(done.directory)
    assert [n for n in range(SILENT, THREADS) if f"reply{n}" not in found.get(f"/t/{n}", "")] == []
    assert [n for n in range(SILENT, THREADS) if f"/r/{n}" not in found] == []
    assert verified(done.directory) == ""
