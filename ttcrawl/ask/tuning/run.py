"""`ttcrawl tune-duplicates`: its options and its output."""

from __future__ import annotations

import json
import sys
import textwrap
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from ttcrawl.ask.report.layout import Row, Section
from ttcrawl.ask.report.tables import lay_out
from ttcrawl.ask.tuning.grid import DOUBT, FEWEST, Tried, best, tried
from ttcrawl.ask.tuning.labelled import labels
from ttcrawl.ask.tuning.pair import Sample
from ttcrawl.ask.tuning.sample import by_hand, made
from ttcrawl.ask.view.view import view
from ttcrawl.errors import DONE

PRECISION, RECALL = 0.99, 0.95  # from which settings are good enough
KEYS = ("permutations", "bands", "shingle", "verify")


def tune(directory: Path, labelled: str | None, name: str, size: int, seed: int, similar: float, form: str) -> int:
    """Print the grid. `labelled`: the text of the file `name`; None: make pairs from `size` pages."""
    with view(directory) as db:
        config = db.config
    if labelled is None:
        sample = made(directory, config, max(size, 2), seed, similar, _say)
    else:
        sample = by_hand(directory, config, labels(labelled, name), _say)
    found = sorted(tried(sample, config.duplicates, similar, time.process_time, _say), key=lambda each: each.choice)
    chosen, good = best(found, PRECISION, RECALL)
    if form == "json":
        print(json.dumps(_json(sample, found, chosen, good=good), indent=2))
    else:
        parts = [_grid(found, _how(sample, similar)), _kinds(chosen)]
        print(lay_out(parts, ["all"], form))
        print(f"\n{textwrap.fill(_why(found, chosen, good=good), width=100)}")
        if chosen.enough:
            print(f"\n{_lines(chosen)}")
    return DONE


def _say(what: str) -> None:
    print(f"ttcrawl: {what}", file=sys.stderr, flush=True)


def _how(sample: Sample, similar: float) -> str:
    return (
        f"{sample.told} A changed word changes every shingle that contains it, so shingles are less similar than words."
        f" Precision: the share of marked pairs that are similar (pairs below by up to {DOUBT:g} count neither way);"
        f" recall: the share of pairs with at least {similar:g} that are marked; each with its 95 % interval (Wilson)."
        " us: microseconds to make a fingerprint; candidates: pages with which a page is compared; bytes: stored per"
        " page."
    )


def _grid(found: Sequence[Tried], how: str) -> Section:
    rows = []
    for each in found:
        choice, (precision, recall) = each.choice, each.intervals
        label = f"{choice.shingle} words, {choice.permutations} in {choice.bands} bands, verify {choice.verify:g}"
        rows.append(
            Row(
                label=label,
                values=(
                    *(f"{each.precision:.4f}", f"{precision[0]:.3f}-{precision[1]:.3f}"),
                    *(f"{each.recall:.4f}", f"{recall[0]:.3f}-{recall[1]:.3f}"),
                    *(round(each.microseconds), f"{each.candidates:.2f}", round(each.bytes)),
                ),
            )
        )
    columns = ("precision", "95 %", "recall", "95 %", "us", "candidates", "bytes")
    return Section(title="Shingle, permutations in bands, verify", rows=tuple(rows), columns=columns, how=how)


def _kinds(chosen: Tried) -> Section:
    rows = [
        Row(label=kind, values=(there, marked, f"{marked / there:.4f}"))
        for kind, (there, marked) in chosen.kinds.items()
    ]
    return Section(title="Similar pairs, by the best settings", rows=tuple(rows), columns=("pairs", "marked", "recall"))


def _why(found: Sequence[Tried], chosen: Tried, *, good: bool) -> str:
    told = f"precision {chosen.precision:.4f}, recall {chosen.recall:.4f}, F1 {chosen.f1:.4f}"
    if not chosen.enough:
        return (
            f"There are too few similar pairs to choose settings: {chosen.similar:,}, and"
            f" {chosen.right + chosen.wrong:,} are marked; at least {FEWEST} are needed. Keep the present settings, or"
            " try a larger sample (--sample) or crawl."
        )
    aim = f"precision of at least {PRECISION:g} and recall of at least {RECALL:g} (lower ends of the intervals)"
    if good:
        many = sum(each.certain(PRECISION, RECALL) for each in found)
        return f"The fewest bands (then permutations, then candidates) of {many} settings with a {aim}: {told}."
    return f"No settings have a {aim}; these have the best F1: {told}."


def _lines(chosen: Tried) -> str:
    given = asdict(chosen.choice)
    return "\n".join(["[duplicates]", *(f"{key} = {given[key]:g}" for key in KEYS)])


def _json(sample: Sample, found: Sequence[Tried], chosen: Tried, *, good: bool) -> dict[str, object]:
    def told(each: Tried) -> dict[str, object]:
        precision, recall = each.intervals
        kinds = {kind: {"pairs": there, "marked": marked} for kind, (there, marked) in each.kinds.items()}
        return asdict(each.choice) | {
            "precision": each.precision,
            "precision_interval": precision,
            "recall": each.recall,
            "recall_interval": recall,
            "f1": each.f1,
            "right": each.right,
            "wrong": each.wrong,
            "similar": each.similar,
            "kinds": kinds,
            "microseconds": each.microseconds,
            "candidates": each.candidates,
            "bytes": each.bytes,
        }

    return {
        "pairs": sample.told,
        "best": told(chosen),
        "enough_pairs": chosen.enough,
        "good_enough": good,
        "grid": [told(each) for each in found],
    }
