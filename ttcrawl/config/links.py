"""Section [links]: links on pages."""

from __future__ import annotations

from ttcrawl.config.key import key
from ttcrawl.config.names import link_kinds
from ttcrawl.frozen import frozen
from ttcrawl.vocabulary.html import PARSERS


@frozen
class Links:
    """How pages are read."""

    parser: str = key(
        "lexbor",
        "lexbor (falls back on html5lib), html5lib (falls back on regex), regex",
        choices=PARSERS,
    )
    content_start: str = key("", "start of a content region, such as <!-- CONTENT -->; empty: all is content")
    content_end: str = key("", "end of a content region, such as <!-- /CONTENT -->")
    nofollow: str = key(
        "page",
        "page (do not follow links of pages with nofollow or none in meta robots or X-Robots-Tag), all (nor"
        " links with rel=nofollow), no (follow all links)",
        choices=("page", "all", "no"),
    )
    follow: str = key(
        "content", "links that are followed: content (inside the regions) or all", choices=("content", "all")
    )
    new: str = key(
        "follow",
        "links to URLs that are new: follow, or record (such a URL waits until ttcrawl requeue --recorded queues it;"
        " redirects, sitemaps and page requisites do not wait)",
        choices=("follow", "record"),
    )
    kinds: str = key(
        "anchor area frame iframe longdesc refresh location form canonical next document entry sitemap regex",
        "kinds of links that are followed",
        listed=True,
    )
    recorded: str = key(
        "prev alternate feed link icon stylesheet css script image media object lazy json-ld",
        "kinds that are only recorded; kinds in neither list are ignored (text: URLs in plain text)",
        listed=True,
    )
    page_requisites: bool = key(
        False,
        "yes: also fetch what a browser loads to show a page (images, style sheets and what they import, fonts,"
        " scripts, icons, frames, media, objects), also from other hosts and at any depth",
    )
    landmarks: bool = key(True, "record the landmark in which a link stands: nav, main, header, footer, aside")
    anchors: bool = key(True, "record the anchor text of links")
    max_memory: int = key(
        1 << 30,
        "maximum bytes of memory for one page in a parse process; a page that needs more fails",
        low=1 << 20,
        size=True,
    )
    max_time: float = key(
        10.0,
        "maximum seconds of processor time for one page in a parse process; a page that needs more fails, and"
        " the process is replaced (also if it is stuck for ten times as long)",
        low=0.1,
    )

    def check(self) -> None:
        """Raises ValueError."""
        if bool(self.content_start) != bool(self.content_end):
            raise ValueError("content_start and content_end belong together: write both or none")
        for name in ("kinds", "recorded"):
            try:
                link_kinds(getattr(self, name))
            except ValueError as error:
                raise ValueError(f"{name}: {error}") from None
