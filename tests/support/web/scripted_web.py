"""A site of which a tenth needs scripts, in patterns of five kinds, and what a reader finds on each page.

Of 1,000 pages: 410 news (a script adds the same banner to each), 240 docs (no scripts), 30 lists, 168 products (20 have
an empty element for a price that a script fetches), 30 applications (an empty shell), 26 galleries (menus around an
empty element that a script fills), 40 threads of a forum (the same markup on all; a script shows the replies of 24 of
them, not of the first ones), and 56 hidden pages to which only scripts link. One more is the index.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.support.web.site import Answer

HOST = "mixed.test"
SCRIPT, JSON = (("Content-Type", "text/javascript"),), (("Content-Type", "application/json"),)

#: Pages of each kind in 1,000, and the products that need scripts.
SHARES = {"news": 410, "docs": 240, "list": 30, "shop": 168, "app": 30, "gallery": 26, "forum": 40}
PRICED = 20

_SITE = "<script src='/js/site.js?v=3'></script>"
_MENU = "<nav><a href='/'>Home</a> <a href='/list/0'>Lists</a></nav>"

SCRIPTS = {
    "/js/site.js": "var bar = document.createElement('div'); bar.innerHTML = 'We use cookies. <a href=/>Fine</a>';"
    " document.body.appendChild(bar);",
    "/js/shop.js": "var price = document.getElementById('price'); if (price) fetch('/data' + location.pathname)"
    ".then(r => r.json()).then(d => { price.textContent = d.text });",
    "/js/app.js": "fetch('/data' + location.pathname).then(r => r.json()).then(d => {"
    " document.getElementById('root').innerHTML = '<h1>' + d.text + '</h1><a href=' + d.link + '>next</a>' });",
    "/js/forum.js": "fetch('/data' + location.pathname).then(r => r.json()).then(d => {"
    " if (d.text) document.querySelector('article').insertAdjacentHTML('beforeend', '<p>' + d.text + '</p>') });",
}


@dataclass(frozen=True, slots=True)
class Page:
    """A page as the server sends it. `shown`: a text that only its scripts show; `target`: a link by them."""

    path: str
    html: str
    text: str
    shown: str = ""
    target: str = ""


def pages_of(count: int) -> list[Page]:
    """Return the pages of a site of about `count` pages, the index first."""
    numbers = {kind: share * count // 1000 for kind, share in SHARES.items()}
    numbers["hidden"] = numbers["app"] + numbers["gallery"]  # one behind each
    pages = [*_pages(numbers, PRICED * count // 1000)]
    linked = [each.path for each in pages if not each.path.startswith(("/hidden/", "/list/"))]
    lists = []
    for number in range(numbers["list"]):
        links = "".join(f"<li><a href='{path}'>{path}</a>" for path in linked[number :: numbers["list"]])
        lists.append(Page(f"/list/{number}", f"{_MENU}<ul>{links}</ul>{_SITE}", ""))
    links = "".join(f"<a href='{each.path}'>{each.path}</a> " for each in lists)
    return [Page("/", f"<h1>Index</h1>{links}", "Index"), *lists, *pages]


def _pages(numbers: dict[str, int], priced: int) -> Iterator[Page]:
    hidden = [f"/hidden/h{n}.html" for n in range(numbers["hidden"])]
    targets = iter(hidden)
    for n in range(numbers["news"]):
        yield Page(f"/news/2024/item-{n}.html", f"{_MENU}<article>{_words('news', n)}</article>{_SITE}", f"news{n}")
    for n in range(numbers["docs"]):
        yield Page(f"/docs/chapter{n % 7}/d{n}.html", f"{_MENU}<p>{_words('docs', n)}", f"docs{n}")
    for n in range(numbers["shop"]):
        shown = f"only{n}euro" if n < priced else ""
        price = "<span id=price></span>" if shown else ""
        html = f"{_MENU}<main>{_words('shop', n)}{price}</main><script src=/js/shop.js></script>"
        yield Page(f"/shop/p{n}", html, f"shop{n}", shown)
    for n in range(numbers["app"]):
        root = "<title>App</title><div id=root></div><script src=/js/app.js></script>"
        yield Page(f"/app/view{n}", root, "", f"screen{n}", next(targets, ""))
    for n in range(numbers["gallery"]):
        html = f"{_MENU}<main id=root></main>{_MENU}<script src=/js/app.js></script>"
        yield Page(f"/gallery/g{n}", html, "Home", f"picture{n}", next(targets, ""))
    for n in range(numbers["forum"]):
        html = f"{_MENU}<article>{_words('forum', n)}</article><script src=/js/forum.js></script>"
        yield Page(f"/forum/t{n}", html, f"forum{n}", f"reply{n}" if n > 3 and n % 3 else "")
    for n, path in enumerate(hidden):
        yield Page(path, f"{_MENU}<p>{_words('hidden', n)}", f"hidden{n}")


def _words(kind: str, number: int) -> str:
    return f"<h1>{kind}{number}</h1><p>{' '.join(f'{kind}word{number + each}' for each in range(30))}</p>"


def web_of(pages: list[Page]) -> dict[tuple[str, str], Answer]:
    """Return what the host answers."""
    web = {(HOST, path): Answer(body=text.encode(), headers=SCRIPT) for path, text in SCRIPTS.items()}
    web[HOST, "/js/site.js?v=3"] = web[HOST, "/js/site.js"]
    for each in pages:
        html = f"<!DOCTYPE html><html><head><meta charset=utf-8></head><body>{each.html}</body></html>"
        web[HOST, each.path] = Answer(body=html.encode())
        data = f'{{"text": "{each.shown}", "link": "{each.target or "/"}"}}'
        web[HOST, f"/data{each.path}"] = Answer(body=data.encode(), headers=JSON)
    return web
