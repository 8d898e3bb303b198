"""What Combine notes about the URL of an accepted page: its URL analysis, with its quirks. Pure.

Combine sees all URLs in one text, each followed by ", ". So `top` and the `start` of a path that ends in "/" are never
noted. Only http URLs are analysed. Words are looked for in the path with its query; no case tells whether words of the
host would count too. A list of 19 universities in Denmark and Sweden, whose names say nothing, is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_URL = re.compile(r"http://([^/:]*)(?::[0-9]*)?/(.*)", re.DOTALL)
_START = re.compile(r"(?:^|/)(?:index|welcome|default|home)[^/]*$")
_UNIVERSITY = re.compile(r"[.](?:edu|ac[.]uk|edu[.][a-z]{2})$")
_PERSONAL = re.compile(r"^~|personal")
_WORDS = {
    "edu": re.compile(
        "course|lesson|education|classes|seminar|teaching|learning|training|tutorial|graduate|teacher|lecture", re.I
    ),
    "prod": re.compile("product|brochure", re.I),
    "scien": re.compile("research|scien|faculty|project|academic|conference|workshop", re.I),
    "abs": re.compile("abstract|paper|publication|preprint|book|report|/pubs/|proceedings|isbn", re.I),
}


def analysis(urls: Iterable[str]) -> dict[str, str | int]:
    """Return name -> value: the last label of the host, and 1 for what a URL tells of its page.

    >>> analysis(["http://www.example.edu/~bob/research/paper1.html"])
    {'domain': 'edu', 'univ': 1, 'pers': 1, 'scien': 1, 'abs': 1}
    >>> analysis(["http://shop.example.com:8080/products/list?id=3"]), analysis(["http://192.0.2.7/index.html"])
    ({'domain': 'com', 'prod': 1}, {'start': 1})
    """
    result: dict[str, str | int] = {}
    for url in urls:
        if (match := _URL.match(url)) is None:
            continue
        host, path = match[1], match[2]
        last = host.rpartition(".")[2]
        if _START.search(path):
            result["start"] = 1
        if last and not last.isdigit():
            result["domain"] = last
        if _UNIVERSITY.search(host):
            result["univ"] = 1
        if _PERSONAL.search(path):
            result["pers"] = 1
        result.update((name, 1) for name, words in _WORDS.items() if words.search(f"/{path}"))
    return result
