from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import ttcrawl.report.laws
from tests.support.cases import some_fast

LAWS = [
    f"ttcrawl.report.laws.{path.stem}" for path in sorted(Path(ttcrawl.report.laws.__file__).parent.glob("[a-z]*.py"))
]
CRAWL = ["ttcrawl.output.counters", "ttcrawl.engine.run.growth"]


@pytest.mark.parametrize("modules", some_fast([CRAWL, LAWS], CRAWL), ids=["what a crawl imports", "the laws"])
def test_no_heavy_library_is_loaded_before_it_is_needed(modules):
    heavy = "{'numpy', 'scipy', 'powerlaw', 'matplotlib'}"
    code = f"import sys, {', '.join(modules)}; print(*sorted({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"
