"""JSON-LD that is not JSON, and things in it without what Google requires for their rich result."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NoReturn

from ttcrawl.inspect.check.kinds import Problem
from ttcrawl.inspect.check.pages.archive import ArchivedPage

INVALID, INCOMPLETE = KINDS = ("json-ld-invalid", "json-ld-incomplete")

#: Type of schema.org -> properties; of a group one is enough. Google's gallery of structured data, a page for each.
_REVIEWS = ("review", "aggregateRating")
REQUIRED: dict[str, tuple[tuple[str, ...], ...]] = {
    "BreadcrumbList": (("itemListElement",),),
    "Course": (("name",), ("description",)),
    "Dataset": (("name",), ("description",)),
    "DiscussionForumPosting": (("author",), ("datePublished",), ("text", "image", "video", "sharedContent")),
    "Event": (("name",), ("startDate",), ("location",)),
    "FAQPage": (("mainEntity",),),
    "JobPosting": (
        ("title",),
        ("description",),
        ("datePosted",),
        ("hiringOrganization",),
        ("jobLocation", "applicantLocationRequirements"),
    ),
    "LocalBusiness": (("name",), ("address",)),
    "Movie": (("name",), ("image",)),
    "Product": (("name",), ("offers", *_REVIEWS)),
    "ProfilePage": (("mainEntity",),),
    "QAPage": (("mainEntity",),),
    "Recipe": (("name",), ("image",)),
    "Review": (("author",), ("itemReviewed",), ("reviewRating",)),
    "SoftwareApplication": (("name",), ("offers",), _REVIEWS),
    "VideoObject": (("name",), ("thumbnailUrl",), ("uploadDate",)),
}


def json_ld_problems(page: ArchivedPage) -> Iterator[Problem]:
    for script in page.elements["script"]:
        if (script.attributes.get("type") or "").strip().lower() != "application/ld+json":
            continue
        try:
            content = json.loads(script.text(), parse_constant=_no_constant)
        except ValueError as error:
            yield page.marked(Problem(kind=INVALID, url=page.url, detail=str(error)), script)
        except RecursionError:
            yield page.marked(Problem(kind=INVALID, url=page.url, detail="nested too deep"), script)
        else:
            for lacking in _lacks(content):
                yield page.marked(Problem(kind=INCOMPLETE, url=page.url, detail=lacking), script)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _lacks(content: Any) -> Iterator[str]:
    """What the things that stand by themselves lack; those inside others are read together with these."""
    for thing in content if isinstance(content, list) else [content]:
        if not isinstance(thing, dict) or "schema.org" not in str(thing.get("@context", "")):
            continue
        graph = thing.get("@graph")
        for each in graph if isinstance(graph, list) else [thing]:
            if isinstance(each, dict) and any(not name.startswith("@") for name in each):  # else it is a reference
                yield from _of_thing(each)


def _of_thing(thing: dict[str, Any]) -> Iterator[str]:
    types = thing.get("@type")
    for name in types if isinstance(types, list) else [types]:
        kind = str(name).rpartition("/")[2].rpartition(":")[2]
        for group in REQUIRED.get(kind, ()):
            if not any(thing.get(name) not in (None, "", [], {}) for name in group):
                yield f"{kind} without {' or '.join(group)}"
