"""Messages with any values in them: the fields are those of the classes, so a new one is there at once."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from hypothesis import strategies as st
from msgspec.structs import fields

from ttcrawl.ring import columns, messages
from ttcrawl.web.cookies.jar import Cookie
from ttcrawl.web.storable import Storable, Work


def is_message(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Storable | Work)


#: All that workers send, and what else of the web is kept.
CLASSES = [
    *(
        each
        for module in (messages, columns)
        for each in vars(module).values()
        if is_message(each) and not issubclass(each, Work) and each.__module__ == module.__name__
    ),
    Cookie,
]


class Shout(str):
    """A text that is no plain one."""

    def __str__(self) -> str:
        return self.upper()


TEXTS = st.one_of(
    st.sampled_from(
        ["", "\0", "\ud83d", "x\ud83dy", "\ude00\ud83d", "\ud83d\ude00", "\uffff", "é", "xy" * 9999, Shout("x")]
    ),
    st.text(max_size=20),
    st.text(st.characters(categories=["Cs", "Cc", "Ll"]), max_size=5),
)
INTEGERS = st.one_of(
    st.integers(), st.booleans(), st.sampled_from([(1 << 63) - 1, 1 << 63, -(1 << 63) - 1, 2**70, 10**20, -(10**400)])
)
REALS = st.one_of(st.floats(), st.integers(0, 9), st.sampled_from([float("nan"), float("inf"), float("-inf"), 1e308]))
VALUES = {
    str: TEXTS,
    int: INTEGERS,
    float: REALS,
    bool: st.booleans(),
    bytes: st.binary(max_size=9),
    NoneType: st.none(),
}
#: What other messages and the database have, which the crawl process sends to workers.
CORRECT = VALUES | {
    str: st.text(max_size=20),
    int: st.integers(-(1 << 63), (1 << 63) - 1),
    float: st.floats(allow_nan=False, allow_infinity=False),
}


def plain(kind: Any) -> Any:
    """The type of which a NewType is one."""
    return getattr(kind, "__supertype__", kind)


def any_of(kind: Any, values: dict[Any, st.SearchStrategy]) -> st.SearchStrategy:
    """Values of a type."""
    kind = plain(kind)
    if kind in values:
        return values[kind]
    if is_message(kind):
        return any_made(kind)
    if isinstance(kind, UnionType):
        return st.one_of(*(any_of(each, values) for each in get_args(kind)))
    assert get_origin(kind) is tuple
    first, *others = get_args(kind)
    if others == [...]:
        return st.lists(any_of(first, values), max_size=2).map(tuple)
    return st.tuples(*(any_of(each, values) for each in (first, *others)))


#: Of a Page that has nothing but its links.
UNREAD = dict.fromkeys(("metadata", "text", "image", "document"))


def any_made(cls: type) -> st.SearchStrategy:
    """Instances with any values; of work, with any correct ones."""
    kinds, values = get_type_hints(cls), CORRECT if issubclass(cls, Work) else VALUES
    return st.builds(cls, **{field.name: any_of(kinds[field.name], values) for field in fields(cls)})


def sample(kind: Any, **values: Any) -> Any:
    """One value of a type; of a message, with these `values` in it, or in its groups."""
    kind = plain(kind)
    if is_message(kind):
        kinds = get_type_hints(kind)
        rest = {name: value for name, value in values.items() if name not in kinds}
        made = {name: sample(each, **rest) for name, each in kinds.items() if name not in values and is_message(each)}
        made |= {name: sample(each) for name, each in kinds.items() if name not in values and not is_message(each)}
        return kind(**made | {name: value for name, value in values.items() if name in kinds})
    if isinstance(kind, UnionType):
        return sample(get_args(kind)[0])
    if get_origin(kind) is tuple:
        return () if ... in get_args(kind) else tuple(map(sample, get_args(kind)))
    return kind()
