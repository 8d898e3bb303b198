"""The child process of a converter written in Python: arguments NAME TYPE FILE, result on stdout."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

from ttcrawl.read.documents import zips
from ttcrawl.read.documents.extract import Extract, encode, reason

#: Runs with the parse process's interpreter in isolated mode; first argument: the directory that contains ttcrawl.
START = "import sys; sys.path.insert(0, sys.argv.pop(1)); from ttcrawl.read.documents.child import main; main()"
ROOT = str(Path(__file__).parents[3])
#: Used instead of a converter's name: only check whether a zip file may be unpacked.
ONLY_CHECK = "only-check"


def command(name: str, media_type: str, path: Path) -> list[str]:
    return [sys.executable, "-I", "-c", START, ROOT, name, media_type, str(path)]


def main() -> None:
    name, media_type, path = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    answer = os.dup(1)
    os.dup2(2, 1)  # output printed by a library is not part of the result
    with open(answer, "wb") as out:
        out.write(encode(_extract(name, media_type, path)))
        out.flush()
        os._exit(0)  # does not wait for the threads of libraries


def _extract(name: str, media_type: str, path: Path) -> Extract:
    try:
        error = zips.refusal(path)
        if error or name == ONLY_CHECK:
            return Extract(error=error)
        extract: Extract = importlib.import_module(f"ttcrawl.read.documents.{name}").read(path, media_type)
        return extract
    except ModuleNotFoundError as missing:
        return Extract(error=f"converter missing: {missing.name}")
    except MemoryError:
        return Extract(error="too much memory")
    except BaseException as error:  # a Rust panic is not an Exception
        return Extract(error=reason(str(error) or type(error).__name__))
