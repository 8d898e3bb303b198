"""Why a URL has its state: every reason is one row here, and has one origin elsewhere.

Column `url.reason` has the code of a row. In a code, `{}` stands for a value that varies: a status, the name of an
error, another reason.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import Final, NewType

from msgspec import Struct

from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.state import QUEUED, STATES

#: A reason in the database.
Code = NewType("Code", str)

#: The reason of a queued URL, and of anything that is not refused.
NONE: Final = Code("")


class Reason(Struct, frozen=True, kw_only=True):
    code: str
    sentence: str
    family: Family
    setting: tuple[str, ...] = ()  # keys of config.ini behind it, as section.key
    by_path: bool = False  # holds for one path to the URL and may not for another
    by_history: bool = False  # depends on earlier events in the crawl, not on the URL alone
    before_robots: bool = False  # decided without robots.txt
    retried: bool = False  # may be temporary
    pardoned: bool = False  # not the fault of the URL: such an attempt is not counted
    no_connection: bool = False  # no request was sent: the host may be down
    cuts_body: bool = False  # may end a body that has begun
    keeps_page: bool = False  # the results of the page are stored nevertheless


REASONS: dict[str, Reason] = {}


def _reason(code: str, sentence: str, *setting: str, family: Family, **facts: bool) -> Code:
    REASONS[code] = Reason(code=code, sentence=sentence, family=family, setting=setting, **facts)
    return Code(code)


# -- decided when the URL is discovered -------------------------------------------------------------------------------

_scope = partial(_reason, family=Family.SCOPE, before_robots=True)
SCOPE_HOST = _scope("scope: host", "Its host is not a host of a seed.", "scope.scope")
SCOPE_DIRECTORY = _scope("scope: directory", "It is not in the directory of a seed.", "scope.scope")
SCOPE_DOMAIN = _scope("scope: domain", "Its registrable domain is not the domain of a seed.", "scope.scope")
SCOPE_LIST = _scope("scope: list", "Its domain is not in the list of domains.", "scope.scope")
SCOPE_LENGTH = _scope("scope: length", "It is longer than the limit.", "scope.max_url")
SCOPE_RULE = _scope("scope: rule", "A rule excludes it.")
SCOPE_EXTENSION = _scope("scope: extension", "It has an extension that is not wanted.")
SCOPE_DEPTH = _scope("scope: depth", "It is farther from the seeds than a rule allows.")
SCOPE_HOPS = _scope("scope: hops", "It is more links off the seeds' domains than a rule allows.")
SCOPE_BLACKLIST = _scope("scope: blacklist", "It is on the blacklist.")

_path = partial(_reason, family=Family.PATH, by_path=True, before_robots=True)
OUTSIDE_CONTENT = _path(
    "outside content", "It is linked only outside the content region, where links are not followed.", "links.follow"
)
KIND = _path("kind", "Only links of kinds that are not followed, such as images, lead to it.", "links.kinds")
REQUISITE = _path(
    "page requisite",
    "It is linked only on URLs that were fetched as page requisites, whose links are not followed.",
    "links.page_requisites",
)
REQUISITE_STEPS = _path(
    "page requisite: steps",
    "As a page requisite it is too many links and redirects from its page.",
    "links.page_requisites",
)
REQUISITE_OFF = _path(
    "page requisite: off", "It is only a page requisite, and these are not fetched any more.", "links.page_requisites"
)
NOFOLLOW = _path("nofollow", "It is linked only by links with nofollow, or on pages with nofollow.", "links.nofollow")
DUPLICATE = _path("duplicate", "It is linked only on duplicates, whose links are not followed.", "duplicates.follow")
DEPTH = _path("depth", "It is too far from the seeds.", "crawl.max_depth")
REDIRECTS = _path(
    "redirects", "Too many redirects, or sitemaps in sitemaps, in a row led to it.", "scope.max_redirects"
)
TOPIC = _path("topic", "Too many irrelevant pages in a row lead to it.", "topic.tunnel")
FOREIGN = _path("foreign", "Its host belongs to another ring of the cluster, which decides about it.")
UNTIL_RECYCLE = _reason(
    "until recycle",
    "Its links are recorded and not followed until `ttcrawl requeue --recorded` queues it.",
    "links.new",
    family=Family.PATH,
    before_robots=True,
)
NOT_IN_ARCHIVE = _reason(
    "not in archive",
    "It is linked in an imported archive that does not have it: `ttcrawl resume` queues it.",
    family=Family.PATH,
    before_robots=True,
)

_trap = partial(_reason, family=Family.TRAP, before_robots=True)
REPEATED_SEGMENTS = _trap(
    "trap: repeated segments",
    "One segment is in its path too often, as caused by wrong relative links.",
    "traps.repeats",
)
LONG_PATH = _trap("trap: path", "Its path has too many segments.", "traps.max_segments")
LONG_QUERY = _trap("trap: query", "Its query has too many parameters.", "traps.max_parameters")
CALENDAR = _trap("trap: calendar", "It has a date too far in the future: an endless calendar.", "traps.years_ahead")
PERMUTED_QUERY = _trap(
    "trap: permuted query",
    "The same parameters were already requested in too many other orders.",
    "traps.permutations",
    by_history=True,
)
SAME_CONTENT = _trap(
    "trap: same content",
    "Too many pages in a row of its pattern repeat earlier content and lead to nothing new.",
    "traps.same_content",
    by_history=True,
)
SAME_BYTES = _trap(
    "trap: same bytes",
    "It is longer than the URL of another page of its host, and such URLs returned the same page.",
    "traps.same_bytes",
    by_history=True,
)
TOO_MANY_LINKS = _trap(
    "trap: urls",
    "The page has too many links: it comes after the last followed one.",
    "traps.urls_per_page",
    by_path=True,
    by_history=True,
)
TOO_MANY_PAGES = _trap(
    "trap: host", "The maximum number of URLs of its host was requested.", "traps.pages_per_host", by_history=True
)

LOGOUT = _trap(
    "trap: logout",
    "By its name it would end the session, with which the crawl is logged in.",
    "login.cookies",
    "login.form",
)

_hook = partial(_reason, family=Family.HOOK)
HOOK_URL = _hook("hook url: {}", "The hook for URLs refused it: {}.", "hooks.url", before_robots=True)
HOOK_URL_FAILED = _hook(
    "hook url failed: {}", "The hook for URLs failed on it ({}).", "hooks.url", by_path=True, before_robots=True
)
HOOK_LINK = _hook(
    "hook link: {}", "It is linked only where the hook for pages refused: {}.", "hooks.page", by_path=True
)
HOOK_PAGE = _hook("hook page: {}", "The hook for pages dropped it: {}.", "hooks.page", keeps_page=True)

# -- decided when it is due, or when aliases are merged ---------------------------------------------------------------

ROBOTS = _reason("robots.txt", "The robots.txt of its host forbids it.", family=Family.ROBOTS)
ROBOTS_HTTP = _reason(
    "robots.txt: http {}", "The robots.txt of its host answered {}, so nothing is allowed.", family=Family.ROBOTS
)
ROBOTS_CODING = _reason(
    "robots.txt: broken content coding",
    "The robots.txt of its host could not be decoded, so nothing is allowed.",
    family=Family.ROBOTS,
)
ROBOTS_UNREADABLE = _reason(
    "robots.txt: {}", "The robots.txt of its host could not be read ({}), so nothing is allowed.", family=Family.ROBOTS
)
BLOCKED_ADDRESS = _reason(
    "blocked address",
    "Its host has no address that may be contacted: all of them are private, loopback or reserved.",
    "safety.allow",
    family=Family.ADDRESS,
    before_robots=True,
)
_duplicate = partial(_reason, family=Family.DUPLICATE)
DUPLICATE_PATTERN = _duplicate(
    "duplicate pattern", "Nearly all pages of its pattern are duplicates, and a similar URL was fetched."
)
ALIAS = _duplicate("alias", "Its host is an alias: the URL is requested under the canonical name.", before_robots=True)
ALIAS_FETCHED = _duplicate("alias: fetched", "It was already fetched under an alias of its host.", before_robots=True)

# -- decided by the response ------------------------------------------------------------------------------------------

HTTP = _reason("http {}", "The server answered {}.", family=Family.HTTP)
GONE = _reason(
    "gone: http {}", "It was there, and several visits in a row were answered with {}: it is gone.", family=Family.GONE
)
_body = partial(_reason, family=Family.BODY, keeps_page=True)
TOO_LARGE = _body(
    "too large", "Its body is longer than the limit: at most its beginning is kept, with its links.", "fetch.max_body"
)
TYPE = _body("type", "Its content type is not wanted.", "fetch.types", "files.download")
BOMB = _body("bomb", "Its body decodes to far more than was sent.", "fetch.max_decoded", "fetch.max_ratio")

# -- no response ------------------------------------------------------------------------------------------------------

_dns = partial(_reason, family=Family.DNS)
DNS = _dns("dns", "The name of its host does not resolve.")
DNS_TEMPORARY = _dns("dns: temporary", "The name server had a temporary error.", retried=True)
DNS_TIMEOUT = _dns("dns: timeout", "The name server did not answer in time.", retried=True)

_connection = partial(_reason, family=Family.CONNECTION, retried=True)
CONNECTION_REFUSED = _connection("connection refused", "The server refused the connection.", no_connection=True)
UNREACHABLE = _connection("unreachable", "The server could not be reached.", no_connection=True)
TIMEOUT_CONNECT = _connection("timeout: connect", "No connection was made in time.", no_connection=True)
TIMEOUT_READ = _connection("timeout: read", "The server fell silent.", cuts_body=True)
TIMEOUT_TOTAL = _connection("timeout: total", "The request took too long.", cuts_body=True)
RESET = _connection("reset", "The server broke the connection.", cuts_body=True)
DISCONNECTED = _connection("disconnected", "The server closed the connection without an answer.")
KEPT_CLOSED = _connection(
    "kept connection closed", "The server closed a kept connection when it was used again: that is not an answer."
)
NETWORK = _connection("network", "The network failed.", cuts_body=True)
TRUNCATED = _connection("truncated", "The connection ended before the body was complete.", cuts_body=True)
PROXY = _connection("proxy", "The proxy failed.")

_protocol = partial(_reason, family=Family.PROTOCOL)
PROTOCOL = _protocol("protocol", "The response is not HTTP.", cuts_body=True)
BROKEN_CODING = _protocol("broken content coding", "The body could not be decoded.")
HEADERS_TOO_LARGE = _protocol(
    "headers too large", "The head of the response is longer, or has more lines, than the limit."
)
FTP_OFF = _protocol("ftp", "It is an ftp: URL, and FTP is off, or libcurl is missing.", "fetch.ftp")
REDIRECT_TO_NO_URL = _protocol("redirect to no http URL", "It redirects to something other than an http or https URL.")

_tls = partial(_reason, family=Family.TLS)
# a body that an error of TLS ends has another reason, but in crawls of earlier versions
TLS = _tls("tls", "No secure connection could be agreed on.", cuts_body=True)
TLS_VERSION = _tls(
    "tls: protocol version", "The server offers only versions of TLS that are not accepted.", "fetch.tls_minimum"
)
TLS_WEAK = _tls("tls: weak", "The keys or hashes of the server are too weak.", "fetch.tls_minimum")
TLS_OTHER_PROTOCOL = _tls("tls: not TLS", "The server does not speak TLS at this port: http:// may be right.")
TLS_CLIENT_CERTIFICATE = _tls(
    "tls: client certificate", "The server wants a certificate of its clients.", "login.certificates"
)
TLS_ALERT = _tls("tls: alert {}", "The server ended the handshake with the alert {}.")
TLS_UNKNOWN_ISSUER = _tls("tls: unknown issuer", "The certificate of the server has an issuer that is not trusted.")
TLS_NOT_YET_VALID = _tls("tls: not yet valid", "The certificate of the server is not valid yet.")
TLS_EXPIRED = _tls("tls: expired", "The certificate of the server has expired.")
TLS_SELF_SIGNED = _tls("tls: self-signed", "The server issued its certificate itself.")
TLS_NAME_MISMATCH = _tls("tls: name mismatch", "The certificate of the server is for another name.")

_process = partial(_reason, family=Family.PROCESS)
FETCH_DIED = _process("fetch process died", "The fetch process died repeatedly while fetching it.", pardoned=True)
FETCH_STUCK = _process(
    "fetch process stuck", "The fetch process got stuck repeatedly while fetching it.", pardoned=True
)
PARSE_DIED = _process("parse process died", "The parse process that read it died.")
PARSE_STUCK = _process("parse process stuck", "The parse process that read it took too long, or too much memory.")
PARSE_ERROR = _process("parse: {}", "The parse process failed on it ({}).")
HOOK_PAGE_FAILED = _process(
    "hook page failed: {}", "The hook for pages failed on it ({}).", "hooks.page", keeps_page=True
)
STORE_ERROR = _process("store: {}", "Its data could not be stored in the tables ({}).")

LOGIN_FAILED = _reason(
    "login: {}", "The login to its host failed ({}), so it was not requested.", "login.form", family=Family.LOGIN
)
LOGIN_DENIED = _reason(
    "login denied", "It asks for a login while the user is logged in.", "login.lost", family=Family.LOGIN
)

DELETED_BY_USER = _reason("deleted", "A user deleted it: it is not requested again.", family=Family.USER)

# -- derived sets -----------------------------------------------------------------------------------------------------

#: Statuses of a redirect, if there is a Location: of Fetch ("redirect status"), and 300, whose Location is the
#: preferred choice (RFC 9110 section 15.4.1).
REDIRECT_STATUSES = frozenset({300, 301, 302, 303, 307, 308})

#: Statuses that may be temporary (RFC 9110 section 15.6, RFC 6585 section 4).
RETRIED_STATUSES = frozenset({429, 500, 502, 503, 504})

#: Statuses of answers without content, whatever follows (RFC 9110 sections 15.3.5 and 15.3.6): they are not pages.
NO_CONTENT_STATUSES = (204, 205)

#: Statuses by which a server asks for fewer requests.
OVERLOADED_STATUSES = frozenset({429, 503})

_STATUS = {3: "The server answered {}: neither a page nor a redirect.", 4: "The server answered {}: an error."}
_STATUS |= dict.fromkeys(REDIRECT_STATUSES, "The server answered {}: a redirect.") | {5: _STATUS[4]}
_STATUS |= dict.fromkeys(NO_CONTENT_STATUSES, "The server answered {}: there is no content, so it is not a page.")
# no redirect (RFC 9110 section 15.4.5); it is the reason of a URL only if the request had no condition
_STATUS[304] = "The server answered 304: not modified, without a page, though it was asked for one."


@lru_cache(maxsize=256)
def filled(code: Code, part: object) -> Code:
    """Return a code with `part` in the place of `{}`.

    >>> filled(HTTP, 404)
    'http 404'
    """
    return Code(code.replace("{}", str(part)))


def _having(fact: str) -> frozenset[Code]:
    return frozenset(Code(each.code) for each in REASONS.values() if getattr(each, fact))


BY_PATH, NO_CONNECTION, PARDONED = _having("by_path"), _having("no_connection"), _having("pardoned")
OVERLOADED = frozenset(filled(HTTP, status) for status in OVERLOADED_STATUSES)
RETRIED = _having("retried") | {filled(HTTP, status) for status in RETRIED_STATUSES}
CUTS_BODY, KEEPS_PAGE = _having("cuts_body"), _having("keeps_page")
BODY_RETRIED = CUTS_BODY & RETRIED

_VARYING = [
    (re.compile(re.escape(code).replace(r"\{\}", r"(\d+)" if "http" in code else "(.+)")), each)
    for code, each in REASONS.items()
    if "{}" in code
]


@lru_cache(maxsize=4096)
def _read(code: str) -> tuple[Reason | None, str]:
    if code in REASONS:
        return REASONS[code], ""
    for pattern, each in _VARYING:
        if match := pattern.fullmatch(code):
            return each, match[1]
    return None, ""


def about(code: str) -> Reason | None:
    """Return the row of a reason; None if it does not exist."""
    return _read(code)[0]


def is_reason_of(state: str, code: str) -> bool:
    """Whether a URL in this state can have this reason.

    >>> is_reason_of("fetched", "http 404"), is_reason_of("failed", "robots.txt")
    (True, False)
    """
    row = about(code)
    return row is not None and state in row.family.states


def family(code: str) -> Family | None:
    """
    >>> family("http 404"), family("robots.txt: http 503")
    (<Family.HTTP: ('http', ('fetched', 'moved'))>, <Family.ROBOTS: ('robots.txt', ('refused',))>)
    """
    row = _read(code)[0]
    return row.family if row else None


def condition(of: Family, column: str = "reason") -> str:
    """Return an SQL condition for the reasons of a family.

    >>> condition(Family.ADDRESS)
    "(reason GLOB 'blocked address')"
    """
    globs = [each.code.replace("{}", "?*") for each in REASONS.values() if each.family is of]
    return "(" + " OR ".join(f"{column} GLOB '{each}'" for each in globs) + ")"


def status_of(code: str) -> int:
    """Return the status of a response; 0 for any other reason.

    >>> status_of("http 404"), status_of("gone: http 410"), status_of("robots.txt: http 404")
    (404, 410, 0)
    """
    row, part = _read(code)
    return int(part) if row is not None and row.family in (Family.HTTP, Family.GONE) else 0


def sentence(state: str, code: str) -> str:
    """Return state and reason of a URL as a sentence; "" for a reason that does not exist.

    >>> sentence("refused", "depth"), sentence("fetched", "http 404")
    ('It is too far from the seeds.', 'The server answered 404: an error.')
    """
    if state == QUEUED:
        return STATES[QUEUED].sentence
    row, part = _read(code)
    if row is None:
        return ""
    text = row.sentence
    if row.family is Family.HTTP:
        text = _STATUS.get(int(part)) or _STATUS.get(int(part) // 100, text)
    return text.replace("{}", part)
