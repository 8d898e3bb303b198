"""The results in docs/quality.md: the latest measurement of each part, out of measured.json."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from benchmarks import manual
from benchmarks.quality.scores import wilson
from benchmarks.quality.sites import SITES

MEASURED = Path(__file__).with_name("measured.json")
MANUAL = Path(__file__).resolve().parents[2] / "docs" / "quality.md"
BEGIN, END = "<!-- measured -->\n", "<!-- end -->\n"
#: Part of a measurement -> what makes its tables.
Results = Mapping[str, Any]
COUNTED = ("pages", "right", "wrong")


def measured() -> dict[str, Any]:
    """Part -> its "date" and "commit", and its results."""
    text = MEASURED.read_text(encoding="utf-8") if MEASURED.exists() else "{}"
    result: dict[str, Any] = json.loads(text)
    return result


def save(results: Results) -> None:
    """Keep the parts of a measurement, and write the manual."""
    kept = {**measured(), **results}
    MEASURED.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    manual.write(MANUAL, BEGIN, END, tables(kept))


def tables(kept: Results) -> str:
    """All that stands between the marks of the manual."""
    pieces = []
    if main := kept.get("main"):
        pieces += ["## Main text of documentation", _date(main), _documentation(main["documentation"])]
        pieces += ["## Main text of articles", _articles(main["articles"]["language"], "language")]
        pieces += [_articles(main["articles"]["template"], "page of a site")]
    if duplicates := kept.get("duplicates"):
        pieces += ["## Near duplicates", _date(duplicates), _duplicates(duplicates["generators"])]
    if language := kept.get("language"):
        pieces += ["## Language", _date(language), _language(language["kinds"])]
    return "\n\n".join(pieces)


def _date(part: Results) -> str:
    return f"Measured on {part['date']}, at commit {part['commit']}."


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]], names: int = 1) -> str:
    """`names`: columns of text at its left; the others are numbers."""
    lines = [list(heads), *map(list, rows)]
    ruler = f"|{'---|' * names}{'--:|' * (len(lines[0]) - names)}"
    head, *body = (f"| {' | '.join(line)} |" for line in lines)
    return "\n".join([head, ruler, *body])


def _documentation(scores: Results) -> str:
    others = [name for name in next(iter(scores.values())) if name not in ("pages", "ttcrawl")]
    rows = [
        [site.name, f"`{site.package}`", f"{scores[site.name]['pages']}"]
        + [f"{scores[site.name][each]:.3f}" for each in ("ttcrawl", *others)]
        for site in SITES
    ]
    return _table(["generator", "package", "pages", "ttcrawl", *others], rows, names=2)


def _articles(scores: Results, head: str) -> str:
    others = [name for name in scores["all"] if name not in ("pages", "ttcrawl")]
    rows = [
        [name.replace("_", " "), f"{each['pages']}", *(f"{each[other]:.3f}" for other in ("ttcrawl", *others))]
        for name, each in scores.items()
    ]
    return _table([head, "pages", "ttcrawl", *others], rows)


def _share(right: int, count: int) -> str:
    low, high = wilson(right, count)
    return f"{right / count:.3f} ({low:.3f} to {high:.3f})" if count else "-"


def _duplicates(generators: Results) -> str:
    rows = [
        (
            name,
            *(f"{counts[each]:,}" for each in ("pages", "marked", "similar")),
            _share(counts["right"], counts["marked"]),
            _share(counts["found"], counts["similar"]),
        )
        for name, counts in generators.items()
        if counts["marked"] or counts["similar"]
    ]
    table = _table(("generator", "pages", "marked", "similar", "precision", "recall"), rows)
    return f"{table}\n\nThe other generators have no similar pages in the sample, and none is marked."


def _language(kinds: Results) -> str:
    text = [each for kind, each in kinds.items() if not kind.startswith("code")]
    total = {name: sum(each[name] for each in text) for name in COUNTED} | {"languages": ""}
    rows = [
        [kind, f"{each['pages']:,}", f"{each['languages']}", _share(each["right"], each["pages"]), f"{each['wrong']:,}"]
        for kind, each in [*kinds.items(), ("all but code", total)]
    ]
    return _table(("pages", "number", "languages", "right", "wrong"), rows)
