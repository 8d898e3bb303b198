"""`ttcrawl try robots`: the decisions of a robots.txt about URLs, as in a crawl."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from ttcrawl.errors import UsageError
from ttcrawl.inspect.why.robots_line import robots_line
from ttcrawl.web.robots import MAX_BYTES, decoded, parse, sitemaps
from ttcrawl.web.url import canonical

#: The host of a path; rules ignore it.
ANY_HOST = "http://host.invalid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """A line for each URL, then one for the delay and each sitemap."""

    lines: tuple[str, ...]
    all_allowed: bool


def text_of_robots(name: str) -> str:
    """A file, or standard input for "-": the first 500 KiB, up to the end of a line. Replaces bytes that are not UTF-8.

    Raises UsageError.
    """
    try:
        if name == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with open(name, "rb") as file:
                data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        cause = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"{name}: {cause}; name a readable robots.txt, or - for standard input") from error
    return decoded(data)


def judge(text: str, urls: Sequence[str], agent: str, dialect: str) -> Verdicts:
    """Raises UsageError for text that is neither an http(s) URL nor a path."""
    decisions = [robots_line(text, agent, _canonical(url), dialect) for url in urls]
    lines = [
        f"{url}: {'allowed' if each.allowed else 'forbidden'}, by {each}"
        if each.number
        else f"{url}: allowed, {each.text}"
        for url, each in zip(urls, decisions, strict=True)
    ]
    rules = parse(text, agent, dialect)
    if rules.delay is not None:
        lines.append(f"Crawl-delay: {rules.delay:g} s")
    lines += [f"Sitemap: {each}" for each in sitemaps(text)]
    return Verdicts(lines=tuple(lines), all_allowed=all(each.allowed for each in decisions))


def _canonical(text: str) -> str:
    url = canonical(ANY_HOST + text if text.startswith("/") else text, ftp=True)
    if url is None:
        raise UsageError(f"{text!r} is neither an http or https URL nor a path: write https://example.org/x or /x")
    return url
