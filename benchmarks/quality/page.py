"""The results in docs/quality.md: the first measurement beside the latest, out of measured.json."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from benchmarks import manual
from benchmarks.quality.duplicates import COUNTS
from benchmarks.quality.scores import wilson
from benchmarks.quality.sites import SITES

MEASURED = Path(__file__).with_name("measured.json")
MANUAL = Path(__file__).resolve().parents[2] / "docs" / "quality.md"
BEGIN, END = "<!-- measured -->\n", "<!-- end -->\n"
FIRST, LATEST = "first", "latest"
#: Part of a measurement -> what makes its tables.
Results = Mapping[str, Any]
COUNTED = ("pages", "right", "wrong")
#: The counts of a generator that the first measurement did not have.
NOT_MEASURED = dict.fromkeys(COUNTS, 0)


def measured() -> dict[str, Any]:
    """ "first" and "latest" -> part -> its "date" and "commit", and its results."""
    text = MEASURED.read_text(encoding="utf-8") if MEASURED.exists() else "{}"
    result: dict[str, Any] = json.loads(text)
    return result


def save(results: Results) -> None:
    """Keep the parts of a measurement as the latest, or as the first where there was none, and write the manual."""
    kept = measured()
    for part, result in results.items():
        for name in (FIRST, LATEST) if part not in kept.get(FIRST, {}) else (LATEST,):
            kept.setdefault(name, {})[part] = result
    MEASURED.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    manual.write(MANUAL, BEGIN, END, tables(kept))


def tables(kept: Results) -> str:
    """All that stands between the marks of the manual."""
    first, latest = kept[FIRST], kept[LATEST]
    pieces = []
    if "main" in first:
        pieces += ["## Main text of documentation", _dates(first, latest, "main") + _added(first)]
        pieces += [_documentation(first, latest)]
        pieces += ["## Main text of articles", _articles(first["main"], latest["main"], "language", "language")]
        pieces += [_articles(first["main"], latest["main"], "template", "page of a site")]
    if "duplicates" in first:
        pieces += ["## Near duplicates", _dates(first, latest, "duplicates"), _duplicates(first, latest)]
    if "language" in first:
        pieces += ["## Language", _dates(first, latest, "language"), _language(first, latest)]
    return "\n\n".join(pieces)


def _dates(first: Results, latest: Results, part: str) -> str:
    before, after = (f"{each[part]['date']}, at commit {each[part]['commit']}" for each in (first, latest))
    return f"Before: {before}; after: {after}." if before != after else f"Measured once: {before}."


def _added(first: Results) -> str:
    """The generators that were added later: their first measurement has a commit of its own."""
    documentation = first["main"]["documentation"]
    commits = {site.name: documentation[site.name].get("commit") for site in SITES if site.name in documentation}
    added = dict[str, list[str]]()
    for name, commit in commits.items():
        if commit is not None:
            added.setdefault(commit, []).append(name)
    return "".join(f" Before, for {', '.join(names)}: at commit {commit}." for commit, names in added.items())


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]], names: int = 1) -> str:
    """`names`: columns of text at its left; the others are numbers."""
    lines = [list(heads), *map(list, rows)]
    ruler = f"|{'---|' * names}{'--:|' * (len(lines[0]) - names)}"
    head, *body = (f"| {' | '.join(line)} |" for line in lines)
    return "\n".join([head, ruler, *body])


def _documentation(first: Results, latest: Results) -> str:
    before, after = (each["main"]["documentation"] for each in (first, latest))
    others = [name for name in next(iter(after.values())) if name not in ("pages", "ttcrawl")]
    rows = [
        [site.name, f"`{site.package}`", f"{after[site.name]['pages']}"]
        + [f"{each[site.name]['ttcrawl']:.3f}" if site.name in each else "-" for each in (before, after)]
        + [f"{after[site.name][other]:.3f}" for other in others]
        for site in SITES
    ]
    return _table(["generator", "package", "pages", "before", "after", *others], rows, names=2)


def _articles(before: Results, after: Results, group: str, head: str) -> str:
    others = [name for name in after["articles"][group]["all"] if name not in ("pages", "ttcrawl")]
    rows = [
        [name.replace("_", " "), f"{scores['pages']}"]
        + [f"{before['articles'][group][name]['ttcrawl']:.3f}", f"{scores['ttcrawl']:.3f}"]
        + [f"{scores[other]:.3f}" for other in others]
        for name, scores in after["articles"][group].items()
    ]
    return _table([head, "pages", "before", "after", *others], rows)


def _share(right: int, count: int) -> str:
    low, high = wilson(right, count)
    return f"{right / count:.3f} ({low:.3f} to {high:.3f})" if count else "-"


def _duplicates(first: Results, latest: Results) -> str:
    before, after = (each["duplicates"]["generators"] for each in (first, latest))
    rows = []
    for name, counts in after.items():
        pair = (before.get(name, NOT_MEASURED), counts)
        if not any(each[key] for each in pair for key in ("marked", "similar")):
            continue
        row = [name, f"{counts['pages']:,}", f"{counts['marked']:,}", f"{counts['similar']:,}"]
        for right, count in (("right", "marked"), ("found", "similar")):
            row += [_share(each[right], each[count]) for each in pair]
        rows.append(row)
    heads = ("generator", "pages", "marked", "similar", "precision before", "after", "recall before", "after")
    return _table(heads, rows) + "\n\nThe other generators have no similar pages in the sample, and none is marked."


def _language(first: Results, latest: Results) -> str:
    before, after = (each["language"]["kinds"] for each in (first, latest))
    rows = [
        [kind, f"{each['pages']:,}", f"{each['languages']}"]
        + [_share(counts["right"], counts["pages"]) for counts in (before[kind], each)]
        + [f"{counts['wrong']:,}" for counts in (before[kind], each)]
        for kind, each in after.items()
    ]
    text = [kind for kind in after if not kind.startswith("code")]
    counted = [{name: sum(each[kind][name] for kind in text) for name in COUNTED} for each in (before, after)]
    rows.append(
        ["all but code", f"{counted[1]['pages']:,}", ""]
        + [_share(each["right"], each["pages"]) for each in counted]
        + [f"{each['wrong']:,}" for each in counted]
    )
    return _table(("pages", "number", "languages", "right before", "after", "wrong before", "after"), rows)
