"""urlset and sitemapindex (https://www.sitemaps.org/protocol.html), with Google's extensions."""

from __future__ import annotations

from ttcrawl.web.sitemaps.dates import moment
from ttcrawl.web.sitemaps.entry import ALTERNATE, BESIDE, IMAGE, MEDIA, NESTED, SITEMAP, URLS, USUAL, Entry
from ttcrawl.web.sitemaps.xml import Attributes, Stop

#: Elements of other namespaces that contain a URL: image:loc, video:content_loc, video:thumbnail_loc.
_EXTENSIONS = {"loc": IMAGE, "thumbnail_loc": IMAGE, "content_loc": MEDIA}


class Urlset:
    """The handler of both; `entries` grows. The properties of an entry may precede or follow its loc."""

    def __init__(self, root: str, most: int) -> None:
        self.entries: list[Entry] = []
        self.title = ""
        self._most, self._remaining = most, most * BESIDE
        self._item, self._kind = ("sitemap", NESTED) if root == "sitemapindex" else ("url", SITEMAP)
        self._count = 0
        self._clear()

    def _clear(self) -> None:
        self._hrefs: list[str] = []
        self._beside: list[Entry] = []
        self._changed: float | None = None
        self._priority = USUAL

    def start(self, name: str, own: bool, attributes: Attributes) -> bool:
        if own:
            if name == self._item and self._count >= self._most:
                raise Stop(f"only the first {self._most:,} entries are read")
            return name in ("loc", "lastmod", "priority")
        if name == "link" and "alternate" in attributes.get("rel", "").lower().split():
            self._put_beside(attributes.get("href", ""), ALTERNATE, attributes.get("hreflang", ""))
        return name in _EXTENSIONS

    def end(self, name: str, own: bool, text: str) -> None:
        if not own:
            if name in _EXTENSIONS:
                self._put_beside(text, _EXTENSIONS[name])
        elif name == "loc":
            if len(self._hrefs) < URLS:
                self._hrefs.append(text)
        elif name == "lastmod":
            self._changed = moment(text)
        elif name == "priority":
            self._priority = priority(text)
        elif name == self._item:
            self.finish()

    def finish(self) -> None:
        """The entry or the document has ended."""
        if self._hrefs or self._beside:
            self._count += 1
        for href in filter(None, self._hrefs):
            self.entries.append(Entry(href, self._kind, "", self._changed, self._priority))
        self.entries += self._beside
        self._clear()

    def _put_beside(self, href: str, kind: int, language: str = "") -> None:
        if href.strip():
            self._remaining -= 1
            if self._remaining < 0:
                raise Stop(f"only the first {self._most * BESIDE:,} images and alternates are read")
            self._beside.append(Entry(href.strip(), kind, language=language))


def priority(text: str) -> float:
    """The priority of an entry, USUAL if it is not a number from 0 to 1."""
    try:
        number = float(text[:20].replace(",", "."))
    except ValueError:
        return USUAL
    return number if 0.0 <= number <= 1.0 else USUAL
