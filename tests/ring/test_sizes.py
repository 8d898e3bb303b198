from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ttcrawl.config import Crawl
from ttcrawl.ring.sizes import fetchers, first_parsers, most_parsers, processors

COUNT = """
import os
os.sched_setaffinity(0, {0})
from ttcrawl.ring.sizes import processors
print(processors())
"""


@pytest.mark.parametrize("chosen", [1, 3, 64])
def test_what_is_chosen_is_obeyed(chosen: int) -> None:
    crawl = Crawl(fetchers=chosen, parsers=chosen)
    assert (fetchers(crawl), first_parsers(crawl), most_parsers(crawl)) == (chosen, chosen, chosen)


def test_by_the_processors() -> None:
    half = max(1, processors() // 2)
    assert (fetchers(Crawl()), first_parsers(Crawl()), most_parsers(Crawl())) == (half, half, processors())


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity on this system")
def test_only_processors_that_may_be_used_count() -> None:
    done = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"
