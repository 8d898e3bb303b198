"""By what URLs are selected: each facet is a column of table `listed`, and of `ttcrawl export --table overview`."""

from __future__ import annotations

from dataclasses import dataclass

#: What stands for a missing value in addresses.
NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Facet:
    """`sql`: its value in crawl.db, from the tables of _FROM."""

    name: str
    label: str
    sql: str
    is_number: bool = False


FACETS = (
    Facet(name="state", label="State", sql="url.state"),
    Facet(name="reason", label="Reason", sql="nullif(url.reason, '')"),
    Facet(name="status", label="HTTP status", sql="page.status", is_number=True),
    Facet(name="type", label="Type", sql="nullif(page.type, '')"),
    Facet(name="host", label="Host", sql="url.site"),
    Facet(name="depth", label="Depth", sql="url.depth", is_number=True),
    Facet(name="language", label="Language", sql="nullif(metadata.language, '')"),
    Facet(name="same", label="Duplicate", sql="duplicate.same"),
    Facet(name="soft_404", label="Soft 404", sql="CASE WHEN soft_404.url NOT NULL THEN 'yes' END"),
)
BY_NAME = {each.name: each for each in FACETS}

#: The rows of table `listed` that a condition on url.id selects.
ROWS = f"""
    SELECT url.id, {", ".join(f"{each.sql} AS {each.name}" for each in FACETS)}, page.time AS time
    FROM url LEFT JOIN page ON page.url = url.id LEFT JOIN metadata ON metadata.url = url.id
    LEFT JOIN duplicate ON duplicate.url = url.id LEFT JOIN soft_404 ON soft_404.url = url.id"""
