"""Items that a function of the user returns: none, one, or several; from a generator or a coroutine, too."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from typing import Any

import msgspec

from ttcrawl.parse.hooks.call import HookFailedError
from ttcrawl.parse.hooks.page import HookPage, HookResult


def items_of(function: Callable[[HookPage], object], page: HookPage) -> Iterator[object]:
    """What the function yields or returns. Errors are its own."""
    returned = function(page)
    if inspect.isawaitable(returned) or isinstance(returned, AsyncIterator):
        import asyncio  # 30 ms that no other crawl needs

        returned = asyncio.run(_awaited(returned))
    return _each(returned)


async def _awaited(returned: Awaitable[object] | AsyncIterator[object]) -> object:
    value = [each async for each in returned] if isinstance(returned, AsyncIterator) else await returned
    return await _awaited(value) if isinstance(value, AsyncIterator) else value


def _each(returned: object) -> Iterator[object]:
    """A dict or record is an item; what can be iterated over has several; a HookResult has its fields.

    True, False and numbers are none: the hook for pages decides by them.
    """
    if isinstance(returned, HookResult):
        returned = None if returned.drop else returned.fields
    if returned is None or isinstance(returned, bool | int | float):
        return
    if isinstance(returned, Iterable) and not isinstance(returned, Mapping | str | bytes):
        for item in returned:
            yield from _each(item) if isinstance(item, HookResult) else (() if item is None else (item,))
    elif returned:
        yield returned


def fields_of(item: object) -> Mapping[str, object]:
    """The fields of an item. Raises HookFailedError if it has none."""
    if isinstance(item, Mapping):
        return item
    if (is_dataclass(item) and not isinstance(item, type)) or isinstance(item, msgspec.Struct):
        fields: dict[str, Any] = msgspec.to_builtins(item)
        return fields
    raise HookFailedError(
        "wrong result",
        f"an item must be a dict or a dataclass, not {type(item).__name__}: return one, several, or None",
    )
