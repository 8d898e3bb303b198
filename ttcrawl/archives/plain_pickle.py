"""Values in a pickle, read without running it: what it names is neither imported nor called."""

from __future__ import annotations

import pickletools
from typing import Any

from msgspec import Struct

#: Opcodes that push their argument, or a constant.
_NUMBERS = ("BININT", "BININT1", "BININT2", "LONG1", "LONG4", "BINFLOAT")
_STRINGS = ("BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8")
_ARGUMENT = frozenset((*_NUMBERS, *_STRINGS))
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False, "EMPTY_TUPLE": ()}
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}


class Call(Struct, frozen=True):
    """What a pickle would call, with its arguments."""

    module: str
    name: str
    arguments: tuple[Any, ...] = ()


def plain(data: bytes) -> Any:
    """Return the value of a pickle of protocol 4 or 5 of plain values. An object is the call that makes it.

    Raises ValueError.
    """
    stack, marks, memory = list[Any](), list[int](), list[Any]()

    def above_mark() -> list[Any]:
        start = marks.pop()
        items = stack[start:]
        del stack[start:]
        return items

    try:
        for opcode, argument, _ in pickletools.genops(data):
            match opcode.name:
                case "PROTO" | "FRAME":
                    pass
                case "STOP":
                    return stack.pop()
                case name if name in _ARGUMENT:
                    stack.append(argument)
                case name if name in _CONSTANTS:
                    stack.append(_CONSTANTS[name])
                case name if name in _TUPLES:
                    stack[-_TUPLES[name] :] = [tuple(stack[-_TUPLES[name] :])]
                case "EMPTY_DICT":
                    stack.append({})
                case "EMPTY_LIST":
                    stack.append([])
                case "MEMOIZE":
                    memory.append(stack[-1])
                case "BINGET" | "LONG_BINGET":
                    stack.append(memory[int(argument or 0)])
                case "MARK":
                    marks.append(len(stack))
                case "APPEND" | "APPENDS":
                    items = above_mark() if opcode.name == "APPENDS" else [stack.pop()]
                    stack[-1].extend(items)
                case "SETITEM" | "SETITEMS":
                    items = above_mark() if opcode.name == "SETITEMS" else [stack.pop(-2), stack.pop()]
                    stack[-1].update(zip(items[::2], items[1::2], strict=True))
                case "STACK_GLOBAL":
                    stack[-2:] = [Call(*stack[-2:])]
                case "REDUCE":
                    called, arguments = stack.pop(-2), stack.pop()
                    stack.append(Call(called.module, called.name, tuple(arguments)))
                case name:
                    raise ValueError(f"no plain value: {name}")
    except (IndexError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no pickle: {error}") from error
    raise ValueError("no pickle")
