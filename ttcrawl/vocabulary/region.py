"""The region of a page that has a link, and the reason why it is not followed: a letter in `outlinks.regions`."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

#: Which links of a page count: of its main text, where it has landmarks, or all.
LINK_CHOICES = ("main", "all")


class Region(Struct, frozen=True):
    letter: str
    name: str  # in the library: `link.region`
    sentence: str  # follows "linked from PAGE"
    content: bool = False  # within the content region of its page
    followed: bool = False  # if [links] follow permits it
    recorded: bool = False  # only recorded: links of its kind are not followed


REGIONS = (
    Region("c", "content", "in content", content=True, followed=True),
    Region("e", "elsewhere", "elsewhere", followed=True),
    # [links] nofollow does not obey their rel=nofollow
    Region("C", "content, rel=nofollow", "in content, rel=nofollow", content=True, followed=True),
    Region("E", "elsewhere, rel=nofollow", "elsewhere, rel=nofollow", followed=True),
    Region("n", "content, nofollow", "in content, not followed (nofollow, or too many links)", content=True),
    Region("o", "elsewhere, nofollow", "elsewhere, not followed (nofollow, or too many links)"),
    Region("d", "content, on a duplicate", "in content, not followed (on a duplicate)", content=True),
    Region("f", "elsewhere, on a duplicate", "elsewhere, not followed (on a duplicate)"),
    Region("h", "content, refused by a hook", "in content, not followed (refused by a hook)", content=True),
    Region("i", "elsewhere, refused by a hook", "elsewhere, not followed (refused by a hook)"),
    Region("r", "recorded only", "recorded, not followed (its kind)", recorded=True),
)

#: The letters as bytes, like the column.
(
    CONTENT,
    ELSEWHERE,
    CONTENT_NOT_OBEYED,
    ELSEWHERE_NOT_OBEYED,
    CONTENT_NOFOLLOW,
    ELSEWHERE_NOFOLLOW,
    CONTENT_DUPLICATE,
    ELSEWHERE_DUPLICATE,
    CONTENT_HOOK,
    ELSEWHERE_HOOK,
    RECORDED,
) = "".join(each.letter for each in REGIONS).encode()

_OPEN, _NOT_OBEYED = bytes((CONTENT, ELSEWHERE)), bytes((CONTENT_NOT_OBEYED, ELSEWHERE_NOT_OBEYED))
_NOFOLLOW, _DUPLICATE = bytes((CONTENT_NOFOLLOW, ELSEWHERE_NOFOLLOW)), bytes((CONTENT_DUPLICATE, ELSEWHERE_DUPLICATE))

#: Tables for bytes.translate: to links that nofollow stops, all or those with rel=nofollow; back to followed ones; to
#: links of a duplicate; to links that a hook refused.
STOP_ALL = bytes.maketrans(_OPEN + _NOT_OBEYED, 2 * _NOFOLLOW)
OBEY = bytes.maketrans(_NOT_OBEYED, _NOFOLLOW)
REOPEN = bytes.maketrans(_NOFOLLOW, _OPEN)
MARK_DUPLICATE = bytes.maketrans(_OPEN + _NOT_OBEYED, 2 * _DUPLICATE)
MARK_HOOK = bytes.maketrans(_OPEN + _NOT_OBEYED, 2 * bytes((CONTENT_HOOK, ELSEWHERE_HOOK)))


def letters(wanted: Callable[[Region], bool]) -> bytes:
    """
    >>> letters(lambda region: region.content)
    b'cCndh'
    """
    return "".join(each.letter for each in REGIONS if wanted(each)).encode()


def mask(wanted: Callable[[Region], bool]) -> bytes:
    """Return a table for bytes.translate that makes selectors for itertools.compress."""
    chosen = letters(wanted)
    return bytes(letter in chosen for letter in range(256))


def followed(*, everywhere: bool) -> bytes:
    """Return the letters of links that are followed, within the content region or everywhere.

    >>> followed(everywhere=False)
    b'cC'
    """
    return letters(lambda region: region.followed and (region.content or everywhere))
