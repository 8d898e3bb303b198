"""The converter of each type, whether it is installed, and its result."""

from __future__ import annotations

import importlib.util
import re
import shutil
import signal
import tempfile
import time
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ttcrawl import config
from ttcrawl.read.documents import child
from ttcrawl.read.documents.converted import Converted
from ttcrawl.read.documents.extract import DETAIL, HEAD, Extract, clean, decode, reason
from ttcrawl.read.documents.private import private, remove_abandoned
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
PACKAGES = {
    **dict.fromkeys(("pdftotext", "pdfinfo"), "poppler-utils"),
    **dict.fromkeys(("catdoc", "xls2csv"), "catdoc"),
    "gs": "ghostscript",
}


class _Converter(Struct, frozen=True, kw_only=True):
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
        enabled = converters if documents.convert else ()
        self._by_type = {each.type: _select(each) for each in enabled if each.lines}
        if self._by_type:
            remove_abandoned(self._directory)

    def converts(self, media_type: str) -> bool:
        """Whether [converters] has a key for this type (in lower case). Its converter may still be missing."""
        return media_type in self._by_type

    def missing(self) -> tuple[str, ...]:
        """The packages to install for types without a working converter: one line for types with the same
        requirements."""
        types: dict[tuple[str, ...], list[str]] = {}
        for media_type, converter in self._by_type.items():
            if converter.choice is None:
                types.setdefault(converter.missing, []).append(media_type)
        return tuple(f"not converted: {', '.join(names)}; needs {' or '.join(needs)}" for needs, names in types.items())

    def convert(self, body: bytes, media_type: str) -> Converted:
        """Convert any body within `max_time` seconds; it is read as this type, for which `converts` is true."""
        deadline = time.monotonic() + self._settings.max_time
        converter = self._by_type[media_type]
        if converter.choice is None:
            return Converted(error=f"converter missing: {' or '.join(converter.missing)}")
        try:
            with private(self._directory) as directory:
                document = directory / "document"
                document.write_bytes(body)
                return self._steps(converter, media_type, document, deadline)
        except OSError as error:  # an error of the disk, not of the document
            return Converted(converter=converter.name, error=f"no private directory: {error.strerror}")

    def _steps(self, converter: _Converter, media_type: str, document: Path, deadline: float) -> Converted:
        extract, then = self._step(converter, media_type, document, deadline)
        if then and not extract.error:
            converter = self._by_type[then]
            if converter.choice is None:
                return Converted(error=f"converter missing: {' or '.join(converter.missing)}")
            extract, _ = self._step(converter, then, document.with_name("output"), deadline)
            extract.created = extract.modified = ""  # they describe the intermediate output
        return self._converted(extract, converter.name)

    def _step(self, converter: _Converter, media_type: str, document: Path, deadline: float) -> tuple[Extract, str]:
        assert converter.choice
        if converter.choice.built_in:
            return self._built_in(converter.choice.built_in, media_type, document, deadline), ""
        with document.open("rb") as file:
            is_zip = file.read(len(MAGIC)) == MAGIC
        if is_zip:
            checked = self._built_in(child.ONLY_CHECK, media_type, document, deadline)
            if checked.error:
                return checked, ""
        return self._program(converter.choice, document, deadline), converter.choice.then

    def _limits(self, deadline: float, document: Path, head: int = 0) -> Limits:
        """One extra byte of output reveals truncation; existing files in the directory do not count."""
        limit = self._settings.max_output
        used = sum(each.lstat().st_size for each in document.parent.iterdir())
        return Limits(
            deadline=deadline, memory=self._settings.max_memory, output=limit + 1 + head, disk=limit + ROOM + used
        )

    def _run(self, command: list[str], document: Path, limits: Limits) -> Ran | Extract:
        try:
            return run(command, document.parent, limits)
        except OSError as error:
            return Extract(error=f"broken: {command[0]}: {error.strerror}")

    def _built_in(self, name: str, media_type: str, document: Path, deadline: float) -> Extract:
        ran = self._run(child.command(name, media_type, document), document, self._limits(deadline, document, HEAD))
        if isinstance(ran, Extract):
            return ran
        if ran.stopped == "timeout":
            return Extract(error=ran.stopped)
        try:
            extract, truncated = decode(ran.output, self._settings.max_output)
        except ValueError:
            return Extract(error=_reason(ran, "no answer"))
        extract.error = extract.error or ("too much output" if truncated or ran.stopped else "")
        return extract

    def _program(self, choice: config.Choice, document: Path, deadline: float) -> Extract:
        output = document.with_name("output")
        paths = {config.FILE: str(document), config.OUTPUT: str(output)}
        command = [re.sub(r"\{\w+\}", lambda match: paths[match[0]], word) for word in choice.command]
        ran = self._run(command, document, self._limits(deadline, document))
        if isinstance(ran, Extract):
            return ran
        to_file = any(config.OUTPUT in word for word in choice.command)
        if to_file:  # stdout contains messages, as with ghostscript
            ran = replace(ran, stderr=ran.output[:STDERR].decode("utf-8", "replace") + ran.stderr)
        error = ran.stopped or (_reason(ran, f"status {ran.status}") if ran.status else "")
        data, limit = ran.output, self._settings.max_output
        if to_file:
            if not output.is_file() or output.is_symlink():
                return Extract(error=error or "broken: nothing was written")
            if choice.then:
                return Extract(error=error)
            with output.open("rb") as file:
                data = file.read(limit + 1)
        error = error or ("too much output" if len(data) > limit else "")
        return Extract(text=clean(data[:limit].decode("utf-8", "replace")), error=error)

    def _converted(self, extract: Extract, name: str) -> Converted:
        return Converted(
            text=extract.text,
            links=tuple(extract.links) if self._settings.links else (),
            title=extract.title,
            author=extract.author,
            created=extract.created,
            modified=extract.modified,
            pages=extract.pages,
            converter=name,
            error=" ".join(extract.error.split())[: DETAIL + 20],
        )


def _select(converter: config.Converter) -> _Converter:
    missing: list[str] = []
    for line in converter.lines:
        choice = config.choice(line)
        requirement = _missing(choice)
        if not requirement:
            return _Converter(choice=choice)
        missing.append(requirement)
    return _Converter(missing=tuple(missing))


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
