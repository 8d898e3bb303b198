"""The tests of the compiled core under sanitizers of memory and behaviour: python -m tests.core.sanitize"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.core.build import copied, setup

TESTS = ("tests/core", "tests/parse/test_compiled.py", "tests/parse/test_compiled_texts.py")
WARNINGS = "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"
SANITIZERS = "-g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all"


def sanitize() -> int:
    """Build the core with all warnings as errors, and run its tests. Returns their exit status."""
    with TemporaryDirectory() as directory:
        project = copied(Path(directory))
        flags = {"CFLAGS": f"{WARNINGS} {SANITIZERS}", "LDFLAGS": "-fsanitize=address,undefined"}
        printed = setup(project, "build_ext", "--inplace", environment=os.environ | flags)
        if not list(project.glob("ttcrawl/core/native*.so")):
            print(printed, file=sys.stderr)
            return 1
        libraries = [printed_by("g++", f"-print-file-name={name}") for name in ("libasan.so", "libstdc++.so")]
        environment = os.environ | {
            "LD_PRELOAD": " ".join(libraries),  # Python itself is built without them
            "ASAN_OPTIONS": "detect_leaks=0",  # Python keeps much until its end
            "PYTHONMALLOC": "malloc",  # else small objects lie in blocks that are not checked
            "TTCRAWL_READER": "compiled",
        }
        tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS, "-m", "not slow"]
        return subprocess.run(tests, cwd=project, env=environment).returncode


def printed_by(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(sanitize())
