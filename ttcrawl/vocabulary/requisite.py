"""Page requisites: what a browser loads to show a page. Which reasons hold for them."""

from __future__ import annotations

from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import (
    BY_PATH,
    KIND,
    NONE,
    REQUISITE,
    REQUISITE_STEPS,
    SCOPE_DEPTH,
    SCOPE_DIRECTORY,
    SCOPE_DOMAIN,
    SCOPE_EXTENSION,
    SCOPE_HOPS,
    SCOPE_HOST,
    SCOPE_LIST,
    UNTIL_RECYCLE,
    Code,
    about,
    family,
)

#: Reasons that do not hold for page requisites and sitemaps, which may be anywhere and have any extension.
WAIVED = frozenset((SCOPE_HOST, SCOPE_DIRECTORY, SCOPE_DOMAIN, SCOPE_LIST, SCOPE_EXTENSION))

#: Reasons of URLs without a link that may be followed, from the weakest on: a later link with another one replaces it.
UNLINKED = (KIND, REQUISITE, REQUISITE_STEPS)

#: Families of reasons for which URLs are refused when they are discovered.
_DISCOVERY = (Family.SCOPE, Family.PATH, Family.TRAP, Family.HOOK)


def refuses_discovery(reason: Code) -> bool:
    """Whether a URL with this reason has no path on which it may be requested.

    >>> refuses_discovery("scope: host"), refuses_discovery("robots.txt"), refuses_discovery("http 200")
    (True, False, False)
    """
    row = about(reason)
    return row is not None and row.family in _DISCOVERY and not row.keeps_page


def stronger(reason: Code, than: Code) -> bool:
    """Whether the reason of a later link replaces the reason of a URL without a link that may be followed.

    >>> stronger("", "kind"), stronger("page requisite", "kind"), stronger("kind", "page requisite")
    (True, True, False)
    """
    return than in UNLINKED and (reason not in UNLINKED or UNLINKED.index(reason) > UNLINKED.index(than))


def waived(reason: Code) -> Code:
    """Return the reason that refuses a URL as a page requisite, given the reason that refuses links to it.

    >>> waived("scope: host"), waived("scope: rule")
    ('', 'scope: rule')
    """
    return NONE if reason in WAIVED else reason


def on_every_page(reason: Code) -> Code:
    """Return the reason that refuses a URL as a requisite of any page, given its present reason; "" for none.

    >>> on_every_page("depth"), on_every_page("scope: host"), on_every_page("hook link: advertising")
    ('', '', 'hook link: advertising')
    """
    at_path = reason in BY_PATH and family(reason) not in (Family.HOOK, Family.TRAP)
    return NONE if at_path or reason in (SCOPE_DEPTH, SCOPE_HOPS, UNTIL_RECYCLE) else waived(reason)
