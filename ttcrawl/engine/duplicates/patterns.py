"""The patterns by which a URL may be one of many with the same content. Pure.

These are removed from a URL, one at a time; the rest is its *class* under that pattern:

- `?sid`: a key of the query with its value, numbers in the name as #: session ids, sort orders, print versions, numbers
  against caches (`?#`);
- `;sid`: a parameter of the path;
- `*/print/*`: a directory, numbers in it as # (`*/v#.#/*`), or as `*/print` the last segment, if it is a word. A number
  alone does not count, because numbers distinguish pages;

if nothing is removed, the class is the pattern itself:

- `/cal/#/#?view`: the shape of the path, numbers as #, and the keys of the query: calendars, numbers without end.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from ttcrawl.web import traps
from ttcrawl.web.late import late

#: Patterns of each sort that are used, the first ones of a URL: this limits their number, and URLs with more are rare.
KEYS, PARAMETERS, SEGMENTS = 8, 2, 8

#: Maximum characters of a name, and of a shape; longer ones are random or malicious and never repeat.
NAME, SHAPE = 64, 250

#: Directories whose patterns are remembered: a site has few, and each is in many URLs.
DIRECTORIES = 1_000

_NUMBERS = late(r"\d+")
_PARAMETER = late(r";([^;/=]*)(?:=[^;/]*)?")
_WORD = late(r"[^\W\d_]+(?:[-_][^\W\d_]+)?")

#: The text of a pattern of a URL, and the URL without the part of the pattern; "": the pattern is the class.
Pattern: TypeAlias = tuple[str, str]


def patterns(url: str) -> list[Pattern]:
    """Return the patterns of a canonical URL, at most 20, with distinct texts, those with the smallest part first.

    >>> for text, rest in patterns("http://a.test/print/item7?id=7&sid=x"):
    ...     print(f"{text:20} {rest or '-'}")
    ?id                  http://a.test/print/item7?sid=x
    ?sid                 http://a.test/print/item7?id=7
    */print/*            http://a.test/item7?id=7&sid=x
    /print/item#?id&sid  -
    """
    place, mark, query = url.partition("?")
    start = place.index("/", 8)
    found: dict[str, str] = {}
    if query:
        _keys(place, query, found)
    if ";" in place:
        _parameters(place, start, mark + query, found)
    _segments(place, start, mark + query, found)
    classes = [*found.items()]
    if query or _NUMBERS.search(place, start):
        shape = traps.pattern(_PARAMETER.sub(r";\1", place) + mark + query if ";" in place else url)[start:]
        if len(shape) <= SHAPE:
            classes.append((shape, ""))
    return classes


def without(url: str, texts: list[str]) -> str:
    """Return a URL without the parts of several of its patterns, none of them a shape."""
    for text in texts:
        url = next((rest for found, rest in patterns(url) if found == text and rest), url)
    return url


def _keys(place: str, query: str, found: dict[str, str]) -> None:
    pairs = [(_NUMBERS.sub("#", each.partition("=")[0]), each) for each in query.split("&")]
    for name in list(dict.fromkeys(name for name, _ in pairs))[:KEYS]:
        if len(name) <= NAME:
            left = "&".join(pair for other, pair in pairs if other != name)
            found["?" + name] = f"{place}?{left}" if left else place


def _parameters(place: str, start: int, rest: str, found: dict[str, str]) -> None:
    for each in list(_PARAMETER.finditer(place, start))[:PARAMETERS]:
        if len(each[1]) <= NAME:
            text = ";" + _NUMBERS.sub("#", each[1])
            found.setdefault(text, place[: each.start()] + place[each.end() :] + rest)


def _segments(place: str, start: int, rest: str, found: dict[str, str]) -> None:
    segments = place[start + 1 :].split("/", SEGMENTS)
    at = start  # of the slash before the segment
    for segment in segments[:-1]:
        end = at + 1 + len(segment)
        if text := _of_directory(segment):
            found.setdefault(text, place[:at] + place[end:] + rest)
        at = end
    last = segments[-1]
    if len(segments) > 1 and len(last) <= NAME and _WORD.fullmatch(last):
        found["*/" + last] = place[:at] + rest


@lru_cache(DIRECTORIES)
def _of_directory(segment: str) -> str:
    """Return the pattern of a directory, "" if it does not count."""
    name = segment.partition(";")[0]
    counts = name and len(name) <= NAME and not name.isdigit()
    return f"*/{_NUMBERS.sub('#', name)}/*" if counts else ""
