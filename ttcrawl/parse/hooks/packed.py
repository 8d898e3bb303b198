"""What a hook returns, as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import msgspec

from ttcrawl.parse.hooks.call import HookFailedError
from ttcrawl.web.storable import text

#: An escape in JSON; the letters behind an escaped backslash are none.
ESCAPE = re.compile(r"\\(u0000|.)")


def packed(fields: Mapping[str, object], what: str, most: int) -> str:
    """A JSON object, or "" if it is empty. `what`: its words in an error.

    Raises HookFailedError if it is no JSON, or has more than `most` characters.
    """
    if not fields:
        return ""
    if not all(isinstance(name, str) for name in fields):
        raise HookFailedError("wrong result", f"the names of {what.removeprefix('the ')} must be texts")
    values = dict(fields)
    try:
        try:
            packed = msgspec.json.encode(values).decode()
        except UnicodeEncodeError:  # lone surrogates, from escapes in scripts
            packed = text(json.dumps(values, ensure_ascii=False, allow_nan=False))
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise HookFailedError("wrong result", f"{what} are not JSON: {error}") from None
    if len(packed) > most:
        raise HookFailedError("wrong result", f"{what} have {len(packed):,} characters, more than {most:,}")
    if "\\u0000" in packed:  # NUL ends a text in C
        packed = ESCAPE.sub(lambda escape: r"\ufffd" if escape[1] == "u0000" else escape[0], packed)
    return packed
