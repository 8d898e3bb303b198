"""The keys of config.ini for documents: [documents], and [converters], where the keys are types."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping

from ttcrawl.config.key import key
from ttcrawl.config.lines import Lines
from ttcrawl.frozen import frozen
from ttcrawl.web.line import Line

#: One type, not a range: RFC 6838 section 4.2, in lower case.
TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]{0,126}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}", re.ASCII)
PYTHON = "python:"
#: The converters that come with ttcrawl, each a file of ttcrawl/read/documents.
BUILT_IN = ("kreuzberg", "latex", "office", "poppler")
MEANING = (
    "How documents of a type become text: one converter per line; the first whose program or library is installed is"
    " used. PROGRAM ARGUMENT ... has {file} for the document and, unless it writes to stdout, {output}; => TYPE after"
    " it: the program writes a document of this type, which is converted next. python:NAME is a converter of ttcrawl: "
    + ", ".join(BUILT_IN)
    + ". An empty value disables the converters of a type."
)
FILE, OUTPUT = "{file}", "{output}"


@frozen
class Documents:
    """How documents (PDF, Office files ...) become text."""

    convert: bool = key(True, "no: documents are only archived")
    links: bool = key(True, "no: ignore the links inside documents")
    max_time: float = key(
        20.0, "maximum seconds for one document, in addition to [links] max_time; then its converter is killed", low=0.1
    )
    max_memory: int = key(1 << 30, "maximum bytes of address space of a converter", low=1 << 28, size=True)
    max_output: int = key(
        16 << 20,
        "maximum bytes of text that are kept per document; a converter may write 16 MB more to its directory",
        low=1 << 10,
        size=True,
    )


@frozen
class Choice:
    """One method of conversion: one line of a key of [converters]."""

    built_in: str = ""
    command: tuple[str, ...] = ()
    then: str = ""  # the type of the program's output, which is converted again; empty: the output is text


@frozen
class Converter:
    """A key of [converters]: the methods for a type; the first one that is installed is used."""

    type: str
    lines: Lines  # empty: documents of this type are not converted


def choice(line: Line) -> Choice:
    """Parse a line `python:NAME` or `PROGRAM ARGUMENT ... [=> TYPE]`, quoted as in a shell. Raises ValueError.

    >>> choice(Line(text="python:poppler")).built_in
    'poppler'
    >>> choice(Line(text="gs -o {output} {file} => application/pdf")).then
    'application/pdf'
    """
    if line.text.startswith(PYTHON):
        name = line.text.removeprefix(PYTHON)
        if name not in BUILT_IN:
            raise ValueError(
                f"unknown converter {PYTHON}{name}; write one of {', '.join(PYTHON + each for each in BUILT_IN)}"
            )
        return Choice(built_in=name)
    words, then = shlex.split(line.text), ""
    if "=>" in words:
        then = words[-1].lower()
        if words.index("=>") != len(words) - 2 or not TYPE.fullmatch(then):
            raise ValueError("after => write one type, such as application/pdf")
        del words[-2:]
        if not any(OUTPUT in word for word in words):
            raise ValueError(f"a program before => must write to {OUTPUT}")
    placeholders = re.findall(r"\{.*?\}", " ".join(words))
    for each in placeholders:
        if each not in (FILE, OUTPUT):
            raise ValueError(f"unknown {each}; write {FILE} or {OUTPUT}")
    if FILE not in placeholders or "{" in words[0]:
        raise ValueError(f"write PROGRAM ARGUMENT ..., with {FILE} for the name of the document")
    return Choice(command=tuple(words), then=then)


def check(converters: tuple[Converter, ...]) -> None:
    """Raises ValueError with one line: the position and the error."""
    used = {each.type: each.lines for each in converters if each.lines}
    for kind, lines in used.items():
        for line in lines:
            try:
                _check_step(choice(line).then, used)
            except ValueError as error:
                raise ValueError(f"{line.position}: [converters] {kind} = {line.text}: {error}") from None


def _check_step(then: str, used: Mapping[str, Lines]) -> None:
    if then and then not in used:
        raise ValueError(f"{then} has no converter")
    if then and any("=>" in line.text for line in used[then]):
        raise ValueError(f"the converter of {then} has a => too; only one step is possible")


_OPENXML = "application/vnd.openxmlformats-officedocument."
_ODF = "application/vnd.oasis.opendocument."
_DEFAULTS: Mapping[str, tuple[str, ...]] = {
    "application/pdf": ("python:poppler", "python:kreuzberg"),
    "application/postscript": (
        "gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOutputFile={output} {file} => application/pdf",
    ),
    "application/msword": ("python:kreuzberg", "catdoc -w -d utf-8 {file}"),
    "application/vnd.ms-excel": ("python:kreuzberg", "xls2csv -d utf-8 {file}"),
    "application/vnd.ms-powerpoint": ("python:kreuzberg",),
    f"{_OPENXML}wordprocessingml.document": ("python:office",),
    f"{_OPENXML}spreadsheetml.sheet": ("python:kreuzberg", "python:office"),
    f"{_OPENXML}presentationml.presentation": ("python:office", "python:kreuzberg"),
    f"{_ODF}text": ("python:office",),
    f"{_ODF}spreadsheet": ("python:kreuzberg", "python:office"),
    f"{_ODF}presentation": ("python:office",),
    "application/rtf": ("python:kreuzberg", "catdoc -w -d utf-8 {file}"),
    "text/rtf": ("python:kreuzberg", "catdoc -w -d utf-8 {file}"),
    "application/x-tex": ("python:latex", "python:kreuzberg"),
    "application/x-latex": ("python:latex", "python:kreuzberg"),
    "text/x-tex": ("python:latex", "python:kreuzberg"),
}
CONVERTERS: tuple[Converter, ...] = tuple(
    Converter(type=kind, lines=Lines(Line(text=text, file="default") for text in texts))
    for kind, texts in _DEFAULTS.items()
)


def with_defaults(converters: Mapping[str, Lines]) -> tuple[Converter, ...]:
    """Return the converters: the user's [converters] replace the defaults of their types.

    Other defaults stay, except those with output of a type that the user does not convert.
    """
    merged = {each.type: each.lines for each in CONVERTERS} | dict(converters)
    off = {kind for kind, lines in merged.items() if not lines}
    for each in CONVERTERS:
        if each.type not in converters and any(choice(line).then in off for line in each.lines):
            merged[each.type] = Lines()
    return tuple(Converter(type=kind, lines=lines) for kind, lines in merged.items())
