"""<meta http-equiv=refresh content=...>: the delay and the target."""

from __future__ import annotations

from ttcrawl.web.late import late

_SPACE = "\t\n\f\r "
# https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps, steps 3 to 10: seconds, or
# nothing before a "."; a fraction, which is dropped; then the end, or a separator before the URL.
_TIME = late(rf"[{_SPACE}]*+(?:([0-9]++)|(?=\.))[0-9.]*+(?:\Z|(?=[;,{_SPACE}])[{_SPACE}]*+[;,]?+[{_SPACE}]*+)")
_URL = late(rf"[uU][rR][lL][{_SPACE}]*+=[{_SPACE}]*+")
LONGEST = 10**9  # seconds (32 years); a longer delay means "never"


def refresh(content: str) -> tuple[int, str | None] | None:
    """(seconds, URL reference) of a refresh, None if `content` is not one.

    The reference is unchanged, to be resolved against the base URL; None: the page reloads itself.

    >>> refresh("5; url='next.html'")
    (5, 'next.html')
    >>> refresh("5"), refresh("soon")
    ((5, None), None)
    """
    time = _TIME.match(content)
    if time is None:
        return None
    digits = (time[1] or "0").lstrip("0")
    # int() of a long number would take quadratic time, and Python rejects more than 4300 digits
    seconds = min(int(digits[:10] or "0"), LONGEST)
    rest = content[time.end() :]
    return seconds, _reference(rest) if rest else None


def _reference(rest: str) -> str:
    """Step 11: with or without "url=", with or without quotes; text after an unclosed quote is part of the URL."""
    prefix = _URL.match(rest)
    if prefix:
        rest = rest[prefix.end() :]
    elif rest[0] in "uU":
        return rest  # the standard goes to "parse" without a check for quotes, which cannot come first here
    if rest[:1] in ("'", '"'):
        return rest[1:].partition(rest[0])[0]
    return rest
