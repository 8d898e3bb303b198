"""A site with one page for each form of a link: which of them a crawler follows, and which it leaves alone."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.comparison.peers import Order
from benchmarks.comparison.running import at_once, by_name, crawl, scratch, table
from tests.support.web.site import Answer, Web, at, moved, page, robots

HOST, OTHER = "127.0.0.1", "127.0.0.2"
SITEMAPS = "http://www.sitemaps.org/schemas/sitemap/0.9"

#: Seconds that a crawl may take.
LIMIT = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A page, and the path that its link leads to. `forbidden`: it must not be requested."""

    target: str
    answer: Answer
    forbidden: bool = False
    host: str = HOST


def _html(content: str, *headers: tuple[str, str], status: int = 200) -> Answer:
    return Answer(status=status, headers=headers, body=page(content=content))


def _coded(charset: str, content: str) -> Answer:
    body = f"<!DOCTYPE html><title>x</title>{content}".encode(charset)
    return Answer(headers=(("Content-Type", f"text/html; charset={charset}"),), body=body)


FORMS: dict[str, Form] = {
    "relative, `../`": Form(target="/t/relative", answer=_html('<a href="../t/./x/../relative">x</a>')),
    "`<base href>`": Form(target="/t/base", answer=_html('<base href="/t/"><a href="base">x</a>')),
    "character references, white space": Form(target="/t/refs", answer=_html('<a href=" &#47;t&sol;re\nfs ">x</a>')),
    "capitals, no quotes": Form(target="/t/capitals", answer=_html("<A CLASS=x HREF=/t/capitals>x</A>")),
    "a path in Latin-1": Form(target="/t/%C3%A9", answer=_coded("iso-8859-1", '<a href="/t/é">x</a>')),
    "a page in UTF-16": Form(target="/t/utf-16", answer=_coded("utf-16", '<a href="/t/utf-16">x</a>')),
    "a page as gzip": Form(
        target="/t/gzip",
        answer=Answer(headers=(("Content-Encoding", "gzip"),), body=gzip.compress(page("/t/gzip"), mtime=0)),
    ),
    "XHTML": Form(
        target="/t/xhtml",
        answer=Answer(
            headers=(("Content-Type", "application/xhtml+xml"),),
            body=b'<html xmlns="http://www.w3.org/1999/xhtml"><body><a href="/t/xhtml">x</a></body></html>',
        ),
    ),
    "after `<!-->`, which ends a comment": Form(target="/t/comment", answer=_html('<!--> <a href="/t/comment">x</a>')),
    "`<area>`": Form(target="/t/area", answer=_html('<map name=m><area href="/t/area"></map>')),
    "`<iframe>`": Form(target="/t/iframe", answer=_html('<iframe src="/t/iframe"></iframe>')),
    "`<frame>`": Form(target="/t/frame", answer=_html('<frameset><frame src="/t/frame"></frameset>')),
    "`<meta http-equiv=refresh>`": Form(
        target="/t/refresh", answer=_html('<meta http-equiv=refresh content="0; url=/t/refresh">')
    ),
    "redirect 308": Form(target="/t/moved", answer=moved("/t/moved", 308)),
    "header `Link: rel=next`": Form(target="/t/header", answer=_html("", ("Link", "</t/header>; rel=next"))),
    "`<link rel=next>`": Form(target="/t/next", answer=_html('<link rel=next href="/t/next">')),
    "`<link rel=canonical>`": Form(target="/t/canonical", answer=_html('<link rel=canonical href="/t/canonical">')),
    "form with a button, GET": Form(
        target="/t/form?a=1", answer=_html("<form action=/t/form><input type=hidden name=a value=1><button>x</form>")
    ),
    "`onclick=\"location='...'\"`": Form(target="/t/click", answer=_html("<p onclick=\"location='/t/click'\">x</p>")),
    "in a feed": Form(target="/t/feed", answer=_html('<link rel=alternate type=application/rss+xml href="/feed">')),
    "in a sitemap that robots.txt names": Form(target="/t/sitemap", answer=_html("")),
    "on a page of status 404": Form(target="/t/error", answer=_html('<a href="/t/error">x</a>', status=404)),
    "written by a script": Form(
        target="/t/script", answer=_html("<script>document.write('<a href=/t/' + 'script>x</a>')</script>")
    ),
    "robots.txt: a longer `Allow` wins": Form(target="/no/but/yes", answer=_html('<a href="/no/but/yes">x</a>')),
    "robots.txt: `Disallow`": Form(target="/no/page", answer=_html('<a href="/no/page">x</a>'), forbidden=True),
    "robots.txt: `*` and `$`": Form(target="/x/y.cgi", answer=_html('<a href="/x/y.cgi">x</a>'), forbidden=True),
    "robots.txt: redirect to what it forbids": Form(target="/no/moved", answer=moved("/no/moved"), forbidden=True),
    "`<meta name=robots content=nofollow>`": Form(
        target="/t/meta", answer=_html('<meta name=robots content=nofollow><a href="/t/meta">x</a>'), forbidden=True
    ),
    "header `X-Robots-Tag: nofollow`": Form(
        target="/t/tag", answer=_html('<a href="/t/tag">x</a>', ("X-Robots-Tag", "nofollow")), forbidden=True
    ),
    "in a comment": Form(target="/t/hidden", answer=_html('<!-- <a href="/t/hidden">x</a> -->'), forbidden=True),
    "another host": Form(
        target="/t/other", answer=_html(f'<a href="{at(OTHER, "/t/other")}">x</a>'), forbidden=True, host=OTHER
    ),
    "redirect to another host": Form(target="/t/away", answer=moved(at(OTHER, "/t/away")), forbidden=True, host=OTHER),
}

