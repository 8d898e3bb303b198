"""The compiled core, for tests that need it: without it they are skipped."""

import pytest

from ttcrawl import core

needs_core = pytest.mark.skipif(core.native is None, reason=f"no compiled core: {core.why_python}")
