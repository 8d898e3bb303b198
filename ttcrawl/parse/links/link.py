"""A target, and what decided about it, as the message that the crawl process discovers."""

from __future__ import annotations

from ttcrawl.parse.links.resolver import Refusal, Target, target_of
from ttcrawl.ring.messages import Link
from ttcrawl.vocabulary.reason import NONE, Code
from ttcrawl.vocabulary.requisite import waived
from ttcrawl.web.canon import Canon


def link(target: Target, distance: int, refused: Code = NONE, rank: int = 0, *, sitemap: bool = False) -> Link:
    """`refused`: the reason, of the vocabulary; "": the reason of the target."""
    why = refused or target.refused
    why = waived(why) if sitemap else why
    sound: Link = Link.sound(
        url=target.url,
        key=target.key,
        host=target.host,
        distance=distance,
        refused=why,
        rule=target.rule if why == target.refused else "",
        spelling=target.spelling,
        rank=rank,
        sitemap=sitemap,
    )
    return sound


def link_to(canon: Canon, base: str, href: str, depth: int, refusal: Refusal, *, sitemap: bool = False) -> Link | None:
    """The target of a redirect, or a sitemap named by its site; None if it is not an http(s) URL."""
    url, spelling = canon.spelled(base, href)
    return None if url is None else link(target_of(url, spelling, refusal), depth, sitemap=sitemap)
