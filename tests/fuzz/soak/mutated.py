"""Changes of bytes that keep most of what a reader has to see before it comes to the part that is wrong."""

from __future__ import annotations

import io
import random
import re
import zipfile
from collections.abc import Callable

from tests.fuzz.soak import hostile

NUMBER = re.compile(rb"[0-9]+(?:\.[0-9]+)?")
STRING = re.compile(rb"\"[^\"<>\r\n]{1,80}\"|'[^'<>\r\n]{1,80}'|>[^<>]{2,80}<")

Change = Callable[[bytes, random.Random], bytes]

#: Bytes that a changed body may have.
MOST = 400_000


def _span(data: bytes, chance: random.Random) -> tuple[int, int]:
    start = chance.randrange(len(data) + 1)
    return start, min(len(data), start + int(2 ** chance.uniform(0, 12)))


def flipped(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        if changed:
            changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def without(data: bytes, chance: random.Random) -> bytes:
    start, end = _span(data, chance)
    return data[:start] + data[end:]


def repeated(data: bytes, chance: random.Random) -> bytes:
    start, end = _span(data, chance)
    times = min(int(2 ** chance.uniform(1, 12)), max(1, MOST // max(1, end - start)))
    return data[:end] + data[start:end] * times + data[end:]


def moved(data: bytes, chance: random.Random) -> bytes:
    start, end = _span(data, chance)
    rest = data[:start] + data[end:]
    at = chance.randrange(len(rest) + 1)
    return rest[:at] + data[start:end] + rest[at:]


def with_token(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + hostile.token(chance) + data[at:]


def _some(pattern: re.Pattern[bytes], new: Callable[[bytes], bytes], data: bytes, chance: random.Random) -> bytes:
    """Some of what a pattern finds becomes another thing."""
    places = list(pattern.finditer(data))
    for place in sorted(chance.sample(places, min(len(places), chance.randint(1, 4))), key=lambda at: -at.start()):
        data = data[: place.start()] + new(place[0]) + data[place.end() :]
    return data


def other_numbers(data: bytes, chance: random.Random) -> bytes:
    return _some(NUMBER, lambda found: hostile.number(chance).encode(), data, chance)


def other_strings(data: bytes, chance: random.Random) -> bytes:
    return _some(STRING, lambda found: found[:1] + hostile.escaped(chance) + found[-1:], data, chance)


CHANGES: tuple[Change, ...] = (flipped, cut, without, repeated, moved, with_token, other_numbers, other_strings)


def mutated(data: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.choice((0, 1, 1, 2, 3, 6))):
        data = chance.choice(CHANGES)(data, chance)[:MOST]
    return data


def mutated_zip(data: bytes, chance: random.Random) -> bytes:
    """A document of several files in one: of those that are texts one is changed, or the whole."""
    if chance.random() < 0.25:
        return mutated(data, chance)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError, OSError):
        return mutated(data, chance)
    texts = [name for name in files if name.endswith((".xml", ".rels", ".txt"))] or list(files)
    within = chance.random() < 0.5  # what its XML says, and no more
    for name in texts if within else chance.sample(texts, min(len(texts), chance.randint(1, 3))):
        change = chance.choice((other_numbers, other_strings)) if within else mutated
        files[name] = change(files[name], chance)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text)  # whose date is always the same
    return out.getvalue()
