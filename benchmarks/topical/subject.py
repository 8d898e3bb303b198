"""Subjects: which pages of the corpus are relevant, by path, and a term list for each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

DIRECTORY = Path(__file__).parent / "subjects"


@dataclass(frozen=True, slots=True)
class Subject:
    name: str
    patterns: dict[str, re.Pattern[str]]  # host -> what matches the paths of relevant pages, from their beginning

    @property
    def terms(self) -> Path:
        return DIRECTORY / f"{self.name}.terms"

    def relevant(self, url: str) -> bool:
        parts = urlsplit(url)
        pattern = self.patterns.get(parts.hostname or "")
        return pattern is not None and pattern.match(parts.path) is not None


def subject(name: str) -> Subject:
    """Read the file of paths: lines of host and regular expression; lines of one host are alternatives."""
    expressions: dict[str, list[str]] = {}
    for line in (DIRECTORY / f"{name}.paths").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            host, expression = line.split(maxsplit=1)
            expressions.setdefault(host, []).append(f"(?:{expression})")
    return Subject(name, {host: re.compile("|".join(each)) for host, each in expressions.items()})


#: The measured subject, and those that chose the formula.
MEASURED, TUNING = "network", ("threads", "dates", "xml")
SUBJECTS = {name: subject(name) for name in (MEASURED, *TUNING)}
