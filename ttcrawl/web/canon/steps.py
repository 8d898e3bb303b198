"""The steps after the plain canonical form, set in [url] of config.ini: all URLs pass through one object.

The canonical URL is fetched, so each step assumes that a site answers both spellings alike. With any settings the
result is a fixed point: canonical(canonical(u)) = canonical(u), with these steps and without.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from ttcrawl import config
from ttcrawl.web.canon.hosts import canonical_origin
from ttcrawl.web.url import canonical, joined, percent, plain, resolve, without_credentials

Rule = Callable[[str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The effect of one rule; `after` is None if the result is neither an http(s) URL nor one of `ftp`."""

    name: str
    before: str
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Canon:
    """The compiled rules in their order; can be sent to another process."""

    rules: tuple[tuple[str, Rule], ...]
    ftp: bool = False  # ftp: URLs are URLs of the crawl

    def resolve(self, base: str, href: str) -> str | None:
        """The canonical URL of `href` on a page whose base URL is `base`; None: no URL of the crawl."""
        url = resolve(base, href, ftp=self.ftp)
        return None if url is None else self._ruled(url)

    def spelled(self, base: str, href: str) -> tuple[str | None, str]:
        """(canonical URL, absolute URL as spelled); the spelling is "" if it is identical."""
        try:
            spelling = joined(base, href)
            url = plain(spelling, ftp=self.ftp)
        except (ValueError, UnicodeEncodeError):
            return None, ""
        if url is None:
            return None, ""
        url = self._ruled(url)
        return url, "" if spelling == url else spelling

    def canonical(self, text: str) -> str | None:
        """The canonical form of an absolute URL written by a person; None: no URL of the crawl."""
        url = canonical(text, ftp=self.ftp)
        return None if url is None else self._ruled(url)

    def _ruled(self, url: str) -> str:
        for _, rule in self.rules:
            url = rule(url)
        return url

    def steps(self, base: str, href: str) -> list[Step]:
        """How `resolve` obtains its result: the steps with an effect, and always the first."""
        text = href.partition("#")[0]  # the text to display
        steps = [Step(name="fragment", before=href, after=text)] if text != href else []
        try:
            url = joined(base, href)
        except (ValueError, UnicodeEncodeError):
            return [*steps, Step(name="resolved", before=text, after=None)]
        steps.append(Step(name="resolved", before=text, after=url))
        if plain(url, ftp=self.ftp) is None:
            name = "credentials" if self.ftp and url.startswith("ftp:") else "scheme"
            return [*steps, Step(name=name, before=url, after=None)]
        for name, rule in (("credentials", without_credentials), ("percent", percent), *self.rules):
            after = rule(url)
            if after != url:
                steps.append(Step(name=name, before=url, after=after))
            url = after
        return steps


def compile_canon(settings: config.Url, *, ftp: bool = False) -> Canon:
    """Compile only the configured rules: a crawl without rules spends no time on them. `ftp`: [fetch] ftp."""
    names = config.parameter_names(settings.drop_parameters)
    index = frozenset(settings.index_pages.lower().split() if settings.fold_case else settings.index_pages.split())
    aliases = config.alias_map(settings.aliases)
    chosen: list[tuple[str, bool, Rule]] = [
        ("host", settings.strip_www or bool(aliases), partial(_host, strip=settings.strip_www, aliases=aliases)),
        ("fold_case", settings.fold_case, _fold_case),
        ("drop_parameters", bool(names), partial(_drop, query=_in_query(names), path=_in_path(names))),
        ("duplicate_parameters", settings.duplicate_parameters == "drop", _drop_doubles),
        ("sort_query", settings.sort_query, _sort_query),
        ("cut_after_slashes", settings.cut_after_slashes > 0, partial(_cut, slashes=settings.cut_after_slashes)),
        (
            "index_pages" if settings.trailing_slash == "keep" else "trailing_slash",
            bool(index) or settings.trailing_slash != "keep",
            partial(_end, index=index, slash=settings.trailing_slash),
        ),
    ]
    return Canon(rules=tuple((name, rule) for name, wanted, rule in chosen if wanted), ftp=ftp)


def _split(url: str) -> tuple[str, str, str]:
    """(scheme and host, path with its first slash, query with its question mark)."""
    start = url.index("/", 8)
    path, mark, query = url[start:].partition("?")
    return url[:start], path, mark + query


def _host(url: str, *, strip: bool, aliases: dict[str, str]) -> str:
    end = url.index("/", 8)
    before = url[:end]
    after = canonical_origin(before, strip, aliases)
    # parsed again: the scheme's default port may differ
    return url if after == before else canonical(after + url[end:], ftp=True) or url


def _fold_case(url: str) -> str:
    origin, path, query = _split(url)
    return origin + re.sub("%[0-9a-f]{2}", lambda escape: escape[0].upper(), path.lower()) + query


def _any_of(names: Iterable[str]) -> str:
    """Parameter names as one expression; a star is allowed at their end only, so matching takes linear time."""
    return "|".join(re.escape(name.removesuffix("*")) + ("[^=&;/?]*+" if name.endswith("*") else "") for name in names)


def _in_query(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?:(?<=&)|(?<=^\?))(?:{_any_of(names)})(?:=[^&]*+)?(?:&|$)", re.IGNORECASE)


def _in_path(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf";(?:{_any_of(names)})(?:=[^;/]*+)?(?=[;/]|$)", re.IGNORECASE)


def _drop(url: str, *, query: re.Pattern[str], path: re.Pattern[str]) -> str:
    if "?" not in url and ";" not in url:
        return url
    origin, url_path, url_query = _split(url)
    remaining, dropped = query.subn("", url_query)
    if dropped:
        url_query = remaining.removesuffix("&") if remaining.strip("?&") else ""
    new_path = path.sub("", url_path)
    # parsed again: "/..;jsessionid=1" has become a dot segment
    return (
        origin + url_path + url_query
        if new_path == url_path
        else canonical(origin + new_path + url_query, ftp=True) or url
    )


def _drop_doubles(url: str) -> str:
    origin, path, query = _split(url)
    pairs = query[1:].split("&")
    return url if len(pairs) == len(set(pairs)) else f"{origin}{path}?{'&'.join(dict.fromkeys(pairs))}"


def _sort_query(url: str) -> str:
    """By name only: several values of one name form a list, whose order may matter."""
    origin, path, query = _split(url)
    if "&" not in query:
        return url
    pairs = sorted(filter(None, query[1:].split("&")), key=lambda pair: pair.partition("=")[0])
    return origin + path + ("?" + "&".join(pairs) if pairs else "")


def _cut(url: str, *, slashes: int) -> str:
    origin, path, _ = _split(url)
    pieces = path.split("/", slashes)
    if len(pieces) <= slashes or not pieces[-1]:
        return url
    return origin + "/".join(pieces[:-1]) + "/"


def _end(url: str, *, index: frozenset[str], slash: str) -> str:
    """Index pages and the trailing slash together: removing one may expose the other."""
    origin, path, query = _split(url)
    segments = path.split("/")
    while len(segments) > 1:
        if segments[-1] in index and segments[-1]:
            segments[-1] = ""
        elif slash == "drop" and not segments[-1] and len(segments) > 2:
            segments.pop()
        else:
            break
    if slash == "add" and segments[-1] and "." not in segments[-1]:
        segments.append("")
    return origin + "/".join(segments) + query
