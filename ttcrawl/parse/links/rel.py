"""The kind of a link from <link> or the Link header, by its relations."""

from __future__ import annotations

#: If a link has several relations, the first of these decides. "previous" is read as "prev" (HTML standard 4.6.6.16).
_KINDS = (
    ("canonical", ord("c")),
    ("next", ord("n")),
    ("prev", ord("p")),
    ("previous", ord("p")),
    ("stylesheet", ord("s")),  # before alternate: "alternate stylesheet" is a style sheet
)
_ALTERNATE, _FEED, _OTHER, _ICON = ord("t"), ord("F"), ord("l"), ord("k")
#: HTML standard 4.6.6.8; the others are those of Safari.
_ICONS = frozenset(("icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon"))
_ALONE = {**dict(_KINDS), "icon": _ICON, "shortcut icon": _ICON, "index": _OTHER, "search": _OTHER, "author": _OTHER}
#: Relations that name an origin to connect to, or an endpoint that takes POST: nobody gets a page there (HTML standard
#: 4.6.7.15 and 4.6.7.3; Pingback 1.0 section 2; W3C Webmention 3.1.2; Micropub 5.3; IndieAuth 4.1).
_NO_PAGES = frozenset(
    (
        "preconnect",
        "dns-prefetch",
        "pingback",
        "webmention",
        "micropub",
        "microsub",
        "authorization_endpoint",
        "token_endpoint",
    )
)
FEEDS = frozenset(("application/rss+xml", "application/atom+xml", "application/feed+json"))


def kind_of(rel: str, media_type: str) -> int | None:
    """The letter of the kind of a link with the attributes rel and type; None: it leads to no page.

    >>> chr(kind_of("alternate STYLESHEET", "")), chr(kind_of("alternate", "application/rss+xml; charset=utf-8"))
    ('s', 'F')
    """
    kind = _ALONE.get(rel)  # the usual case: this function is called some ten times per page
    if kind is not None:
        return kind
    relations = rel.lower().split()
    if _NO_PAGES.issuperset(relations):
        return None
    for name, letter in _KINDS:
        if name in relations:
            return letter
    if not _ICONS.isdisjoint(relations):
        return _ICON
    if "alternate" not in relations:
        return _OTHER
    return _FEED if media_type.partition(";")[0].strip().lower() in FEEDS else _ALTERNATE
