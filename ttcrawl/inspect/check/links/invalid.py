"""Links that no browser can follow: they are no URLs, or have a scheme that is none, such as `htp:` or `localhost:`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttcrawl.inspect.check.kinds import INVALID, Problem
from ttcrawl.inspect.check.pages.archive import ArchivedPage
from ttcrawl.web.address import non_public_kind, stated
from ttcrawl.web.url import DROPPED, absolute, host, split_port

#: What the programs of a reader open: the part of IANA's registry of URI schemes that pages use, and others in use.
_NAMES = """
    http https ftp ftps mailto tel sms smsto mms data javascript vbscript blob about cid mid urn doi hdl info
    tag news nntp irc irc6 ircs xmpp sip sips callto skype facetime whatsapp tg viber signal sgnl line weixin
    wechat matrix mumble teamspeak slack zoommtg zoomus msteams discord gtalk aim ymsgr geo maps comgooglemaps
    market intent android-app ios-app itms itmss itms-apps itms-services macappstore webcal webcals feed podcast
    pcast itpc rss git ssh sftp scp svn cvs bzr hg rsync telnet tn3270 vnc rdp smb nfs afp ldap ldaps dict
    gopher gemini finger wais rtsp rtmp rtmps mmsh udp magnet ed2k dchub dat hyper ipfs ipns freenet bitcoin
    bitcoincash ethereum litecoin dogecoin monero lightning lnurl steam spotify deezer apt appstream snap vscode
    vscode-insiders vscodium jetbrains idea cursor txmt mvim subl zotero mendeley evernote obsidian notion
    things trello view-source chrome chrome-extension moz-extension resource opera edge brave jar ws wss at did
    nostr acct payto upi turn turns stun stuns fb fb-messenger twitter instagram youtube shortcuts cal message
"""
SCHEMES = frozenset(_NAMES.split())
#: Beginnings of schemes that sites and programs make up (HTML standard 8.9.1.1; RFC 7595 section 3.8).
PREFIXES = ("web+", "ext+", "ms-", "x-", "com.", "org.", "net.", "io.", "vnd.")

#: Addresses at which each reader's own machine answers.
OWN = ("loopback", "unspecified")

#: Characters of a reference that are shown.
SHORT = 500

#: References that may have a scheme or a host; the others, nearly all, always lead somewhere.
_MAY_BE_ABSOLUTE = re.compile(r"[^/\\?#:]*+:|[\0-\x20]*+[/\\][\t\n\r]*+[/\\]")
_SCHEME = re.compile("[a-z][a-z0-9+.-]*+(?=:)", re.IGNORECASE)
_STRIPPED = "".join(map(chr, range(33)))  # URL standard 4.4


def invalid_problems(page: ArchivedPage) -> Iterator[Problem]:
    """One problem for each such reference of a page, with the first text that it has."""
    links = dict(reversed(list(zip(page.extraction.hrefs, page.extraction.anchors, strict=True))))
    for href, text in reversed(links.items()):
        if _MAY_BE_ABSOLUTE.match(href) and (why := fault(page.url, page.extraction.base, href)):
            shown = href.strip(_STRIPPED).translate(DROPPED)
            yield Problem(kind=INVALID, url=shown[:SHORT], source=page.url, text=text, detail=why)


def fault(url: str, base: str, href: str) -> str:
    """Why nobody can follow a reference on the page with this URL; "" if a reader can.

    >>> fault("http://a.test/", "http://a.test/", "htp://b.test/"), fault("http://a.test/", "http://a.test/", "x y")
    ('unknown scheme htp', '')
    """
    reference = href[:1000].lstrip(_STRIPPED).translate(DROPPED)
    match = _SCHEME.match(reference)
    if match is None and reference[:2] not in ("//", "\\\\", "/\\", "\\/"):
        return ""  # a relative reference always leads somewhere
    name = match[0].lower() if match else ""
    if name in ("", "http", "https"):
        return _web_fault(url, base, href)
    if name == "file":
        return "a file of the reader's own machine"
    return "" if name in SCHEMES or name.startswith(PREFIXES) else f"unknown scheme {name}"


def _web_fault(url: str, base: str, href: str) -> str:
    target = absolute(base, href)
    if not target:
        return "not a URL"
    return "the reader's own machine" if is_own(target) and not is_own(url) else ""


def is_own(url: str) -> bool:
    """Whether the host of a canonical URL is a name or an address of each reader's own machine."""
    return any(non_public_kind(address) in OWN for address in stated(split_port(host(url))[0]))
