"""Term lists and words exactly as in Combine 4.005, which decodes nothing: every byte is a Latin-1 character.

Facts and their sources are in the manual (docs/topic.md); every rule here has a case computed by Combine's own code.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from ttcrawl.topic.page import HEADINGS, METADATA, PATH, TEXT, TITLE, Page, Words
from ttcrawl.topic.regex import is_regex, problem
from ttcrawl.topic.terms import AND, Term, TermList

#: Beside a-z and digits these letters are kept in words.
_LETTERS = "\u00e5\u00e4\u00f6\u00f8\u00e6"
_CAPITALS = "\u00c5\u00c4\u00d6\u00d8\u00c6"

#: Letters that RE2 does not take for ones, and capitals that stand for them: words have no capitals.
STAND_INS = str.maketrans(_LETTERS, "ABCDE")

#: Characters of a term, and of a text that is searched; shorter ones are left out.
SHORTEST = 3

_LINE = re.compile(r"\s*(-?[0-9]+):\s+([^=]+)=(.*)", re.DOTALL)
_NUMBER = re.compile(r"\b[0-9]+\b")
_SPACE = " \t\n\r\f\v"


def _lower(character: str) -> str:
    if character.isascii():
        return character.lower() if character.isalnum() or character in "/'-" else " "
    if character in _CAPITALS:
        return _LETTERS[_CAPITALS.index(character)]
    return character if character in _LETTERS else " "


_TABLE = bytes(ord(_lower(chr(byte))) for byte in range(0x100))


def read(data: bytes, stop_words: bytes = b"") -> TermList:
    """Read a term list. Lines that Combine does not understand are skipped, without a message, as there."""
    stops = frozenset(_chopped(stop_words))
    terms: list[Term] = []
    left_out: list[int] = []
    for number, line in enumerate(_chopped(data), 1):
        match = _LINE.match(line)
        if match is None:
            continue
        words = [word for word in _split(match[2]) if word not in stops]
        text = " ".join(words).rstrip(" ")
        if len(text) < SHORTEST:
            continue
        needles = tuple(re.split(rf"[{_SPACE}]+{AND}[{_SPACE}]+", text)) if AND in text else (text,)
        if any(is_regex(needle) and problem(needle) for needle in needles):
            left_out.append(number)
            continue
        classes = tuple(filter(None, (name.strip() for name in re.split(rf",[{_SPACE}]+", match[3]))))
        terms.append(Term(text=text, weight=float(match[1]), classes=classes, line=number, needles=needles))
    return TermList(terms=tuple(terms), stop_words=stops, compatible=True, encoding="latin-1", left_out=tuple(left_out))


def _chopped(data: bytes) -> Iterable[str]:
    """The lines without their last character, whatever it is."""
    return [line[:-1] for line in data.decode("latin-1").splitlines(keepends=True)] if data else []


def _split(text: str) -> list[str]:
    """Split at white space as Perl: a leading empty word stays, those at the end do not."""
    words = text.split()
    return ["", *words] if words and text[0] in _SPACE else words


def converted(part: str, stop_words: Collection[str]) -> str:
    """Return a part of a page as words with one blank between them; a leading blank stays."""
    text = part.encode("latin-1", "replace").translate(_TABLE).decode("latin-1")
    return " ".join(word for word in _split(_NUMBER.sub(" ", text)) if word not in stop_words)


def count(part: str) -> int:
    return max(1, len(_split(part)))


def words_of(page: Page, stop_words: Collection[str]) -> Words:
    """Return the words of a page. A title or heading of "0" counts as none, and ends the list of headings."""
    metadata = ""
    for name, content in page.metadata:
        if name in ("", "0"):
            break
        if name != "Rsummary" and not name.startswith("autoclass"):
            metadata += f"{content} "
    headings = ""
    for heading in page.headings:
        if heading in ("", "0"):
            break
        headings += f"{heading} "
    has_title = page.title not in ("", "0")
    parts = {
        TITLE: page.title if has_title else "",
        METADATA: metadata,
        HEADINGS: headings,
        TEXT: page.text,
        PATH: page.path.removeprefix("/").replace("/", " "),
    }
    texts = {name: converted(part, stop_words) for name, part in parts.items()}
    return Words(
        title=texts[TITLE],
        metadata=texts[METADATA],
        headings=texts[HEADINGS],
        text=texts[TEXT],
        path=texts[PATH],
        counts={name: count(text) for name, text in texts.items()},
        has_title=has_title,
        has_metadata=bool(metadata),
    )
