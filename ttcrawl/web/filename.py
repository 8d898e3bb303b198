"""Convert text from the web to the name of a file or directory. Pure; the only module that does so.

Sources of the restrictions: Windows, "Naming Files, Paths, and Namespaces" (characters, reserved names, a full stop or
a space at the end); POSIX.1 (`/` and NUL); 255 bytes are NAME_MAX of common file systems.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from ttcrawl.web.late import late

#: Maximum bytes of a name in UTF-8.
MOST = 255

#: Maximum bytes of an extension with its dot; a longer one is treated as part of the name and shortened.
EXTENSION = 32

#: Replaces every character that is not allowed in a name, and a text without any allowed one.
INSTEAD = "_"

#: Path separators, and characters forbidden by Windows. Controls and invisible characters are found by category.
FORBIDDEN = late(r'[/\\:*?"<>|]')

#: Invisible characters whose category does not show it (Default_Ignorable_Code_Point of Unicode, except controls).
INVISIBLE = late(r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]")

#: Device names on Windows, with any extension; Windows treats superscript digits as digits.
RESERVED = late(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *(\.|$)", re.IGNORECASE)

#: Characters not allowed at the start: the name would be hidden, `..`, or a command-line option.
LEADING = " .-"

#: Characters that Windows removes at the end of a name.
TRAILING = " ."


def file_name(text: str, names: Collection[str] = ()) -> str:
    """A name for a file or directory, as close to `text` as possible. Never raises, never "".

    It is one component of a path, at most 255 bytes of UTF-8, in NFC. It contains no controls, no invisible characters
    (such as direction marks or characters without width), no private or unassigned characters, and nothing that a
    system forbids or treats specially. The function is idempotent. `names` are those in the same directory: if a
    case-insensitive file system would confuse the result with one of them, a number is inserted before its extension.

    >>> file_name("a.test:8080"), file_name("../etc/passwd"), file_name("CON.txt"), file_name("A.gz", ["a.GZ"])
    ('a.test_8080', '_etc_passwd', '_CON.txt', 'A-2.gz')
    """
    # a name uses no more of a longer text; the limit also bounds the time to normalize combining marks
    text = text if len(text) <= 4 * MOST else text[: 4 * MOST] + text[-EXTENSION:]
    name = unicodedata.normalize("NFC", "".join(map(_allowed, text)))
    name = _fitted(name.rstrip(TRAILING).lstrip(LEADING)) or INSTEAD
    if RESERVED.match(name):
        name = _fitted(INSTEAD + name)
    same = {_folded(each) for each in names}
    number, numbered = 1, name
    while _folded(numbered) in same:
        number += 1
        numbered = _fitted(name, f"-{number}")
    return numbered


def marked_name(text: str, mark: str) -> str:
    """`file_name` with a mark of ASCII letters, digits, - and _ before its extension; the mark is never shortened.

    >>> marked_name("../CON.tar.gz", "-1f")
    '_CON.tar-1f.gz'
    """
    return file_name(_fitted(file_name(text), mark))


def _allowed(character: str) -> str:
    category = unicodedata.category(character)
    if category[0] == "C" or category in ("Zl", "Zp") or FORBIDDEN.match(character) or INVISIBLE.match(character):
        return INSTEAD
    return " " if category == "Zs" else character


def _fitted(name: str, number: str = "") -> str:
    """`name` with `number` before its extension; the stem is shortened to fit."""
    stem, dot, extension = name.rpartition(".")
    extension = dot + extension
    if not stem or len(extension.encode()) > EXTENSION:
        stem, extension = name, ""
    room = MOST - len((number + extension).encode())
    return (stem.encode()[:room].decode(errors="ignore") + number + extension).rstrip(TRAILING)


def _folded(name: str) -> str:
    """A key that is equal for names that some file system considers equal, by case or by Unicode composition."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())
