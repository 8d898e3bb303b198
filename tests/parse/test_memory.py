"""What a large page needed does not stay with the parse process."""

import ctypes
import gzip
import re
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.cases import some_fast
from tests.support.crawls.crawling import options_for
from tests.support.faults.killing import processes, start
from tests.support.web.site import Answer, Web, page
from ttcrawl.parse.memory import GROWN

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc"),
    pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="the C library is not glibc"),
]

PROGRAM = """
import re, sys, time
from pathlib import Path
from tests.parse.reading import read
from ttcrawl.parse.memory import GROWN, FreeMemory

def used():
    return int(re.search(r"RssAnon:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) << 10

def page(paragraphs):
    each = "<p>A paragraph with some words and <a href=/{0}>a link</a> to page {0} of this site.</p>"
    return "".join(each.format(number % 100) for number in range(paragraphs)).encode()  # links are remembered

archive = Path(sys.argv[1])
read(archive, "http://a.test/", page(100))
memory = FreeMemory()
for paragraphs in (150_000, 100, 150_000):
    before, begun = used(), time.monotonic()
    read(archive, "http://a.test/", page(paragraphs))
    kept = used() - before
    memory.release(time.monotonic() - begun)
    print(paragraphs, kept, used() - before)
"""


@pytest.mark.slow
def test_the_memory_of_a_large_page_is_returned(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, tmp_path], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    (_, kept, left), (_, small, same), (_, again, left_again) = (
        map(int, line.split()) for line in done.stdout.splitlines()
    )
    assert kept > GROWN and left < kept / 2
    assert small == same  # nothing is returned after a small page
    assert again > 0.4 * GROWN and left_again < again / 2


def returned(pid: int) -> int:
    """Bytes below the most memory that a process has had."""
    with suppress(OSError):  # it has just ended
        status = Path(f"/proc/{pid}/status").read_text()
        most, now = (int(re.search(rf"{name}:\s+(\d+) kB", status)[1]) << 10 for name in ("VmHWM", "VmRSS"))
        return most - now
    return 0


@pytest.mark.parametrize("coding", some_fast(["", "gzip"], "gzip"))
def test_while_the_crawl_continues(tmp_path: Path, coding: str) -> None:
    elsewhere = (f"http://b.test/{number}" for number in range(40_000))  # refused: out of scope
    large = page(*elsewhere, content="<p>word and more words</p>" * 40_000)
    answer = (
        Answer(body=gzip.compress(large), headers=(("Content-Encoding", "gzip"),)) if coding else Answer(body=large)
    )
    pages = {"/": Answer(body=page("/large", "/slow")), "/large": answer, "/slow": Answer(delay=60)}
    with Web({("a.test", path): answer for path, answer in pages.items()}) as web:
        crawl = start(tmp_path, "crawl", web.url("a.test", "/"), "-d", "c", *options_for(web), "--no-obey-delay")
        try:
            end = time.monotonic() + 30
            while not any(returned(pid) > 15 << 20 for pid in processes(crawl.pid)["parse"]):
                assert crawl.poll() is None and time.monotonic() < end
                time.sleep(0.1)
        finally:
            crawl.kill()
            crawl.communicate()
