"""RSS 0.9x and 2.0, RSS 1.0 (RDF), Atom (RFC 4287)."""

from __future__ import annotations

import ada_url

from ttcrawl.web.sitemaps.dates import moment
from ttcrawl.web.sitemaps.entry import ALTERNATE, BESIDE, ENTRY, IMAGE, MEDIA, NEXT, URLS, Entry
from ttcrawl.web.sitemaps.xml import MAX_TEXT, Attributes, Stop

#: Characters of a title.
TITLE = 500

_DATES = ("updated", "modified", "pubDate", "date", "published", "issued")
_TEXTS = frozenset(("title", "link", "guid", *_DATES))
_ITEMS = ("item", "entry")
#: Parents of links that belong to an entry or the feed. An entry may contain the head of its source feed (RFC 4287
#: section 4.2.11, atom:source), authors and markup, which have links of their own.
_LINKED = (*_ITEMS, "channel", "feed")
#: Elements that Media RSS puts around its elements within an entry.
_GROUPS = ("group", "content")


class Feed:
    """The handler of all feed formats; `entries` grows. Elements outside the items belong to the feed itself."""

    def __init__(self, url: str, most: int) -> None:
        self.entries: list[Entry] = []
        self.title = ""
        self._most, self._remaining = most, most * BESIDE
        self._count = self._firsts = 0
        self._bases = [("", url)]  # (depth of the element, base) as set by xml:base
        self._path: list[str] = []
        self._inside = False
        self._clear()

    def _clear(self) -> None:
        self._title = ""
        self._guid = ""
        self._about = ""
        self._hrefs: list[str] = []
        self._beside: list[Entry] = []
        self._changed: float | None = None
        self._permanent = True

    def start(self, name: str, own: bool, attributes: Attributes) -> bool:
        self._path.append(name)
        parent = self._path[-2] if len(self._path) > 1 else ""
        if "xml:base" in attributes:
            self._bases.append((f"{len(self._path)}", _joined(self._bases[-1][1], attributes["xml:base"])))
        if name in _ITEMS and own:
            if self._count >= self._most:
                raise Stop(f"only the first {self._most:,} entries are read")
            self._inside = True
            self._clear()
            self._about = attributes.get("rdf:about", "")
        elif name == "link" and "href" in attributes and parent in _LINKED:
            self._link(attributes)
        elif name == "enclosure" and "url" in attributes and parent in _ITEMS:
            self._put_beside(attributes["url"], attributes.get("type", ""))
        elif not own and name in ("content", "thumbnail") and "url" in attributes and self._is_media():
            image = name == "thumbnail" or attributes.get("medium") == "image"  # Media RSS
            self._put_beside(attributes["url"], "image/" if image else attributes.get("type", ""))
        elif name == "guid" and parent in _ITEMS:
            self._permanent = attributes.get("isPermaLink", "true").strip().lower() != "false"
        return name in _TEXTS and (own or name == "date")

    def _is_media(self) -> bool:
        """Whether the current element belongs to the entry, not to the source of the entry."""
        around = next((name for name in self._path[-2::-1] if name not in _GROUPS), "")
        return around in _ITEMS

    def end(self, name: str, own: bool, text: str) -> None:
        if own or name == "date":
            self._note(name, text)
        if self._bases[-1][0] == f"{len(self._path)}":
            self._bases.pop()
        self._path.pop()

    def _note(self, name: str, text: str) -> None:
        parent = self._path[-2] if len(self._path) > 1 else ""
        if name in _ITEMS:
            self.finish()
        elif parent in ("channel", "feed"):
            if name == "title" and not self.title:
                self.title = _tidy(text)
            elif name == "link" and text:
                self._put_first(text, ALTERNATE)
        elif parent not in _ITEMS:
            return
        elif name == "title":
            self._title = _tidy(text)
        elif name == "link" and text:
            self._put(text)
        elif name == "guid":
            self._guid = text
        elif name in _DATES:
            latest, candidate = self._changed, moment(text)
            self._changed = candidate if latest is None or (candidate is not None and candidate > latest) else latest

    def finish(self) -> None:
        """The entry or the document has ended."""
        if not self._inside:
            return
        self._inside = False
        self._count += 1
        if not self._hrefs and self._guid and self._permanent and ":" in self._guid:
            self._hrefs.append(self._guid)
        if not self._hrefs and ":" in self._about:
            self._hrefs.append(self._about)
        for href in self._hrefs:
            self.entries.append(Entry(href, ENTRY, self._title, self._changed))
        self.entries += self._beside

    def _link(self, attributes: Attributes) -> None:
        """An Atom link, also used in RSS; without rel it is an alternate (RFC 4287 section 4.2.7.2)."""
        rel, href = attributes.get("rel", "alternate").strip().lower(), attributes["href"].strip()
        if not href:
            return
        if rel in ("enclosure", "http://www.iana.org/assignments/relation/enclosure"):
            self._put_beside(href, attributes.get("type", ""))
        elif rel in ("alternate", "http://www.iana.org/assignments/relation/alternate", ""):
            if self._inside:
                self._put(href)
            else:
                self._put_first(href, ALTERNATE)
        elif rel in ("next", "next-archive", "prev-archive") and not self._inside:
            self._put_first(href, NEXT)  # RFC 5005: the older entries

    def _put(self, href: str) -> None:
        if len(self._hrefs) < URLS:
            self._hrefs.append(self._based(href))

    def _put_first(self, href: str, kind: int) -> None:
        """A link of the feed itself."""
        self._firsts += 1
        if self._firsts <= URLS:
            self.entries.append(Entry(self._based(href), kind))

    def _put_beside(self, href: str, media_type: str) -> None:
        if self._inside and href.strip():
            self._remaining -= 1
            if self._remaining < 0:
                raise Stop(f"only the first {self._most * BESIDE:,} enclosures are read")
            kind = IMAGE if media_type.lower().startswith("image/") else MEDIA
            self._beside.append(Entry(self._based(href.strip()), kind))

    def _based(self, href: str) -> str:
        return href if len(self._bases) == 1 else _joined(self._bases[-1][1], href)


def _joined(base: str, href: str) -> str:
    """The absolute URL; `base` if href is not a URL, or too long to be one."""
    if len(base) + len(href) > MAX_TEXT:
        return base
    try:
        return str(ada_url.join_url(base, href.strip()))
    except ValueError:
        return base


def _tidy(text: str) -> str:
    return " ".join(text.split())[:TITLE]
