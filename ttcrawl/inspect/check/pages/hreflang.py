"""The versions of a page in other languages: links with hreflang in its HTML. Each version lists all of them.

https://developers.google.com/search/docs/specialty/international/localized-versions. Links in headers and in sitemaps
are not read. A version that is an error or a redirect is a broken link or a redirect.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ttcrawl.inspect.check.kinds import Problem
from ttcrawl.inspect.check.pages.archive import ArchivedPage
from ttcrawl.web.country import COUNTRIES
from ttcrawl.web.url import key

CODE, RETURN, SELF, DEFAULT = KINDS = ("hreflang-code", "hreflang-return", "hreflang-self", "hreflang-default")

#: ISO 639-1.
LANGUAGES = frozenset(
    [
        "aa",
        "ab",
        "ae",
        "af",
        "ak",
        "am",
        "an",
        "ar",
        "as",
        "av",
        "ay",
        "az",
        "ba",
        "be",
        "bg",
        "bh",
        "bi",
        "bm",
        "bn",
        "bo",
        "br",
        "bs",
        "ca",
        "ce",
        "ch",
        "co",
        "cr",
        "cs",
        "cu",
        "cv",
        "cy",
        "da",
        "de",
        "dv",
        "dz",
        "ee",
        "el",
        "en",
        "eo",
        "es",
        "et",
        "eu",
        "fa",
        "ff",
        "fi",
        "fj",
        "fo",
        "fr",
        "fy",
        "ga",
        "gd",
        "gl",
        "gn",
        "gu",
        "gv",
        "ha",
        "he",
        "hi",
        "ho",
        "hr",
        "ht",
        "hu",
        "hy",
        "hz",
        "ia",
        "id",
        "ie",
        "ig",
        "ii",
        "ik",
        "io",
        "is",
        "it",
        "iu",
        "ja",
        "jv",
        "ka",
        "kg",
        "ki",
        "kj",
        "kk",
        "kl",
        "km",
        "kn",
        "ko",
        "kr",
        "ks",
        "ku",
        "kv",
        "kw",
        "ky",
        "la",
        "lb",
        "lg",
        "li",
        "ln",
        "lo",
        "lt",
        "lu",
        "lv",
        "mg",
        "mh",
        "mi",
        "mk",
        "ml",
        "mn",
        "mr",
        "ms",
        "mt",
        "my",
        "na",
        "nb",
        "nd",
        "ne",
        "ng",
        "nl",
        "nn",
        "no",
        "nr",
        "nv",
        "ny",
        "oc",
        "oj",
        "om",
        "or",
        "os",
        "pa",
        "pi",
        "pl",
        "ps",
        "pt",
        "qu",
        "rm",
        "rn",
        "ro",
        "ru",
        "rw",
        "sa",
        "sc",
        "sd",
        "se",
        "sg",
        "si",
        "sk",
        "sl",
        "sm",
        "sn",
        "so",
        "sq",
        "sr",
        "ss",
        "st",
        "su",
        "sv",
        "sw",
        "ta",
        "te",
        "tg",
        "th",
        "ti",
        "tk",
        "tl",
        "tn",
        "to",
        "tr",
        "ts",
        "tt",
        "tw",
        "ty",
        "ug",
        "uk",
        "ur",
        "uz",
        "ve",
        "vi",
        "vo",
        "wa",
        "wo",
        "xh",
        "yi",
        "yo",
        "za",
        "zh",
        "zu",
    ]
)
NO_LANGUAGE = "x-default"

_CODE = re.compile("([a-z]{2})(?:-[a-z]{4})?(?:-([a-z]{2}))?", re.IGNORECASE)


class Versions:
    """`resolve`: base URL and reference -> canonical URL, None if it has none."""

    def __init__(self, resolve: Callable[[str, str], str | None]) -> None:
        self._resolve = resolve
        self._read = set[int]()
        self._versions: dict[int, tuple[str, dict[int, str]]] = {}  # page -> its URL, its versions

    def add(self, page: ArchivedPage) -> Iterator[Problem]:
        self._read.add(page.key)
        versions: dict[int, str] = {}
        codes = dict[str, None]()
        for about in (node.attributes for node in page.elements["link"] if "hreflang" in node.attributes):
            if "alternate" not in (about.get("rel") or "").lower().split() or not about.get("href"):
                continue
            codes[(about["hreflang"] or "").strip().lower()] = None
            if url := self._resolve(page.extraction.base, about["href"] or ""):
                versions[key(url)] = url
        if not codes:
            return
        self._versions[page.key] = page.url, versions
        yield from (Problem(kind=CODE, url=page.url, text=code) for code in codes if not is_code(code))
        if page.key not in versions:
            yield Problem(kind=SELF, url=page.url)
        if NO_LANGUAGE not in codes:
            yield Problem(kind=DEFAULT, url=page.url)

    def problems(self) -> Iterator[Problem]:
        """The versions that were read, and do not list the page."""
        for page, (source, versions) in self._versions.items():
            for version, url in versions.items():
                if version in self._read and version != page and page not in self._versions.get(version, ("", {}))[1]:
                    yield Problem(kind=RETURN, url=url, source=source)


def is_code(code: str) -> bool:
    """Whether Google knows it: a language, a language and a country, or x-default; a script may be between them.

    >>> [is_code(code) for code in ("en", "zh-hant-tw", "x-default", "en-uk", "eng", "us")]
    [True, True, True, False, False, False]
    """
    if code.lower() == NO_LANGUAGE:
        return True
    match = _CODE.fullmatch(code)
    return bool(match and match[1].lower() in LANGUAGES and (not match[2] or match[2].upper() in COUNTRIES))
