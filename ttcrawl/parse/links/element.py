"""The URL attributes of HTML elements, and the kind of link each one makes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ttcrawl.parse.links import css
from ttcrawl.parse.links.refresh import refresh
from ttcrawl.parse.links.rel import kind_of
from ttcrawl.parse.links.srcset import candidates

AREA, FRAME, IFRAME, REFRESH, FORM, CSS, SCRIPT = b"mfirGuS"
IMAGE, MEDIA, OBJECT, LAZY, JSON_LD, LOCATION, TEXT, ANCHOR, LONGDESC = b"gvoyjJTaD"
LINKS = frozenset(b"cnptFlks")

Attributes = Mapping[str, str]
Reference = tuple[int, str]  # letter of ttcrawl.vocabulary.kind, URL reference


def references(tag: str, attributes: Attributes, parent: str) -> list[Reference]:
    """The links in the attributes of an HTML element other than <a> and form; `parent` is the tag of its parent."""
    reader = _BY_TAG.get(tag)
    links = reader(attributes, parent) if reader else []
    return links + _lazy(attributes) if tag in _LATER and not _IN_DATA.isdisjoint(attributes) else links


def of_svg(tag: str, href: str | None) -> list[Reference]:
    """The links of an SVG element other than <a>; `href` is its href or xlink:href."""
    kind = _IN_SVG.get(tag)
    return [(kind, href)] if kind and href and not href.startswith("#") else []


#: Elements of SVG that load what their href names (SVG 2, 5.5 and 12.3; Filter Effects 9.10).
_IN_SVG = {"image": IMAGE, "use": IMAGE, "feImage": IMAGE, "script": SCRIPT}


def in_style(style: str) -> list[Reference]:
    return [(CSS, url) for url in css.urls(style)]


def is_style(attributes: Attributes) -> bool:
    """Whether a style element contains CSS, not another language."""
    return attributes.get("type", "").strip().lower() in ("", "text/css")


def is_json_ld(attributes: Attributes) -> bool:
    return attributes.get("type", "").partition(";")[0].strip().lower() == "application/ld+json"


def label(tag: str, attributes: Attributes) -> str:
    """The replacement for the anchor text of an element without text."""
    if tag in ("area", "img", "input"):
        return attributes.get("alt", "")
    return attributes.get("title", "") if tag in ("link", "iframe", "frame") else ""


def _area(attributes: Attributes, parent: str) -> list[Reference]:
    href = attributes.get("href")
    return [] if href is None else [(AREA, href)]


def _link(attributes: Attributes, parent: str) -> list[Reference]:
    href = attributes.get("href")
    kind = kind_of(attributes.get("rel", ""), attributes.get("type", "")) if href else None
    return [(kind, href)] if kind and href else []


def _hinted(attributes: Attributes, parent: str) -> list[Reference]:
    """A link element, with the image candidates that it preloads (HTML standard 4.2.4.4)."""
    if "imagesrcset" not in attributes:
        return _link(attributes, parent)
    return _link(attributes, parent) + [(IMAGE, url) for url in candidates(attributes["imagesrcset"])]


def _meta(attributes: Attributes, parent: str) -> list[Reference]:
    if attributes.get("http-equiv", "").lower() != "refresh":
        return []
    target = refresh(attributes.get("content", ""))
    return [(REFRESH, target[1])] if target and target[1] is not None else []


def _img(attributes: Attributes, parent: str) -> list[Reference]:
    src = attributes.get("src")
    links = [(IMAGE, src)] if src else []
    if "srcset" in attributes:
        links += [(IMAGE, url) for url in candidates(attributes["srcset"])]
    # attributes from before 1998: an image shown while the other one loads, and a film in its place
    links += [(kind, url) for kind, name in _OLD if (url := attributes.get(name))]
    return links


_OLD = (IMAGE, "lowsrc"), (MEDIA, "dynsrc"), (LONGDESC, "longdesc")


def _input(attributes: Attributes, parent: str) -> list[Reference]:
    src = attributes.get("src")
    return [(IMAGE, src)] if src and attributes.get("type", "").lower() == "image" else []


def _source(attributes: Attributes, parent: str) -> list[Reference]:
    if parent == "picture":
        return [(IMAGE, url) for url in candidates(attributes.get("srcset", ""))]
    src = attributes.get("src")
    return [(MEDIA, src)] if src and parent in ("video", "audio") else []


def _video(attributes: Attributes, parent: str) -> list[Reference]:
    return [(MEDIA, url) for name in ("src", "poster") if (url := attributes.get(name))]


def _param(attributes: Attributes, parent: str) -> list[Reference]:
    """The URL that a plug-in loads: by the usual parameter names, or if the page declares it a URL (HTML 4.01
    13.3.2)."""
    value, has_url_name = attributes.get("value", ""), attributes.get("name", "").lower() in _LOADED
    return [(OBJECT, value)] if value and (has_url_name or attributes.get("valuetype", "").lower() == "ref") else []


_LOADED = frozenset(("movie", "src", "url", "filename"))


def _frame(attributes: Attributes, parent: str, kind: int = FRAME) -> list[Reference]:
    return [(each, url) for each, name in ((kind, "src"), (LONGDESC, "longdesc")) if (url := attributes.get(name))]


def _iframe(attributes: Attributes, parent: str) -> list[Reference]:
    return _frame(attributes, parent, IFRAME)


#: Elements whose content scripts load late, and the attributes of the usual scripts: a URL, or image candidates.
_LATER = frozenset(("img", "source", "video", "iframe"))
_IN_DATA = frozenset(
    (
        "data-src",
        "data-lazy-src",
        "data-lazy",
        "data-original",
        "data-orig-src",
        "data-poster",
        "data-bg",
        "data-srcset",
        "data-lazy-srcset",
        "data-original-set",
        "data-orig-srcset",
    )
)
#: Values that are options of a script, or templates.
_NO_URL = re.compile(r"#|[^./?]*+\Z|.*[{}<>\s]", re.DOTALL)


def _lazy(attributes: Attributes) -> list[Reference]:
    links: list[Reference] = []
    for name, value in attributes.items():
        if name in _IN_DATA:
            urls = candidates(value) if name.endswith("set") else (value.strip(),)
            links += [(LAZY, url) for url in urls if not _NO_URL.match(url)]
    return links


def _attribute_reader(kind: int, name: str) -> Callable[[Attributes, str], list[Reference]]:
    def read(attributes: Attributes, parent: str) -> list[Reference]:
        url = attributes.get(name)
        return [(kind, url)] if url else []

    return read


#: Elements with a background image (HTML standard 15.3.1, 15.3.8).
BACKGROUNDS = ("body", "table", "thead", "tbody", "tfoot", "tr", "td", "th")

_BY_TAG: dict[str, Callable[[Attributes, str], list[Reference]]] = {
    "area": _area,
    "link": _hinted,
    "meta": _meta,
    "frame": _frame,
    "iframe": _iframe,
    "img": _img,
    "input": _input,
    "source": _source,
    "video": _video,
    "audio": _attribute_reader(MEDIA, "src"),
    "track": _attribute_reader(MEDIA, "src"),
    "bgsound": _attribute_reader(MEDIA, "src"),
    "object": _attribute_reader(OBJECT, "data"),
    "embed": _attribute_reader(OBJECT, "src"),
    "param": _param,
    "script": _attribute_reader(SCRIPT, "src"),
    **dict.fromkeys(BACKGROUNDS, _attribute_reader(IMAGE, "background")),
}
_KINDS_OF = {
    "link": LINKS | {IMAGE},
    "source": frozenset((IMAGE, MEDIA, LAZY)),
    "script": frozenset((SCRIPT, JSON_LD)),
    "style": frozenset((CSS,)),
    "form": frozenset((FORM,)),
    "img": frozenset((IMAGE, MEDIA, LAZY, LONGDESC)),
    "video": frozenset((MEDIA, LAZY)),
    **dict.fromkeys(("input", "image", "feImage", *BACKGROUNDS), frozenset((IMAGE,))),
    **dict.fromkeys(("audio", "track", "bgsound"), frozenset((MEDIA,))),
    **dict.fromkeys(("object", "embed", "param"), frozenset((OBJECT,))),
    "area": frozenset((AREA, LOCATION)),
    "frame": frozenset((FRAME, LONGDESC)),
    "iframe": frozenset((IFRAME, LAZY, LONGDESC)),
}


def tags(kinds: frozenset[int]) -> frozenset[str]:
    """The elements, SVG included, that may be or contain links of these kinds; without <a>."""
    return frozenset(tag for tag, makes in _KINDS_OF.items() if not makes.isdisjoint(kinds))
