"""Profiles: keys that belong together for one purpose. A config.ini and options win over them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    name: str
    about: str  # what it is for, in one line
    why: str  # what its keys do, in a paragraph of the manual
    keys: Mapping[str, str]  # section.key -> value


PROFILES = (
    Profile(
        name="archive",
        about="complete copies of pages, which can be replayed",
        why="Fetches all that a browser loads to show a page, of any type and up to a gigabyte, and sends cookies back"
        " to the host that set them, because some servers answer nothing without. Pages are read for text later, by"
        " `ttcrawl read`. Each commit survives a power failure.",
        keys={
            "links.page_requisites": "yes",
            "scope.extensions": "",
            "fetch.max_body": "1g",
            "fetch.max_decoded": "1g",
            "fetch.cookies": "host",
            "duplicates.repeated": "no",
            "record.reading": "later",
            "store.durability": "power",
        },
    ),
    Profile(
        name="course",
        about="the growth of a site by its links, for exercises",
        why="Discovers URLs by links of HTML pages alone, and requests nothing to which no page links. So growth laws"
        " count what links show.",
        keys={
            "sitemaps.use": "no",
            "sitemaps.feeds": "no",
            "fetch.types": "text/html application/xhtml+xml",
            "documents.convert": "no",
            "duplicates.repeated": "no",
            "duplicates.soft_404": "0",
        },
    ),
    Profile(
        name="check",
        about="all links of a site, for `ttcrawl check DIR`",
        why="Follows every link, also those with `nofollow`, reads /sitemap.xml if robots.txt names no sitemap, and"
        " asks each host after 20 pages how it answers for pages that do not exist.",
        keys={
            "links.nofollow": "no",
            "sitemaps.use": "yes",
            "duplicates.repeated": "no",
            "duplicates.soft_404": "20",
        },
    ),
    Profile(
        name="search",
        about="texts of pages and documents, each once, for an index",
        why="Fetches pages and documents, reads all sitemaps, and refuses URLs whose pattern causes duplicates.",
        keys={
            "fetch.types": "text/* application/*",
            "sitemaps.use": "yes",
            "duplicates.repeated": "refuse",
        },
    ),
    Profile(
        name="items",
        about="fields of pages by a hook, and nothing else of them",
        why="Finds links and keeps metadata; texts, languages and near duplicates are left out, which takes"
        " less processor time. Responses are archived, and links followed, as in any crawl.",
        keys={
            "record.text": "no",
            "record.main": "no",
            "record.language": "no",
            "duplicates.near": "no",
            "links.anchors": "no",
            "links.landmarks": "no",
        },
    ),
    Profile(
        name="polite",
        about="small servers, or many of them on one machine",
        why="Ten seconds between requests to a host and five to an address, more where a server is slow; one retry, and"
        " a long back-off.",
        keys={
            "politeness.delay": "10",
            "politeness.delay_factor": "10",
            "politeness.address_delay": "5",
            "politeness.connections": "1",
            "politeness.backoff": "600",
            "fetch.retries": "1",
            "fetch.retry_wait": "60",
        },
    ),
)

BY_NAME = {each.name: each for each in PROFILES}