RULES = ("User-agent: *", "Disallow: /no/", "Allow: /no/but/", "Disallow: /*.cgi$", f"Sitemap: {at(HOST, '/map.xml')}")


def site() -> dict[tuple[str, str], Answer]:
    """The first page links to the page of each form, which alone leads to the target of the form."""
    forms = {f"/form/{number}": form for number, form in enumerate(FORMS.values())}
    pages = {(HOST, path): form.answer for path, form in forms.items()}
    pages |= {(form.host, form.target): Answer(body=page(title=form.target)) for form in FORMS.values()}
    feed = f"<rss version='2.0'><channel><item><link>{at(HOST, '/t/feed')}</link></item></channel></rss>"
    sitemap = f"<urlset xmlns='{SITEMAPS}'><url><loc>{at(HOST, '/t/sitemap')}</loc></url></urlset>"
    return pages | {
        (HOST, "/robots.txt"): robots(*RULES),
        (HOST, "/"): Answer(body=page(*forms)),
        (HOST, "/feed"): Answer(headers=(("Content-Type", "application/rss+xml"),), body=feed.encode()),
        (HOST, "/map.xml"): Answer(headers=(("Content-Type", "application/xml"),), body=sitemap.encode()),
    }


def requested(case: str, name: str) -> frozenset[str]:
    """The forms whose targets a crawler requests."""
    with Web(site(), addresses={HOST: HOST, OTHER: OTHER}) as web, scratch() as folder:
        done = crawl(by_name(name), Order(seeds=(web.url(HOST, "/"),), folder=Path(folder)), LIMIT)
        log = {(hit.host, hit.path) for hit in web.log()}
    if len(log) < len(FORMS):
        print(f"{name} has crawled {len(log)} URLs of the site of links:\n{done.output}", file=sys.stderr)
    return frozenset(form for form, what in FORMS.items() if (what.host, what.target) in log)


def compared(names: list[str]) -> str:
    """Two tables: what is to be followed, and what is not."""
    found = {name: forms for (_, name), forms in at_once(requested, [("links", name) for name in names]).items()}
    wanted = {form: what for form, what in FORMS.items() if not what.forbidden}
    forbidden = {form: what for form, what in FORMS.items() if what.forbidden}
    followed = _table("the only link to a page is", wanted, found, names, ("yes", "-"))
    left = _table("not to be requested", forbidden, found, names, ("**requested**", "left alone"))
    return f"{followed}\n\n{left}"


def _table(
    title: str,
    forms: Mapping[str, Form],
    found: Mapping[str, frozenset[str]],
    names: list[str],
    words: tuple[str, str],
) -> str:
    rows = [[form, *(words[form not in found[name]] for name in names)] for form in forms]
    sums = [
        f"{words[0].strip('*')}, of {len(forms)}",
        *(str(sum(form in found[name] for form in forms)) for name in names),
    ]
    return table([title, *names], [*rows, sums])
