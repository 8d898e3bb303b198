"""Which pages go through a browser ([browser] use), and what it does with them before they are read (steps)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import re2
from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from ttcrawl.config import Line, Lines
from ttcrawl.errors import UsageError
from ttcrawl.web.scope.chosen import chosen, pattern_of

WAIT, CLICK, HOVER, SCROLL, PAUSE, ACCEPT = "wait", "click", "hover", "scroll", "pause", "accept"

#: Verb -> what follows it.
VERBS = {WAIT: "SELECTOR", CLICK: "SELECTOR", HOVER: "SELECTOR", SCROLL: "SELECTOR", PAUSE: "SECONDS", ACCEPT: ""}

#: Maximum seconds of a pause.
LONGEST = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    verb: str
    argument: str  # a CSS selector, seconds, or ""

    def __str__(self) -> str:
        return f"{self.verb} {self.argument}".strip()


def compile_use(use: str) -> Callable[[str], bool]:
    """Return a function that decides about a URL, by [browser] use. Raises UsageError.

    With auto no URL decides: see ttcrawl.browser.templates.
    """
    if use == "auto":
        return lambda url: False
    try:
        return chosen(use)
    except ValueError as error:
        raise UsageError(f"[browser] use = {use}: {error}") from None


def compile_post(post: str) -> Callable[[str], bool]:
    """Return a function that decides about a URL, by [browser] post. Raises UsageError."""
    try:
        return chosen(post) if post else lambda url: False
    except ValueError as error:
        raise UsageError(f"[browser] post = {post}: {error}") from None


def compile_steps(lines: Lines) -> Callable[[str], tuple[Step, ...]]:
    """Return a function that gives the steps for a URL, in the order of the lines. Raises UsageError.

    A line: PATTERN VERB ARGUMENT.
    """
    steps = [_step(line) for line in lines]
    return lambda url: tuple(step for pattern, step in steps if pattern.search(url))


def _step(line: Line) -> tuple[re.Pattern[str], Step]:
    pattern, _, rest = line.text.partition(" ")
    verb, _, argument = rest.strip().partition(" ")
    step = Step(verb=verb, argument=argument.strip())
    try:
        expression = pattern_of(pattern)
        _check(step)
    except (ValueError, re2.error) as error:
        position = f"{line.position}: " if line.position else ""
        raise UsageError(f"{position}[browser] steps: {line.text}: {error}") from None
    return expression, step


def _check(step: Step) -> None:
    """Raises ValueError for a step that can never be done."""
    if step.verb not in VERBS:
        forms = ", ".join(f"{verb} {argument}".strip() for verb, argument in VERBS.items())
        raise ValueError(f"write PATTERN and one of: {forms}")
    follows = VERBS[step.verb]
    if bool(step.argument) != bool(follows):
        raise ValueError(f"write {step.verb} {follows}".rstrip())
    if follows == "SELECTOR":
        try:
            LexborHTMLParser("").css(step.argument)
        except SelectolaxError:
            raise ValueError(f"{step.argument} is not a CSS selector") from None
    if follows == "SECONDS" and not (re.fullmatch(r"\d+(\.\d+)?", step.argument) and float(step.argument) <= LONGEST):
        raise ValueError(f"write {PAUSE} SECONDS, at most {LONGEST:g}")
