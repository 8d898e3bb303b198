"""Every reason of the ledger as a sentence. Pure."""

from __future__ import annotations

import re

#: What decided, in plain words.
SENTENCES = {
    "queued": "It waits for its turn.",
    # refused when it was met
    "scope: host": "Its host is none of the seeds' hosts.",
    "scope: domain": "Its registrable domain is none of the seeds' domains.",
    "scope: list": "Its domain is not in the list of domains.",
    "scope: length": "It is longer than a URL may be.",
    "scope: rule": "A rule excludes it.",
    "scope: extension": "It has an extension that is not wanted.",
    "scope: depth": "It is farther from the seeds than a rule allows.",
    "scope: hops": "It is more links in a row outside of the seeds' domains than a rule allows.",
    "scope: blacklist": "It is on the blacklist.",
    "outside content": "It is linked only outside the content region, where links are not followed.",
    "kind": "It was met only by links of kinds that are not followed, such as images and style sheets.",
    "nofollow": "It is linked only where the page or the link says nofollow.",
    "duplicate": "It was met only on duplicates of other pages, whose links are not followed.",
    "depth": "It is too far from the seeds.",
    "redirects": "Too many redirects, or sitemaps in sitemaps, in a row led to it.",
    "trap: repeated segments": "One segment is in its path too often, as relative links make them that lead nowhere.",
    "trap: path": "Its path has too many segments.",
    "trap: query": "Its query has too many parameters.",
    "trap: calendar": "It has a date too far ahead: a calendar without end.",
    "trap: permuted query": "The same parameters were asked for in enough other orders.",
    "trap: same content": "Too many pages in a row of its pattern said the same as others, and led to nothing else.",
    "trap: same bytes": "It is longer than the URL of a page of its host, and such pages had the same bytes again.",
    "trap: urls": "The page has too many links: it stands behind the last that is followed.",
    "trap: host": "Enough URLs of its host were asked for.",
    # refused when aliases were merged
    "alias": "Its host is another name of one that has it too: there it is asked for.",
    "alias: fetched": "It was fetched under another name of its host.",
    # refused when its turn had come, or by its answer
    "duplicate pattern": "Nearly all pages of its pattern say what others say, and one that is like it was fetched.",
    "robots.txt": "The robots.txt of its host forbids it.",
    "robots.txt: broken content coding": "The robots.txt of its host could not be decoded, so nothing is allowed.",
    "blocked address": "Its host has no address that may be asked: all of them are private, loopback or reserved.",
    "too large": "Its body is longer than is kept: what came of it is, and its links are followed.",
    "type": "Its content type is not wanted.",
    "bomb": "Its body decodes to far more than was sent.",
    # no answer
    "dns": "The name of its host does not resolve.",
    "dns: temporary": "The name server had no answer just then.",
    "dns: timeout": "The name server had not answered in time.",
    "connection refused": "The server refused the connection.",
    "unreachable": "The server could not be reached.",
    "reset": "The server broke the connection.",
    "disconnected": "The server closed the connection without an answer.",
    "network": "The network failed.",
    "truncated": "The connection ended before the whole body had come.",
    "protocol": "The answer is no HTTP.",
    "headers too large": "The head of the answer is longer, or has more lines, than is read.",
    "proxy": "The proxy failed.",
    "timeout: connect": "No connection was made in time.",
    "timeout: read": "The server fell silent.",
    "timeout: total": "The exchange took too long.",
    "tls": "The server and we did not come to a secure connection.",
    "tls: unknown issuer": "Nobody we trust issued the certificate of the server.",
    "tls: not yet valid": "The certificate of the server is not valid yet.",
    "tls: expired": "The certificate of the server has expired.",
    "tls: self-signed": "The server issued its certificate itself.",
    "tls: name mismatch": "The certificate of the server is for another name.",
    "redirect to no http URL": "It redirects to something that is no http or https URL.",
    "fetch process died": "The fetch process that asked for it died, again and again.",
    "fetch process stuck": "The fetch process that asked for it got stuck, again and again.",
    "parse process died": "The parse process that read it died.",
    "parse process stuck": "The parse process that read it took too long, or too much memory.",
}

#: Reasons with a part that is not one of a few.
PATTERNS = (
    (re.compile(r"robots\.txt: http (\d+)"), "The robots.txt of its host answered {0}, so nothing is allowed."),
    (re.compile(r"http (3\d\d)"), "The server answered {0}: a redirect."),
    (re.compile(r"http ([45]\d\d)"), "The server answered {0}: an error."),
    (re.compile(r"http (\d+)"), "The server answered {0}."),
    (re.compile(r"parse: (\w+)"), "The parse process failed on it ({0})."),
    (re.compile(r"store: (\w+)"), "What came of it could not be kept in the tables ({0})."),
)


def sentence(state: str, reason: str) -> str:
    """The reason of a URL in a sentence; "" for one that nobody knows.

    >>> sentence("refused", "depth")
    'It is too far from the seeds.'
    """
    if state == "queued":
        reason = "queued"
    if reason in SENTENCES:
        return SENTENCES[reason]
    for pattern, text in PATTERNS:
        if found := pattern.fullmatch(reason):
            return text.format(*found.groups())
    return ""


def compared(reason: str, rule: str, *, depth: int | None, hops: int, outside: int, length: int) -> str:
    """The number that was too much beside its limit, "" where it was none.

    >>> compared("depth", "[crawl] max_depth = 5", depth=6, hops=0, outside=0, length=20)
    'depth 6 > 5'
    """
    limit = re.search(r"(?:= |>)(\d+)", rule)
    numbers = {"depth": depth, "scope: depth": depth, "scope: hops": outside, "redirects": hops}
    number = (numbers | {"scope: length": length}).get(reason)
    if limit is None or number is None or number <= int(limit[1]):
        return ""
    return f"{reason.removeprefix('scope: ')} {number} > {limit[1]}"
