"""The kinds of links: a letter in table `outlinks`, a name in config.ini, and a meaning."""

from __future__ import annotations

from msgspec import Struct


class Kind(Struct, frozen=True):
    letter: str
    name: str
    meaning: str
    requisite: bool = False  # a browser loads it to show the page


KINDS = (
    Kind("a", "anchor", "a href"),
    Kind("m", "area", "area href"),
    Kind("f", "frame", "frame src, in a frameset or not", requisite=True),
    Kind("i", "iframe", "iframe src", requisite=True),
    Kind("D", "longdesc", "longdesc of img, frame and iframe"),
    Kind("r", "refresh", "meta refresh, header Refresh"),
    Kind("J", "location", "onclick and javascript: that plainly name a location"),
    Kind("G", "form", "form with method GET and nothing to fill in"),
    Kind("c", "canonical", "link rel=canonical"),
    Kind("n", "next", "link rel=next"),
    Kind("p", "prev", "link rel=prev"),
    Kind("t", "alternate", "link rel=alternate"),
    Kind("F", "feed", "link rel=alternate to RSS, Atom or JSON Feed"),
    Kind("l", "link", "link with another rel"),
    Kind("k", "icon", "link rel=icon, apple-touch-icon or mask-icon", requisite=True),
    Kind("s", "stylesheet", "link rel=stylesheet", requisite=True),
    Kind("u", "css", "url(), image-set() and @import in style sheets, elements and attributes", requisite=True),
    Kind("S", "script", "script src", requisite=True),
    Kind(
        "g",
        "image",
        "img src, srcset and lowsrc, source of a picture, image, use and feImage of SVG, image button, background of"
        " body and tables",
        requisite=True,
    ),
    Kind("v", "media", "source, video (poster too), audio, track, bgsound, img dynsrc", requisite=True),
    Kind("o", "object", "object data, embed src, param of an object", requisite=True),
    Kind("y", "lazy", "data-src, data-srcset and the like, from which scripts load an image, a film or a frame"),
    Kind("j", "json-ld", "URLs in JSON-LD"),
    Kind("T", "text", "URLs in text, also of documents"),
    Kind("d", "document", "links in a document such as a PDF"),
    Kind("e", "entry", "an entry of a feed"),
    Kind("M", "sitemap", "an entry of a sitemap"),
    Kind("x", "regex", "found by the regular expression"),
)
REDIRECT = Kind("R", "redirect", "the target of a redirect")
#: Followed like the sitemaps in robots.txt: [sitemaps] use alone decides.
INDEX = Kind("I", "index", "a sitemap in a sitemap index")
#: Followed always: the function that adds them decides.
HOOK = Kind("H", "hook", "a link that the hook for pages added")

#: The kinds of page requisites: letters.
REQUISITES = frozenset(ord(kind.letter) for kind in KINDS if kind.requisite)

LETTERS = {kind.name: kind.letter for kind in KINDS}
#: The kinds of what a page shows within itself. On a page at the maximum depth they are as far as their page.
SHOWN = frozenset(ord(LETTERS[name]) for name in ("image", "media", "object", "lazy"))
NAMES = {kind.letter: kind.name for kind in (*KINDS, REDIRECT, INDEX, HOOK)}
