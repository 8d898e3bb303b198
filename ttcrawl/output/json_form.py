"""JSON as the commands print it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence


def json_form(value: object, indent: int | None = 2) -> str:
    """Plain data as JSON on several lines; `indent` None: on one. A figure that is not finite is null, for JSON has no
    number for it (RFC 8259, section 6).

    >>> json_form({"ratio": math.inf, "pages": 3}, indent=None)
    '{"ratio": null, "pages": 3}'
    """
    return json.dumps(_finite(value), indent=indent, allow_nan=False)


def records_json(records: Iterable[Mapping[str, object]], names: Sequence[str]) -> str:
    """The figures of crawls, each with its name: one object for one crawl, a list for several."""
    named = [{"name": name, **record} for name, record in zip(names, records, strict=True)]
    return json_form(named[0] if len(named) == 1 else named)


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
