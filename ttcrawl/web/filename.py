"""Text that came from the web as the name of a file or directory. Pure; the one place where it becomes one.

What is forbidden where: Windows, "Naming Files, Paths, and Namespaces" (characters, reserved names, a full stop or a
space at the end); POSIX.1 (`/` and NUL); 255 bytes are NAME_MAX of the usual file systems.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

#: Bytes of UTF-8 that a name may have.
MOST = 255

#: Bytes of an extension, its dot included; what is longer behind a dot is no extension and is cut like all else.
EXTENSION = 32

#: Stands for every character that cannot stand in a name, and alone for a text of which nothing is left.
INSTEAD = "_"

#: Separators of paths, and what Windows forbids. Controls and all that is invisible go by their category.
FORBIDDEN = re.compile(r'[/\\:*?"<>|]')

#: Invisible, though not of a category that says so (Default_Ignorable_Code_Point of Unicode, less its controls).
INVISIBLE = re.compile(r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]")

#: Names of devices on Windows, whatever follows behind a dot; superscript digits are digits there.
RESERVED = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *(\.|$)", re.IGNORECASE)

#: What may not begin a name: it would be hidden, `..`, or an option of a command.
LEADING = " .-"

#: What Windows cuts off at the end of a name.
TRAILING = " ."


def file_name(text: str, taken: Collection[str] = ()) -> str:
    """A name for a file or directory that says `text` as far as a name can. Never raises, never "".

    It is one component of a path, of at most 255 bytes in UTF-8, in NFC, without controls, invisible marks (such as
    turn the direction of writing or have no width), private or unassigned characters, and what a system forbids or
    treats as something else. What it once gave it leaves as it is. `taken` are the names in the same directory: where
    a file system that does not tell case would take the result for one of them, a number comes before its extension.

    >>> file_name("a.test:8080"), file_name("../etc/passwd"), file_name("CON.txt"), file_name("A.gz", ["a.GZ"])
    ('a.test_8080', '_etc_passwd', '_CON.txt', 'A-2.gz')
    """
    # of what is longer no more than this could be told; so a sequence of marks that takes long to put in order is short
    text = text if len(text) <= 4 * MOST else text[: 4 * MOST] + text[-EXTENSION:]
    name = unicodedata.normalize("NFC", "".join(map(_allowed, text)))
    name = _fitted(name.rstrip(TRAILING).lstrip(LEADING)) or INSTEAD
    if RESERVED.match(name):
        name = _fitted(INSTEAD + name)
    same = {_folded(each) for each in taken}
    number, numbered = 1, name
    while _folded(numbered) in same:
        number += 1
        numbered = _fitted(name, f"-{number}")
    return numbered


def marked_name(text: str, mark: str) -> str:
    """`file_name` with a mark of ASCII letters, digits, - and _ before its extension, which is never cut.

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
    """`name` with `number` before its extension; of what is in front of them as much as there is room for."""
    stem, dot, extension = name.rpartition(".")
    extension = dot + extension
    if not stem or len(extension.encode()) > EXTENSION:
        stem, extension = name, ""
    room = MOST - len((number + extension).encode())
    return (stem.encode()[:room].decode(errors="ignore") + number + extension).rstrip(TRAILING)


def _folded(name: str) -> str:
    """The same for names that some file system takes for the same, by case or by the way in which they are composed."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())
