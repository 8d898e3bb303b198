"""The seeds of a crawl: as the user writes them, as canonical URLs, as links."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ttcrawl.config import Line
from ttcrawl.errors import UsageError
from ttcrawl.ring.messages import Link
from ttcrawl.vocabulary.reason import Code
from ttcrawl.web.address import stated
from ttcrawl.web.canon import Canon
from ttcrawl.web.url import host, key, split_port

#: Line numbers that one message names.
LINES = 20


def seed_urls(lines: Sequence[Line], canon: Canon, say: Callable[[str], None]) -> tuple[str, ...]:
    """Return the seeds as canonical URLs without duplicates. A seed without a scheme gets one.

    `say` is told which lines of a file are no seeds. Raises UsageError for other invalid seeds, and if there is no
    seed.
    """
    urls: dict[str, None] = {}
    wrong, numbers = list[str](), list[str]()
    for line in lines:
        url = canon.canonical(line.text)
        if url is None and not Path(line.text).is_file():
            url = canon.canonical(_with_scheme(line.text, canon))
        if url is None:
            where = f"{line.position}: " if line.position else ""
            wrong.append(f"{where}the seed {line.text!r} is {_why_not(line.text, canon)}")
            numbers.append(str(line.number))
            if not line.number:
                raise UsageError(wrong[-1])
        else:
            urls[url] = None
    if not urls:
        raise UsageError(wrong[0] if wrong else "there are no seeds: name a URL, or a file with seeds: --seeds FILE")
    if wrong:
        others = f"are the seeds of lines {examples(numbers[1:], LINES)}"
        if len(numbers) == 2:
            others = f"is the seed of line {numbers[1]}"
        more = f"; nor {others}" if numbers[1:] else ""
        say(f"{wrong[0]}{more}; continuing with the other seeds")
    return tuple(urls)


def _with_scheme(text: str, canon: Canon) -> str:
    """Return a host, perhaps with port and path, as a URL; "" if it is none.

    As browsers do with what is typed: https, but http for what is rarely served by https: an address, localhost, a
    port.
    """
    url = canon.canonical(f"https://{text}")
    if url is None or not (text[0].isalnum() or text[0] == "[") or "@" in text.partition("/")[0]:
        return ""
    name, port = split_port(host(url))
    local = bool(stated(name))
    if not local and "." not in name:
        return ""
    return f"http://{text}" if local or port is not None else url


def _why_not(text: str, canon: Canon) -> str:
    if text.lower().startswith("ftp://"):
        if not canon.ftp:
            return "not an http or https URL: ftp: URLs are fetched with [fetch] ftp = yes"
        return "not a URL that is fetched: of FTP servers, only anonymous users are known"
    instead = f"; if it is a file of seeds, write --seeds {text}" if Path(text).is_file() else ""
    return f"not an http or https URL{instead}"


def examples(names: Sequence[str], most: int = 3) -> str:
    """Return the first names, and the number of the others.

    >>> examples(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    return ", ".join(names[:most]) + (f" and {len(names) - most:,} more" if len(names) > most else "")


def seed_links(urls: Sequence[str], ruling: Callable[[str], tuple[Code, str]]) -> list[Link]:
    """Return canonical seed URLs as links at distance 0; `ruling` returns reason and rule of refused ones."""
    links = []
    for url in urls:
        refused, rule = ruling(url)
        links.append(Link(url=url, key=key(url), host=host(url), distance=0, refused=refused, rule=rule))
    return links
