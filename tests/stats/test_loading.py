from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import ttcrawl.stats

MODULES = sorted(path.stem for path in Path(ttcrawl.stats.__file__).parent.glob("[a-z]*.py"))


@pytest.mark.parametrize("modules", [["counters", "growth"], MODULES], ids=["what a crawl imports", "all"])
def test_no_heavy_library_is_loaded_before_it_is_needed(modules):
    named = ", ".join(f"ttcrawl.stats.{module}" for module in modules)
    code = f"import sys, {named}; print(*sorted({{'numpy', 'scipy', 'powerlaw', 'matplotlib'}} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"
