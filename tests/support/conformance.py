"""Cases that other people wrote. They lie beside the repository and are not copied into it: tests skip without them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

BESIDE = Path(__file__).resolve().parents[3] / "shared" / "conformance"


def conformance_file(name: str) -> Path:
    """A file of the folder that TTCRAWL_CONFORMANCE names, or of ../shared/conformance."""
    path = Path(os.environ.get("TTCRAWL_CONFORMANCE", BESIDE)) / name
    if not path.exists():
        pytest.skip(f"the conformance cases are not here: {name} (set TTCRAWL_CONFORMANCE to their folder)")
    return path


def cases(name: str) -> list[Any]:
    """The cases of a file, .json or .jsonl."""
    text = conformance_file(name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()] if name.endswith(".jsonl") else json.loads(text)
