"""A site with the same bytes in many places, whose links and reading depend on more than the bytes."""

import gzip

from tests.read.documents.made import ODT, odt
from tests.support.web.site import Answer, at, page

PLAIN = page("x", "../y", "/z", "", "#top", title="Plain", content="<p>The same words in every place.</p>")
#: What a page leads to by its own URL, or may: by each, other bytes have other links under another URL.
OWN = {
    "query": page("?page=2"),
    "itself": page("a.html", "b.html"),
    "its path": page("a.html?x=1"),
    "base": page("x", "#top", content='<base href="a.html">'),
    "base of the root": page("x", "#top", content='<base href="/base/">'),
    "form": page("x", content='<form action=""><input type="hidden" name="f" value="1"><button>Go</button></form>'),
    "canonical": page("x", content='<link rel="canonical" href="b.html">'),
    "no canonical": page("x", content='<link rel="canonical" href="">'),
    "nofollow": page("x", "b.html", content='<meta name="robots" content="nofollow">'),
    "each other": page("a.html", "b.html", "c.html", "c.html", "#end", content='<img src="c.html"><img src="i.png">'),
}
#: Headers that change how a body is read, or what is said of it.
HEADERS = {
    "a charset": (("Content-Type", "text/html; charset=iso-8859-2"),),
    "a type": (("Content-Type", "application/octet-stream"),),
    "a language": (("Content-Language", "de"),),
    "nofollow": (("X-Robots-Tag", "nofollow"),),
    "a link": (("Link", '<other>; rel="next"'),),
    "a date": (("Last-Modified", "Mon, 06 Jan 2020 08:00:00 GMT"),),
    "a version": (("ETag", '"1"'), ("Server", "another")),
}
TEXT, ZIP = (("Content-Type", "text/plain"),), ("Content-Type", "application/zip")
PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000030000000208020000001216f14d")


def pages():
    """Of two hosts; every page is linked from the root of the first one."""
    site = {("a.test", f"/d/{name}"): Answer(body=PLAIN) for name in ("a.html", "b.html", "c.php?x=1", "c.php?x=2")}
    site |= {("a.test", "/e/a.html"): Answer(body=PLAIN), ("b.test", "/d/a.html"): Answer(body=PLAIN)}
    packed = Answer(body=gzip.compress(PLAIN, mtime=0), headers=(("Content-Encoding", "gzip"),))
    site |= {("a.test", f"/gz/{n}"): packed for n in range(3)}
    for n, body in enumerate(OWN.values()):
        site |= {("a.test", f"/own{n}/{name}.html"): Answer(body=body) for name in "abc"}
        site |= {("a.test", f"/own{n}/far/a.html"): Answer(body=body)}
    for n, headers in enumerate(HEADERS.values()):
        body = page("x", "#top", content=f"<p>Caf\xe9 No {n}</p>").replace(b' lang="en"', b"")
        site |= {("a.test", f"/headers{n}/{name}.html"): Answer(body=body) for name in "ac"}
        site |= {("a.test", f"/headers{n}/{name}.html"): Answer(body=body, headers=headers) for name in "bd"}
    # one after the other, from the last by URL to the first: that of the second is a page that was not read
    chain = page("a.html", "b.html", content="<p>Ever nearer to the original</p>")
    site |= {("a.test", f"/chain/{name}.html"): Answer(body=chain, delay=0.3 * n) for n, name in enumerate("cba")}
    site |= {("a.test", f"/text/{n}.txt"): Answer(body=b"http://a.test/in-text\n" * 9, headers=TEXT) for n in range(3)}
    places = [("a.test", "/image/0.png"), ("a.test", "/image/1.png?x"), ("a.test", "/i/1.png"), ("b.test", "/1.png")]
    site |= dict.fromkeys(places, Answer(body=PNG, headers=(("Content-Type", "image/png"),)))
    site |= files()
    # the same page far away and, met later, near: then what it leads to is near too, and not too deep
    deep = page("next", content="<p>Deep down</p>")
    ways = {"/far": "/deep/1", "/deep/1": "/deep/2", "/deep/2": "/deep/a", "/near": "/deep/b"}
    site |= {("a.test", way): Answer(body=page(to), delay=way == "/near") for way, to in ways.items()}
    site |= {("a.test", f"/deep/{name}"): Answer(body=deep) for name in "ab"}
    site |= {("a.test", "/deep/next"): Answer(body=page("/deep/end")), ("a.test", "/deep/end"): Answer(body=page())}
    site |= {("a.test", f"/empty/{n}"): Answer(body=b"") for n in range(2)}
    site |= {("a.test", f"/gone/{n}"): Answer(status=404, body=PLAIN) for n in range(2)}
    hrefs = [path if host == "a.test" else at(host, path) for host, path in site if "/deep" not in path]
    return site | {("a.test", "/"): Answer(body=page(*hrefs))}


def files():
    """In one directory, elsewhere, and on another host."""
    kinds = {
        "free": Answer(body=odt("http://b.test/from-file"), headers=((("Content-Type", ODT)),)),
        "relative": Answer(body=odt("in-file"), headers=((("Content-Type", ODT)),)),
        "itself": Answer(body=odt("a.odt"), headers=((("Content-Type", ODT)),)),
        "packed": Answer(body=gzip.compress(b"text " * 30, mtime=0), headers=(*TEXT, ("Content-Encoding", "gzip"))),
        "named": Answer(body=b"PK\3\4", headers=(ZIP, ("Content-Disposition", "attachment; filename=its-name.zip"))),
        "linked": Answer(body=b"PK\3\4 linked", headers=(ZIP, ("Link", "<next>; rel=next"))),
        "large": Answer(body=bytes(range(256)) * 100, headers=(ZIP,)),
        "broken": Answer(body=b"PK\3\4 broken", headers=(("Content-Type", ODT),)),
    }
    places = [
        ("a.test", "a.odt"),
        ("a.test", "b.odt?x"),
        ("a.test", "b.odt?y"),
        ("a.test", "far/b.odt"),
        ("b.test", "c"),
    ]
    return {(host, f"/{kind}/{name}"): answer for kind, answer in kinds.items() for host, name in places}
