"""What `ttcrawl duplicates --tune` prints: the grid, and the settings that it recommends."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import asdict

from ttcrawl.output.json_form import json_form
from ttcrawl.output.layout import Row, Section
from ttcrawl.output.tables import lay_out
from ttcrawl.report.tuning.grid import DOUBT, FEWEST, Trial, best
from ttcrawl.report.tuning.pair import Sample

PRECISION, RECALL = 0.99, 0.95  # from which settings are good enough
KEYS = ("permutations", "bands", "shingle", "verify")


def render(sample: Sample, results: Sequence[Trial], similar: float, form: str) -> str:
    """The grid, and which settings are best. Pairs from the similarity `similar` on should be marked."""
    results = sorted(results, key=lambda each: each.choice)
    trial, good = best(results, PRECISION, RECALL)
    if form == "json":
        return json_form(_json(sample, results, trial, good=good))
    grid = lay_out([_grid(results, _how(sample, similar)), _kinds(trial)], ["all"], form)
    text = f"{grid}\n\n{textwrap.fill(_verdict(results, trial, good=good), width=100)}"
    return f"{text}\n\n{_lines(trial)}" if trial.enough else text


def _how(sample: Sample, similar: float) -> str:
    return (
        f"{sample.description} A changed word changes every shingle that contains it,"
        " so shingles are less similar than words."
        f" Precision: the share of marked pairs that are similar (pairs below by up to {DOUBT:g} count neither way);"
        f" recall: the share of pairs with at least {similar:g} that are marked; each with its 95 % interval (Wilson)."
        " us: microseconds to make a fingerprint; candidates: pages with which a page is compared; bytes: stored per"
        " page."
    )


def _grid(results: Sequence[Trial], how: str) -> Section:
    rows = []
    for each in results:
        choice, (precision, recall) = each.choice, each.intervals
        label = f"{choice.shingle} words, {choice.permutations} in {choice.bands} bands, verify {choice.verify:g}"
        rows.append(
            Row(
                label=label,
                values=(
                    f"{each.precision:.4f}",
                    f"{precision[0]:.3f}-{precision[1]:.3f}",
                    f"{each.recall:.4f}",
                    f"{recall[0]:.3f}-{recall[1]:.3f}",
                    round(each.microseconds),
                    f"{each.candidates:.2f}",
                    round(each.bytes),
                ),
            )
        )
    columns = ("precision", "95 %", "recall", "95 %", "us", "candidates", "bytes")
    return Section(title="Shingle, permutations in bands, verify", rows=tuple(rows), columns=columns, how=how)


def _kinds(trial: Trial) -> Section:
    rows = [
        Row(label=kind, values=(total, marked, f"{marked / total:.4f}"))
        for kind, (total, marked) in trial.kinds.items()
    ]
    return Section(title="Similar pairs, by the best settings", rows=tuple(rows), columns=("pairs", "marked", "recall"))


def _verdict(results: Sequence[Trial], trial: Trial, *, good: bool) -> str:
    scores = f"precision {trial.precision:.4f}, recall {trial.recall:.4f}, F1 {trial.f1:.4f}"
    if not trial.enough:
        return (
            f"There are too few similar pairs to choose settings: {trial.similar:,}, and"
            f" {trial.right + trial.wrong:,} are marked; at least {FEWEST} are needed. Keep the present settings, or"
            " try a larger sample (--sample) or crawl."
        )
    aim = f"precision of at least {PRECISION:g} and recall of at least {RECALL:g} (lower ends of the intervals)"
    if good:
        count = sum(each.certain(PRECISION, RECALL) for each in results)
        return f"The fewest bands (then permutations, then candidates) of {count} settings with a {aim}: {scores}."
    return f"No settings have a {aim}; these have the best F1: {scores}."


def _lines(trial: Trial) -> str:
    options = asdict(trial.choice)
    return "\n".join(["[duplicates]", *(f"{key} = {options[key]:g}" for key in KEYS)])


def _json(sample: Sample, results: Sequence[Trial], trial: Trial, *, good: bool) -> dict[str, object]:
    def figures(each: Trial) -> dict[str, object]:
        precision, recall = each.intervals
        kinds = {kind: {"pairs": total, "marked": marked} for kind, (total, marked) in each.kinds.items()}
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
        "pairs": sample.description,
        "best": figures(trial),
        "enough_pairs": trial.enough,
        "good_enough": good,
        "grid": [figures(each) for each in results],
    }
