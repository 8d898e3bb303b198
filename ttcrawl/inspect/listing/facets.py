"""By what URLs are selected: each facet is a column of table `listed`, and conditions on the exported overview."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.vocabulary.state import FAILED

#: What stands for a missing value in addresses.
NONE = "none"

#: The only value of a facet that most URLs do not have.
YES = "yes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Facet:
    """`sql`: its value in crawl.db. `conditions`: of a facet that has only the values YES and NONE, the conditions of
    `--where` that stand for them; its index has only the URLs with YES."""

    name: str
    label: str
    sql: str
    is_number: bool = False
    conditions: tuple[str, ...] = ()


FACETS = (
    Facet(name="state", label="State", sql="url.state"),
    Facet(
        name="failed",
        label="Failed",
        sql=f"CASE WHEN url.state = '{FAILED}' OR page.status >= 400 THEN '{YES}' END",
        conditions=(f"state={FAILED} OR status>=400", f'state!={FAILED} AND (status<400 OR status="")'),
    ),
    Facet(name="reason", label="Reason", sql="nullif(url.reason, '')"),
    Facet(name="status", label="HTTP status", sql="page.status", is_number=True),
    Facet(name="type", label="Type", sql="nullif(page.type, '')"),
    Facet(name="host", label="Host", sql="url.site"),
    Facet(name="depth", label="Depth", sql="url.depth", is_number=True),
    Facet(name="language", label="Language", sql="nullif(metadata.language, '')"),
    Facet(name="same", label="Duplicate", sql="duplicate.same"),
    Facet(
        name="soft_404",
        label="Soft 404",
        sql=f"CASE WHEN soft_404.url NOT NULL THEN '{YES}' END",
        conditions=("soft_404=yes", "soft_404=no"),
    ),
)
BY_NAME = {each.name: each for each in FACETS}

#: The rows of table `listed` that a condition on url.id selects.
ROWS = f"""
    SELECT url.id, {", ".join(f"{each.sql} AS {each.name}" for each in FACETS)}, page.time AS time
    FROM url LEFT JOIN page ON page.url = url.id LEFT JOIN metadata ON metadata.url = url.id
    LEFT JOIN duplicate ON duplicate.url = url.id LEFT JOIN soft_404 ON soft_404.url = url.id"""
