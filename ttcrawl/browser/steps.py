"""Which pages go through a browser ([browser] use), and what it does with them before they are read (steps)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, quote_plus

import re2
from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from ttcrawl.config import Line, Lines
from ttcrawl.config.forms import SECRET
from ttcrawl.config.secrets import REFERENCE, is_reference, revealed
from ttcrawl.errors import UsageError
from ttcrawl.web.scope.chosen import chosen, pattern_of

WAIT, CLICK, HOVER, SCROLL, PAUSE, ACCEPT = "wait", "click", "hover", "scroll", "pause", "accept"
FILL, PRESS, SUBMIT = "fill", "press", "submit"

#: Verb -> what follows it.
VERBS = {WAIT: "SELECTOR", CLICK: "SELECTOR", HOVER: "SELECTOR", SCROLL: "SELECTOR", PAUSE: "SECONDS", ACCEPT: ""}
VERBS |= {FILL: "SELECTOR = VALUE", PRESS: "KEY", SUBMIT: "SELECTOR"}

#: Between the selector and the value of `fill`.
EQUALS = re.compile(r"\s+=\s+")

#: A key, in the words of Playwright: Enter, ArrowDown, Control+a.
KEY = re.compile(r"((Shift|Control|Alt|Meta|ControlOrMeta)\+)*([A-Z][A-Za-z0-9]+|\S)")

#: Maximum seconds of a pause.
LONGEST = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    verb: str
    argument: str  # a CSS selector, seconds, a key, or ""
    value: str = ""  # of `fill`, as it is written: a secret is a reference

    def __str__(self) -> str:
        return f"{self.verb} {self.argument}{' = ' if self.verb == FILL else ''}{self.value}".strip()

    @property
    def secret(self) -> bool:
        """Whether its value is not to be read in what the crawl keeps."""
        return REFERENCE.search(self.value) is not None

    def text(self, environment: Mapping[str, str]) -> str:
        """What is filled in. Raises ConfigError if a secret is missing."""
        return revealed(self.value, "[browser] steps", f"{self.verb} {self.argument}", environment)


def written(secret: str) -> tuple[str, ...]:
    """A secret as it may stand in a request: as it is, and in a query.

    >>> written("a b/c")
    ('a b/c', 'a%20b/c', 'a%20b%2Fc', 'a+b%2Fc')
    """
    return tuple(dict.fromkeys((secret, quote(secret), quote(secret, safe=""), quote_plus(secret))))


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
    steps = _steps(lines)
    return lambda url: tuple(step for pattern, step in steps if pattern.search(url))


def check_secrets(lines: Lines, environment: Mapping[str, str]) -> None:
    """Raises UsageError if a secret that a step fills in is missing."""
    for _, step in _steps(lines):
        step.text(environment)


def _steps(lines: Lines) -> list[tuple[re.Pattern[str], Step]]:
    return [_step(line) for line in lines]


def _step(line: Line) -> tuple[re.Pattern[str], Step]:
    pattern, _, rest = line.text.partition(" ")
    verb, _, argument = rest.strip().partition(" ")
    argument, *value = EQUALS.split(argument.strip(), 1) if verb == FILL else [argument.strip()]
    step = Step(verb=verb, argument=argument, value="".join(value))
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
    if bool(step.argument) != bool(follows) or (step.verb == FILL and not step.value):
        raise ValueError(f"write {step.verb} {follows}".rstrip())
    if step.verb == FILL and SECRET.search(step.argument) and not is_reference(step.value):
        raise ValueError("this is a secret: write ${NAME} for an environment variable, or ${file:PATH}")
    if step.verb == PRESS and not KEY.fullmatch(step.argument):
        raise ValueError("write press KEY, such as Enter, ArrowDown or Control+a")
    if follows.startswith("SELECTOR"):
        try:
            LexborHTMLParser("").css(step.argument)
        except SelectolaxError:
            raise ValueError(f"{step.argument} is not a CSS selector") from None
    if follows == "SECONDS" and not (re.fullmatch(r"\d+(\.\d+)?", step.argument) and float(step.argument) <= LONGEST):
        raise ValueError(f"write {PAUSE} SECONDS, at most {LONGEST:g}")
