"""Traps visible in a single URL. Pure."""

from __future__ import annotations

import re
from collections import Counter

from msgspec import Struct

from ttcrawl.vocabulary.reason import CALENDAR, LOGOUT, LONG_PATH, LONG_QUERY, NONE, REPEATED_SEGMENTS, Code
from ttcrawl.web.late import late
from ttcrawl.web.logout import logs_out

#: Unambiguous forms of year and month: a complete date, a month after a word for calendars, two adjacent named
#: parameters. A bare /2150/04 or 2150-04 may be part of a gallery or a product number, and after "event" may be a
#: number and its page (/event/4567/1) or title (/events/5021-10-years-on).
_DATES = late(
    r"(?<![\w.%-])(\d{4})-(?:0[1-9]|1[0-2])-[0-3]\d(?![\d%-])"
    r"|(?<=/)(\d{4})/(?:0[1-9]|1[0-2])/[0-3]\d(?![\w%.-])"
    r"|(?<=[/_.?&-])(?:cal|calendar|kalender|calendrier|agenda|date|day|week|month|monat|mois)"
    r"[/=](\d{4})[-/](?:0?[1-9]|1[0-2])(?!\d|-\d{0,2}[a-z])"
    r"|(?<=[/_.?&-])(?:events?|schedule)[/=](\d{4})[-/](?:0[1-9]|1[0-2])(?!\d|-\d{0,2}[a-z])"
    r"|(?<=[?&])(?:year|yr|jahr|annee)=(\d{4})&(?:month|mon|monat|mois)=\d"
    r"|(?<=[?&])(?:month|mon|monat|mois)=\d{1,2}&(?:year|yr|jahr|annee)=(\d{4})(?!\d)",
    re.IGNORECASE,
)
#: Years after the last allowed one that count as a calendar's. An endless calendar is walked a month or a year at a
#: time, and reaches /event/4567/10 or /part/9504-11-05 only through these years. A later year is another kind of
#: number.
CENTURY = 100
#: A quick check before the slower expression: what follows a year, or comes before it. It begins with characters that
#: `re` searches for at once.
_YEAR = re.compile(r"[0-9=](?:(?<=\d)\d{3}[-/]|(?<==)\d{4}(?!\d))")
_NUMBERS = re.compile(r"\d+")


class Traps(Struct, frozen=True, kw_only=True):
    """The compiled rules; numbers as in [traps], years as calendar years."""

    repeats: int
    max_segments: int
    max_parameters: int
    last_year: int
    session: bool = False  # of the user: what would end it is refused

    def refusal(self, url: str) -> Code:
        """ "" or the reason why a canonical URL is endless, such as "trap: path", or ends the session."""
        if self.session and logs_out(url):
            return LOGOUT
        path, _, query = url.partition("?")
        segments = path.count("/") - 2 - path.endswith("/")
        if segments > self.repeats and self._repeats(path.split("/", segments + 3)[3 : segments + 3]):
            return REPEATED_SEGMENTS
        if segments > self.max_segments:
            return LONG_PATH
        if query and query.count("&") >= self.max_parameters:
            return LONG_QUERY
        if self._beyond(url):
            return CALENDAR
        return NONE

    def _repeats(self, segments: list[str]) -> bool:
        """Whether one segment occurs more than `repeats` times, anywhere in the path. This also covers sequences of
        segments.

        Numbers do not count: directories of hashes and tiles, such as /0/0/3/0, are honest.
        """
        if len(segments) - len(set(segments)) < self.repeats:
            return False
        return any(times > self.repeats and not each.isdigit() for each, times in Counter(segments).items())

    def _beyond(self, url: str) -> bool:
        dated = years(url)
        return bool(dated) and any(self.last_year < year <= self.last_year + CENTURY for year in dated)


def years(url: str) -> list[int]:
    """The years of the dates in the path and the query of a URL; a date has at least a month."""
    if not _YEAR.search(url, 8):  # of the host too, which is rare
        return []
    start = url.index("/", 8)
    return [int(match[match.lastindex or 0]) for match in _DATES.finditer(url, start)]


def pattern(url: str) -> str:
    """The shape shared by URLs of one program: numbers become #, parameter names are sorted, values are dropped.

    >>> pattern("http://a.test/list/2031/item7.php?page=3&id=x")
    'http://a.test/list/#/item#.php?id&page'
    """
    base, mark, query = url.partition("?")
    start = base.index("/", 8)
    shape = base[:start] + _NUMBERS.sub("#", base[start:])
    if not mark:
        return shape
    names = sorted({_NUMBERS.sub("#", pair.partition("=")[0]) for pair in query.split("&")})
    return f"{shape}?{'&'.join(names)}"
