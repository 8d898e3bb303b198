"""The keys of config.ini for URLs: scope, canonical form, traps, and settings of single hosts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ttcrawl.config.key import key
from ttcrawl.config.lines import NO_LINES, Lines
from ttcrawl.config.names import alias_map, domain_names, parameter_names
from ttcrawl.frozen import frozen
from ttcrawl.web.line import Line

#: Extensions of programs and fonts.
PROGRAMS = "apk bin class deb dll dmg exe msi pkg rpm so wasm eot otf ttf woff woff2"

#: Refused extensions: images, audio, video, archives, programs, fonts. Documents are not among them.
EXTENSIONS = (
    "avif bmp gif heic ico jpeg jpg png psd svg svgz tif tiff webp"
    " aac aif aiff flac m4a mid mp3 oga ogg opus wav wma"
    " 3gp avi flv m4v mkv mov mp4 mpeg mpg ogv webm wmv"
    f" 7z bz2 cab gz iso jar lz rar tar tbz2 tgz txz xz zip zst {PROGRAMS}"
)


@frozen
class Scope:
    """Which URLs belong to the crawl."""

    scope: str = key(
        "host",
        "host (the seeds' hosts), directory (the directories of the seeds), domain (their registrable domains), any,"
        " list (domains below)",
        choices=("host", "directory", "domain", "any", "list"),
    )
    domains: str = key("", "domains for scope = list, with all their hosts", listed=True)
    redirected_seeds: str = key(
        "strict",
        "whether the target of a seed's redirect counts as a seed: strict (if only its scheme and www. differ), always,"
        " never",
        choices=("strict", "always", "never"),
    )
    rules: Lines = key(
        NO_LINES,
        "allow PATTERN and exclude PATTERN, one per line; the last match decides, regardless of scope and extensions",
    )
    blacklist: Lines = key(
        NO_LINES, "wildcard patterns, one per line; URLs that match are refused regardless of the rules"
    )
    extensions: str = key(EXTENSIONS, "extensions that are refused unless a rule allows them; empty: none", listed=True)
    max_redirects: int = key(10, "maximum redirects in a row", low=0)
    max_url: int = key(2000, "maximum characters of a URL; a longer one is refused", low=16)

    def extended(self, rules: Sequence[Line], blacklist: Sequence[Line] = ()) -> Scope:
        """Return the scope with rules and lines of the blacklist behind those that it has; none of them is there twice.

        The last rule that matches decides, so a rule that stands already moves behind the others.
        """
        return replace(self, rules=_behind(self.rules, rules), blacklist=_behind(self.blacklist, blacklist))

    def check(self) -> None:
        """Raises ValueError."""
        try:
            listed = domain_names(self.domains)
        except ValueError as error:
            raise ValueError(f"domains: {error}") from None
        if self.scope == "list" and not listed:
            raise ValueError("scope = list needs domains: name the domains that belong to the crawl")


def _behind(lines: Lines, more: Sequence[Line]) -> Lines:
    """
    >>> a, b = Line(text="a"), Line(text="b")
    >>> str(_behind(Lines((a, b)), [a])).split()
    ['b', 'a']
    """
    return Lines((*(line for line in lines if line not in more), *reversed(dict.fromkeys(reversed(more)))))


@frozen
class Url:
    """Which spellings are one URL, beyond RFC 3986. The URL in this form is requested."""

    drop_parameters: str = key(
        "utm_* gclid dclid gbraid wbraid fbclid msclkid yclid mc_cid mc_eid _hsenc _hsmi"
        " jsessionid phpsessid aspsessionid* cfid cftoken oscsid",
        "parameters that are removed from queries, and from paths (;jsessionid=1); * at the end of a name"
        " matches any end; letter case is ignored. The default names campaigns and sessions only, because"
        " pages do not depend on them; sid, s and ref are not included: they can name contents",
    )
    duplicate_parameters: str = key(
        "keep",
        "drop: keep only the first of equal parameters (name and value). The default is keep, because a"
        " server may count them",
        choices=("keep", "drop"),
    )
    sort_query: bool = key(
        False,
        "yes: sort parameters by name. The default is no, because no page links to the sorted URL; [traps]"
        " permutations limits the orders instead",
    )
    strip_www: bool = key(
        False, "yes: www.HOST is HOST. The default is no, because they may be two sites, and one may not answer"
    )
    aliases: str = key(
        "",
        "HOST=HOST ..., servers with several names: URLs of the first host become URLs of the second (write"
        " ports except 80 and 443); http://HOST=https://HOST if the scheme differs too. ttcrawl aliases finds"
        " them",
    )
    index_pages: str = key(
        "",
        "names that are replaced by their directory, such as index.html index.php. The default is empty,"
        " because the directory may be another page or missing",
    )
    trailing_slash: str = key(
        "keep",
        "keep, add (if the last segment has no dot), drop. The default is keep, because relative links depend on it",
        choices=("keep", "add", "drop"),
    )
    cut_after_slashes: int = key(
        0,
        "number of slashes after which a path is cut, and the query with it; 0: never. The default is 0,"
        " because a cut URL is another page; [traps] max_segments refuses deep URLs instead",
        low=0,
    )
    fold_case: bool = key(
        False, "yes: paths in lower case. The default is no, because most servers distinguish upper and lower case"
    )

    def check(self) -> None:
        """Raises ConfigError."""
        parameter_names(self.drop_parameters)
        alias_map(self.aliases)


@frozen
class Traps:
    """Endless URLs: refused (reason "trap: ..."), except for seeds and URLs in a sitemap or feed that is a seed."""

    repeats: int = key(
        3,
        "maximum occurrences of one segment in a path (numbers do not count); more: repeated segments, caused"
        " by relative links that lead to the same page again; 0: no limit",
        low=0,
    )
    max_segments: int = key(
        20, "maximum segments of a path; more: path. Ordinary paths have at most a dozen; 0: no limit", low=0
    )
    max_parameters: int = key(20, "maximum parameters of a query; more: query; 0: no limit", low=0)
    permutations: int = key(
        3,
        "maximum orders of the same parameters that are requested, counted in each parse process; more:"
        " permuted query; 0: no limit",
        low=0,
    )
    years_ahead: int = key(
        5, "maximum years from now to a date in the URL (year and month); more: calendar", low=0, high=1e6
    )
    same_content: int = key(
        50,
        "pages in a row of one pattern (URLs that differ in numbers and values) that repeat the content of"
        " earlier ones, hrefs excluded, and link to nothing new except more of the pattern; 8 times as many if"
        " their texts differ in the numbers of their URLs; then all other URLs of the pattern, queued or"
        " discovered later, are refused: same content; 0: no limit",
        low=0,
    )
    same_bytes: int = key(
        10,
        "pages in a row that have longer URLs than the page on which they were discovered, and the same"
        " bytes; or copies of copies (a copy has the bytes of another page, and its URL with inserted"
        " segments); or that had their URLs lengthened three times by pages with the same references and"
        " nearly the same text; more: same bytes; 0: no limit",
        low=0,
    )
    pages_per_host: int = key(
        0,
        "maximum URLs of one host that are requested, besides seeds; the rest are refused (trap: host); 0: no limit",
        low=0,
    )
    urls_per_page: int = key(
        50_000,
        "maximum links followed per page; the rest are refused (trap: urls), unless another page has them; 0: no limit",
        low=0,
    )


@frozen
class HostSection:
    """Different values for the host NAME, or for the hosts under it, *.NAME."""

    name: str = ""
    rules: Lines = key(NO_LINES, "more rules for its URLs; they follow those of [scope]")
    max_depth: int = key(-1, "links to its URLs are followed to this distance from the seeds; -1: as elsewhere", low=-1)
    delay: float = key(-1.0, "seconds between two requests, instead of [politeness] delay; -1: as elsewhere", low=-1)
