"""The converter of each type, whether it is installed, and its result."""

from __future__ import annotations

import importlib.util
import re
import shutil
import signal
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from ttcrawl import config
from ttcrawl.read.documents import child
from ttcrawl.read.documents.converted import Converted
from ttcrawl.read.documents.found import DETAIL, HEAD, Found, clean, decode, reason
from ttcrawl.read.documents.private import private, remove_left
from ttcrawl.read.documents.sandbox import STDERR, Limits, Ran, run
from ttcrawl.read.documents.zips import MAGIC

#: Bytes that libraries write in addition to their output: kreuzberg unpacks 8 MB of PDFium for every PDF.
ROOM = 16 << 20
EXTRA = "pip install 'ttcrawl[documents]'"
#: Requirements of the converters written in Python: modules, programs.
NEEDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "kreuzberg": (("kreuzberg", "olefile"), ()),
    "latex": (("pylatexenc",), ()),
    "office": ((), ()),
    "poppler": ((), ("pdftotext", "pdfinfo")),
}
#: The Debian packages of the programs in the default [converters].
PACKAGES = {"pdftotext": "poppler-utils", "pdfinfo": "poppler-utils", "catdoc": "catdoc", "xls2csv": "catdoc"}
PACKAGES |= {"gs": "ghostscript"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Way:
    """The converter for a type: the first installed choice, or the programs to install."""

    choice: config.Choice | None = None
    missing: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        if self.choice is None:
            return ""
        return f"python:{self.choice.built_in}" if self.choice.built_in else self.choice.command[0]


class Converters:
    """The converters of a parse process. Programs and libraries are located once.

    `directory`: the parent of the private directories; None: the system's directory for temporary files. Directories
    left there by killed processes are removed.
    """

    def __init__(
        self, documents: config.Documents, converters: tuple[config.Converter, ...], directory: Path | None = None
    ) -> None:
        self._settings = documents
        self._directory = Path(directory or tempfile.gettempdir())
        wanted = converters if documents.convert else ()
        self._ways = {each.type: _way(each) for each in wanted if each.lines}
        if self._ways:
            remove_left(self._directory)

    def converts(self, media_type: str) -> bool:
        """Whether [converters] has a key for this type (in lower case). Its converter may still be missing."""
        return media_type in self._ways

    def missing(self) -> tuple[str, ...]:
        """The packages to install for types without a working converter: one line for types with the same
        requirements."""
        types: dict[tuple[str, ...], list[str]] = {}
        for media_type, way in self._ways.items():
            if way.choice is None:
                types.setdefault(way.missing, []).append(media_type)
        return tuple(f"not converted: {', '.join(named)}; needs {' or '.join(what)}" for what, named in types.items())

    def convert(self, body: bytes, media_type: str) -> Converted:
        """Convert any body within `max_time` seconds; it is read as this type, for which `converts` is true."""
        deadline = time.monotonic() + self._settings.max_time
        way = self._ways[media_type]
        if way.choice is None:
            return Converted(error=f"converter missing: {' or '.join(way.missing)}")
        try:
            with private(self._directory) as directory:
                document = directory / "document"
                document.write_bytes(body)
                return self._steps(way, media_type, document, deadline)
        except OSError as error:  # an error of the disk, not of the document
            return Converted(converter=way.name, error=f"no private directory: {error.strerror}")

    def _steps(self, way: _Way, media_type: str, document: Path, deadline: float) -> Converted:
        found, then = self._one(way, media_type, document, deadline)
        if then and not found.error:
            way = self._ways[then]
            if way.choice is None:
                return Converted(error=f"converter missing: {' or '.join(way.missing)}")
            found, _ = self._one(way, then, document.with_name("output"), deadline)
            found.created = found.modified = ""  # they describe the intermediate output
        return self._converted(found, way.name)

    def _one(self, way: _Way, media_type: str, document: Path, deadline: float) -> tuple[Found, str]:
        assert way.choice
        if way.choice.built_in:
            return self._built_in(way.choice.built_in, media_type, document, deadline), ""
        with document.open("rb") as file:
            is_zip = file.read(len(MAGIC)) == MAGIC
        if is_zip:
            checked = self._built_in(child.ONLY_CHECK, media_type, document, deadline)
            if checked.error:
                return checked, ""
        return self._program(way.choice, document, deadline), way.choice.then

    def _limits(self, deadline: float, document: Path, head: int = 0) -> Limits:
        """One extra byte of output reveals truncation; existing files in the directory do not count."""
        limit = self._settings.max_output
        there = sum(each.lstat().st_size for each in document.parent.iterdir())
        return Limits(
            deadline=deadline, memory=self._settings.max_memory, output=limit + 1 + head, disk=limit + ROOM + there
        )

    def _run(self, command: list[str], document: Path, limits: Limits) -> Ran | Found:
        try:
            ran = run(command, document.parent, limits)
        except OSError as error:
            return Found(error=f"broken: {command[0]}: {error.strerror}")
        return ran

    def _built_in(self, name: str, media_type: str, document: Path, deadline: float) -> Found:
        ran = self._run(child.command(name, media_type, document), document, self._limits(deadline, document, HEAD))
        if isinstance(ran, Found):
            return ran
        if ran.stopped == "timeout":
            return Found(error=ran.stopped)
        try:
            found, more = decode(ran.output, self._settings.max_output)
        except ValueError:
            return Found(error=_reason(ran, "no answer"))
        found.error = found.error or ("too much output" if more or ran.stopped else "")
        return found

    def _program(self, choice: config.Choice, document: Path, deadline: float) -> Found:
        output = document.with_name("output")
        places = {config.FILE: str(document), config.OUTPUT: str(output)}
        command = [re.sub(r"\{\w+\}", lambda match: places[match[0]], word) for word in choice.command]
        ran = self._run(command, document, self._limits(deadline, document))
        if isinstance(ran, Found):
            return ran
        to_file = any(config.OUTPUT in word for word in choice.command)
        if to_file:  # stdout contains messages, as with ghostscript
            ran = replace(ran, stderr=ran.output[:STDERR].decode("utf-8", "replace") + ran.stderr)
        error = ran.stopped or (_reason(ran, f"status {ran.status}") if ran.status else "")
        data, limit = ran.output, self._settings.max_output
        if to_file:
            if not output.is_file() or output.is_symlink():
                return Found(error=error or "broken: nothing was written")
            if choice.then:
                return Found(error=error)
            with output.open("rb") as file:
                data = file.read(limit + 1)
        error = error or ("too much output" if len(data) > limit else "")
        return Found(text=clean(data[:limit].decode("utf-8", "replace")), error=error)

    def _converted(self, found: Found, name: str) -> Converted:
        return Converted(
            text=found.text,
            links=tuple(found.links) if self._settings.links else (),
            title=found.title,
            author=found.author,
            created=found.created,
            modified=found.modified,
            pages=found.pages,
            converter=name,
            error=" ".join(found.error.split())[: DETAIL + 20],
        )


def _way(converter: config.Converter) -> _Way:
    missing: list[str] = []
    for line in converter.lines:
        choice = config.choice(line)
        wanted = _missing(choice)
        if not wanted:
            return _Way(choice=choice)
        missing.append(wanted)
    return _Way(missing=tuple(missing))


def _missing(choice: config.Choice) -> str:
    """ "" or the missing requirement of this choice, and how to install it."""
    modules, programs = NEEDS[choice.built_in] if choice.built_in else ((), choice.command[:1])
    for name in modules:
        if importlib.util.find_spec(name) is None:
            return f"{name} ({EXTRA})"
    for name in programs:
        if shutil.which(name) is None:
            return f"{name} (apt-get install {PACKAGES[name]})" if name in PACKAGES else f"{name} (not found in PATH)"
    return ""


def _reason(ran: Ran, otherwise: str) -> str:
    """Why a program failed, from its status or its messages about the document."""
    if ran.status == -signal.SIGXCPU:
        return "timeout"
    if ran.status == -signal.SIGXFSZ:
        return "too much output"
    if ran.status < 0:
        name = next((each.name for each in signal.Signals if each == -ran.status), f"signal {-ran.status}")
        otherwise = f"the converter was killed by {name}"
    return reason(ran.stderr.strip() or otherwise)
