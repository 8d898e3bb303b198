"""Parse the lines of a robots.txt: their fields and agents.

Tolerant of errors: it accepts all spellings that Protego (https://github.com/scrapy/protego) accepts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

#: RFC 9309 section 2.5: a parser must accept at least 500 KiB; this one ignores the rest.
MAX_BYTES = 500 * 1024

#: Maximum characters of a rule: a longer one is longer than any URL.
MAX_PATTERN = 20_000

#: The field of a line with unknown content.
UNKNOWN = "unknown"

#: RFC 9309 section 2.2, EOL. `str.splitlines` knows more, such as U+2028 and form feed, which may stand in a comment.
LINE_END = re.compile("\r\n|\r|\n")

_FIELDS = {
    **dict.fromkeys(("user-agent", "useragent", "user agent"), "user-agent"),
    **dict.fromkeys(("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"), "disallow"),
    "allow": "allow",
    **dict.fromkeys(("crawl-delay", "crawl delay"), "crawl-delay"),
    **dict.fromkeys(("sitemap", "sitemaps", "site-map"), "sitemap"),
}

#: RFC 9309 section 2.2.1 allows a to z, _ and -; many crawlers' names contain other letters and digits.
_TOKEN = re.compile(r"[\w-]+")


def decoded(data: bytes, *, cut: bool = False) -> str:
    """The text of a robots.txt from its bytes: at most 500 KiB, up to the end of the last complete line.

    With `cut` the bytes are the beginning of a longer body. An incomplete line could be another rule: `Allow: /public/`
    could become `Allow: /`. RFC 9309 section 2.3: UTF-8; invalid bytes are replaced, and the lines around them still
    count.

    >>> decoded(b"Disallow: /a\\nAllow: /publ", cut=True)
    'Disallow: /a\\n'
    """
    if cut or len(data) > MAX_BYTES:
        data = data[:MAX_BYTES]
        data = data[: max(data.rfind(b"\n"), data.rfind(b"\r")) + 1]
    return data.decode("utf-8", "replace")


def directives(text: str) -> Iterator[tuple[int, str, str]]:
    """(number from 1, field, value) of every line; the field is one of five, "" for an empty line, UNKNOWN, or "#" for
    a comment."""
    if len(text) > MAX_BYTES:  # the caller did not cut it at the end of a line
        text = text[: max(text.rfind("\n", 0, MAX_BYTES), text.rfind("\r", 0, MAX_BYTES)) + 1]
    if "\ufeff" in text:
        text = text.replace("\ufeff", "")
    for number, line in enumerate(LINE_END.split(text), 1):
        bare = line.partition("#")[0] if "#" in line else line
        name, colon, value = bare.partition(":")
        field = _FIELDS.get(name.strip().lower()) if colon else None
        if field is not None:
            yield number, field, value.strip()
        elif bare.strip():
            yield number, *_without_colon(bare, colon, value)
        else:
            yield number, "#" if line.strip() else "", ""


def _without_colon(line: str, colon: str, value: str) -> tuple[str, str]:
    """`Disallow /x`, `User agent x`; a line with a colon at the end of a word does not qualify."""
    if not colon or (value and not value[0].isspace()):
        for count in (1, 2):
            words = line.split(None, count)
            field = _FIELDS.get(" ".join(words[:count]).lower())
            if field is not None:
                return field, " ".join("".join(words[count:])[: 2 * MAX_PATTERN].split())
    return UNKNOWN, ""


def token(name: str) -> str:
    """The product token at the start of a name, in lower case.

    >>> token("ttcrawl/0.1 (+http://a.test)"), token(" Other-Bot "), token("")
    ('ttcrawl', 'other-bot', '')
    """
    name = name.strip().lower()
    match = _TOKEN.match(name)
    return match[0] if match else name


def names(value: str, agent: str) -> str:
    """The agent that a User-agent line names: `agent` (a token), "*" for all, or "" for others.

    Complete names are compared, without version and case (RFC 9309 section 2.2.1): `tt` does not match `ttcrawl`. A
    line may contain a list, or a complete User-Agent header; `ttcrawl*` means `ttcrawl`.

    >>> [names(value, "bot") for value in ("Bot/1.0", "other, bot", "bo", "robot", "bot*", "*", "x, *")]
    ['bot', 'bot', '', '', 'bot', '*', '*']
    """
    value = value[:MAX_PATTERN]
    items = re.split("[,;]", value) if "," in value or ";" in value else [value]
    if agent and agent in value.lower() and any(token(item.strip().lstrip("*")) == agent for item in items):
        return agent
    return "*" if any(item.strip() and not item.split()[0].strip("*") for item in items) else ""


def seconds(value: str) -> float | None:
    """Seconds of a Crawl-delay; None: not a valid number of seconds."""
    try:
        delay = float(value)
    except ValueError:
        return None
    return delay if math.isfinite(delay) and delay >= 0 else None


def bounded(field: str, value: str) -> str | None:
    """A rule of at most MAX_PATTERN characters: a longer Disallow is shortened to a wider one, a longer Allow left out
    (None)."""
    if len(value) <= MAX_PATTERN:
        return value
    if field == "allow":
        return None
    return re.sub("%[^%]?$", "", value[:MAX_PATTERN])  # remove an incomplete escape
