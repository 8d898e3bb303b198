"""The keys of config.ini for URLs: scope, canonical form, traps, and settings of single hosts."""

from __future__ import annotations

from dataclasses import dataclass

from ttcrawl.config.key import key
from ttcrawl.config.lines import NO_LINES, Lines
from ttcrawl.web.url import split_port

#: Extensions of programs and fonts.
PROGRAMS = "apk bin class deb dll dmg exe msi pkg rpm so wasm eot otf ttf woff woff2"

#: Refused extensions: images, audio, video, archives, programs, fonts. Documents are not among them.
EXTENSIONS = (
    "avif bmp gif heic ico jpeg jpg png psd svg svgz tif tiff webp"
    " aac aif aiff flac m4a mid mp3 oga ogg opus wav wma"
    " 3gp avi flv m4v mkv mov mp4 mpeg mpg ogv webm wmv"
    f" 7z bz2 cab gz iso jar lz rar tar tbz2 tgz txz xz zip zst {PROGRAMS}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which URLs belong to the crawl."""

    scope: str = key(
        "host",
        "host (the seeds' hosts), domain (their registrable domains), any, list (domains below)",
        choices=("host", "domain", "any", "list"),
    )
    domains: str = key("", "domains for scope = list, with all their hosts")
    rules: Lines = key(
        NO_LINES,
        "allow PATTERN and exclude PATTERN, one per line; the last match decides, whatever scope and extensions say",
    )
    blacklist: Lines = key(
        NO_LINES, "wildcard patterns, one per line; URLs that match are refused whatever the rules say"
    )
    extensions: str = key(EXTENSIONS, "extensions that are refused unless a rule allows them; empty: none")
    max_redirects: int = key(10, "maximum redirects in a row", low=0)
    max_url: int = key(2000, "maximum characters of a URL; a longer one is refused", low=16)


@dataclass(frozen=True, slots=True, kw_only=True)
class Url:
    """Which spellings are one URL, beyond what RFC 3986 says; the URL as it is here is what is asked for."""

    drop_parameters: str = key(
        "utm_* gclid dclid gbraid wbraid fbclid msclkid yclid mc_cid mc_eid _hsenc _hsmi"
        " jsessionid phpsessid aspsessionid* cfid cftoken oscsid",
        "parameters that are left out of queries, and of paths (;jsessionid=1); * at the end of a name stands for"
        " any end, letter case does not count. These are campaigns and sessions and nothing else, so that pages do not"
        " depend on them; sid, s and ref are not here: they name contents too",
    )
    duplicate_parameters: str = key(
        "keep",
        "drop: of equal parameters (name and value) the first one stays. keep, because a server may count them",
        choices=("keep", "drop"),
    )
    sort_query: bool = key(
        False,
        "yes: parameters in order of their names. no, because it asks for what no link says; [traps] permutations"
        " stops the many orders without that",
    )
    strip_www: bool = key(False, "yes: www.HOST is HOST. no, because they may be two sites, and one may not answer")
    aliases: str = key(
        "",
        "HOST=HOST ..., servers with several names: what is on the first is on the second (write ports but 80 and 443);"
        " http://HOST=https://HOST where the scheme is another too. ttcrawl aliases finds them",
    )
    index_pages: str = key(
        "",
        "names that are folded to their directory, such as index.html index.php. Empty, because the directory may be"
        " another page or none",
    )
    trailing_slash: str = key(
        "keep",
        "keep, add (where the last segment has no dot), drop. keep, because relative links depend on it",
        choices=("keep", "add", "drop"),
    )
    cut_after_slashes: int = key(
        0,
        "paths are cut after so many slashes, and the query with them; 0: never, because a cut URL is another page;"
        " [traps] max_segments refuses the deep ones instead",
        low=0,
    )
    fold_case: bool = key(False, "yes: paths in lower case. no, because most servers tell the letters apart")


@dataclass(frozen=True, slots=True, kw_only=True)
class Traps:
    """Which URLs have no end. A URL of these kinds is refused, with a reason that begins with "trap:"."""

    repeats: int = key(
        3,
        "times that one segment may be in a path (numbers do not count); more: repeated segments, as relative links"
        " make them that lead to the same page again; 0: no limit",
        low=0,
    )
    max_segments: int = key(20, "segments of a path; more: path. Honest ones have a dozen; 0: no limit", low=0)
    max_parameters: int = key(20, "parameters of a query; more: query; 0: no limit", low=0)
    permutations: int = key(
        3,
        "orders of the same parameters that are asked for, as each parse process sees them; more: permuted query;"
        " 0: no limit",
        low=0,
    )
    years_ahead: int = key(
        5, "years from now on in which a calendar may lie (year and month in the URL); more: calendar", low=0, high=1e6
    )
    same_content: int = key(
        50,
        "pages in a row of one pattern (URLs that differ in numbers and values) that say the same as others of it did,"
        " hrefs aside, and lead to nothing new but more of the kind; 8 times as many where their texts differ in the"
        " numbers of their URLs; what is left of the pattern, queued or met later: same content; 0: no limit",
        low=0,
    )
    same_bytes: int = key(
        10,
        "pages in a row that have the same bytes as the page on which they were found, and longer URLs; or copies of"
        " copies, a copy being a page with the bytes of another one and its URL with segments put in; more of these:"
        " same bytes; 0: no limit",
        low=0,
    )
    pages_per_host: int = key(0, "URLs of one host that are asked for; the others are refused; 0: no limit", low=0)
    urls_per_page: int = key(
        50_000,
        "maximum links followed per page; the rest are refused (trap: urls), unless another page has them; 0: no limit",
        low=0,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HostSection:
    """What is different at a host, NAME, or at the hosts under one, *.NAME."""

    name: str = ""
    rules: Lines = key(NO_LINES, "more rules for its URLs, as in [scope] and after those")
    max_depth: int = key(-1, "links to its URLs are followed to this distance from the seeds; -1: as elsewhere", low=-1)
    delay: float = key(-1.0, "seconds between two exchanges, instead of [politeness] delay; -1: as elsewhere", low=-1)


def covers(section: str, name: str) -> bool:
    """Whether the NAME of a section [host:NAME] covers this host (with its port, if any).

    >>> covers("*.a.test", "www.a.test:8080"), covers("*.a.test", "a.test"), covers("a.test", "a.test")
    (True, False, True)
    """
    names = (name, split_port(name)[0])
    return any(each.endswith(section[1:]) for each in names) if section.startswith("*.") else section in names
