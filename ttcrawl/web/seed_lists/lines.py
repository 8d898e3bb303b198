"""Forms with a URL in each line: lists, logs of Heritrix, indexes of archives."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from ttcrawl.web.seed_lists.entry import Entry

#: Marks of list items in Markdown, YAML and numbered lists, and lines and keys of YAML.
_ITEM = re.compile(r"(?:[-*+•]|\d{1,9}[.)])[ \t]+")
_HEADING = re.compile(r"---|[\w-]+:")
_KEY = re.compile(r"(?:url|uri|loc|href|seed)[ \t]*:[ \t]+", re.IGNORECASE)
_MARKDOWN_LINK = re.compile(r"!?\[[^\]]*\]\([ \t]*<?([^\s>)]+)")
_QUOTES = {'"': '"', "'": "'", "<": ">", "`": "`", "“": "”", "„": "“", "«": "»"}

#: What begins a URL, or a host without a scheme: only then is what follows a blank not part of it.
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|\[[0-9A-Fa-f:.]+\]|[^\s/:]+\.[^\s.]|localhost\b")

#: https://heritrix.readthedocs.io/en/latest/operating.html#crawl-log: time, status, size, URL, path of discovery.
CRAWL_LOG = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z\s+-?\d+\s+(?:\d+|-)\s+(\S+)(?:\s+(\S+))?")

#: A line of its report about seeds: status code, what became of it, URL.
_SEEDS_REPORT = re.compile(r"-?\d+\s+(?:NOT)?CRAWLED\s+(\S+)")

#: Key, moment and URL of a line of a CDX file without a header, as OpenWayback and pywb sort them.
CDX = re.compile(r"[^\s)]*+\)\S*+\s+\d{4,17}\s+(\S+)\s+\S+\s")
CDX_HEADER = re.compile(r"\s?CDX((?: \S)+)\s*$")

#: Key and moment of a line of a CDXJ file (pywb), then a JSON object.
CDXJ = re.compile(r"[^\s)]*+\)\S*+\s+\d{4,17}\s+(\{.*)")


def listed(lines: Iterable[str], *, header: bool = False) -> Iterator[Entry]:
    """One URL in a line: perhaps as an item of a list, in quotes or brackets, with a comment or a title behind it."""
    for number, line in enumerate(lines, 1):
        text, rest = url_of(line)
        if text and not header:
            yield Entry(number, text, rest)
        header = header and not text


def url_of(line: str) -> tuple[str, str]:
    """Return the URL in a line and what follows it, except a comment or what a tab separates; "": it has none.

    >>> url_of("- <http://a.example/#x>  # the first"), url_of("http://a.example/ its title")
    (('http://a.example/#x', ''), ('http://a.example/', 'its title'))
    """
    text = line.strip()
    if text.startswith(("http://", "https://")):  # soon: most lines are so, and there may be millions
        return _first(text)
    if not text or text.startswith("#") or _HEADING.fullmatch(text):
        return "", ""
    if report := _SEEDS_REPORT.match(text):
        return report[1], ""
    text = _KEY.sub("", _ITEM.sub("", text, count=1), count=1)
    if link := _MARKDOWN_LINK.match(text):
        return link[1], ""
    closing = _QUOTES.get(text[:1], "")
    if closing and (end := text.find(closing, 1)) > 0:
        return text[1:end].strip(), ""
    return _first(text) if _URL.match(text) else (re.split(r"\s#", text, maxsplit=1)[0].strip(), "")


def _first(text: str) -> tuple[str, str]:
    url, *rest = text.split(None, 1)
    between = text[len(url) : len(url) + 1]
    return url, "" if not rest or between == "\t" or rest[0].startswith("#") else rest[0]


def crawl_log(lines: Iterable[str]) -> Iterator[Entry]:
    """The requests of a crawl.log but those for DNS and robots.txt, which are prerequisites (P)."""
    for number, line in enumerate(lines, 1):
        match = CRAWL_LOG.match(line)
        if match is None:
            if line.strip():
                yield Entry(number, line.strip())
        elif not match[1].startswith("dns:") and not (match[2] or "").endswith("P"):
            yield Entry(number, match[1])


def cdx(lines: Iterable[str]) -> Iterator[Entry]:
    """The captures of a CDX file. Its header names the field of the URL: a."""
    field = 2
    for number, line in enumerate(lines, 1):
        if header := CDX_HEADER.match(line):
            letters = header[1].split()
            field = letters.index("a") if "a" in letters else field
        elif fields := line.split():
            yield Entry(number, fields[field] if len(fields) > field else line.strip())


class _Capture(msgspec.Struct):
    url: str


def cdxj(lines: Iterable[str]) -> Iterator[Entry]:
    """The captures of a CDXJ file; lines of its header begin with ! or @."""
    decode = msgspec.json.Decoder(_Capture).decode
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text[0] in "!@#":
            continue
        match = CDXJ.match(text)
        try:
            yield Entry(number, decode(match[1]).url if match else text)
        except (msgspec.MsgspecError, UnicodeEncodeError):
            yield Entry(number, text)
