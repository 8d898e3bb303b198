"""`ttcrawl verify`: check, repair, check again."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.cli.arguments import crawl_directory, output_form
from ttcrawl.errors import DONE, FAILED

if TYPE_CHECKING:
    from ttcrawl.inspect.verify.findings import Finding
    from ttcrawl.maintain.verified import Verified

SUMMARY = "check that a crawl is complete and consistent"
IN_HELP = ("Tools", 3)
EXAMPLES = (
    ("is the crawl complete and consistent?", "verify crawl-example.org"),
    ("repair what can be repaired", "verify crawl-example.org --repair"),
)


def options(verify: argparse.ArgumentParser) -> None:
    crawl_directory(verify)
    verify.add_argument("--repair", action="store_true", help="repair what can be repaired without a request")
    output_form(verify, "json")


def run(args: argparse.Namespace) -> int:
    """The exit status is 1 if there is a problem."""
    from ttcrawl.cli.styles import OF_VERIFY
    from ttcrawl.maintain.verified import verify
    from ttcrawl.output.display import ReadProgress
    from ttcrawl.output.json_form import json_form
    from ttcrawl.output.terminal import show
    from ttcrawl.store.mailbox import is_cluster

    rings: dict[int, Verified] = {}
    if is_cluster(args.directory):
        rings = _verified_rings(args.directory, mend=args.repair)
        crawls = list(rings.values())
    else:
        with ReadProgress() as progress:
            crawls = [verify(args.directory, progress, mend=args.repair)]
    if args.format == "json":
        of_rings = {"rings": [{"ring": ring, **_as_json(each)} for ring, each in rings.items()]}
        print(json_form(of_rings if rings else _as_json(crawls[0])))
    else:
        show("\n".join(line for each in crawls for line in _lines(each)), styles=OF_VERIFY)
    return FAILED if any(each.problems for each in crawls) else DONE


def _verified_rings(directory: Path, *, mend: bool) -> dict[int, Verified]:
    """Check each ring where its directory is, all at the same time."""
    from msgspec import msgpack

    from ttcrawl.cluster.plan import read_plan
    from ttcrawl.cluster.results.at_rings import at_rings
    from ttcrawl.maintain.verified import Verified, verify_at_ring
    from ttcrawl.output.display import ReadProgress

    plan = read_plan(directory)
    with ReadProgress() as progress:
        answers = at_rings(
            directory,
            plan,
            verify_at_ring,
            b"repair" if mend else b"",
            lambda count: progress("rings", count, len(plan.rings)),
        )
    return {ring: msgpack.decode(answers[ring], type=Verified) for ring in sorted(answers)}


def _as_json(verified: Verified) -> dict[str, object]:
    rows = [
        {
            "kind": each.kind,
            "count": each.count,
            "examples": list(each.examples),
            "repaired": each.kind not in verified.remaining,
        }
        for each in verified.problems
    ]
    return {"problems": rows}


def _lines(verified: Verified) -> list[str]:
    return [*(_line(each, verified.remaining) for each in verified.problems), verified.summary]


def _line(finding: Finding, remaining: Collection[str]) -> str:
    more = ", ..." if finding.count > len(finding.examples) else ""
    repaired = "" if finding.kind in remaining else "repaired: "
    return f"{repaired}{finding.kind}: {finding.count:,} ({', '.join(finding.examples)}{more})"
