"""What commands write for the user appears when it is complete."""

import os
import random
import resource
import subprocess
from pathlib import Path

import pytest

from tests.support.crawls.crawl_db import crawl_of
from tests.support.crawls.crawling import command
from tests.support.long_tables import LONG
from ttcrawl.store.replaced import replaced

URL = "http://a.test/{}".format

ROOM = 16 << 10  # bytes of a file

WRITTEN = [
    ("graph", "--export", "edges", "pages.tsv"),
    ("graph", "--picture", "forces", "pages-forces.png"),
    pytest.param(("graph", "--export", "gexf", "pages.gexf"), marks=LONG),
    pytest.param(("graph", "--export", "graphml", "pages.graphml"), marks=LONG),
    pytest.param(("graph", "--export", "parquet", "pages-edges.parquet"), marks=LONG),
    pytest.param(("plot", "--what", "degrees", "--format", "svg", "degrees.svg"), marks=LONG),
]


@pytest.mark.slow
@pytest.mark.parametrize("case", WRITTEN, ids=lambda case: case[-1])
def test_no_room_for_a_file(tmp_path, case):
    """The message names the file; the one of an earlier run stays."""
    name, *options, file = case
    rng = random.Random(1)
    pages = {URL(page): [URL(rng.randrange(600)) for _ in range(40)] for page in range(600)}
    crawl_of(tmp_path / "crawl", pages)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / file).write_text("of an earlier run")
    done = subprocess.run(
        command(name, "crawl", *options, "--out", "out"),
        **{"cwd": tmp_path, "capture_output": True, "text": True, "timeout": 60},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, ROOM)),
    )
    *progress, message = done.stderr.splitlines()
    assert done.returncode == 1 and message.startswith(f"ttcrawl: out/{file}: "), done.stderr
    assert all(line.startswith("ttcrawl: reading: ") for line in progress)  # of a machine under load
    assert (tmp_path / "out" / file).read_text() == "of an earlier run"
    assert not [path for path in (tmp_path / "out").iterdir() if path.name.startswith(".")]


def test_a_link_to_a_pipe_without_a_name():
    """As /dev/stdout is one before a pipe, and >(gzip) in a shell: its target, pipe:[7], is no path."""
    reader, writer = os.pipe()
    with replaced(Path(f"/dev/fd/{writer}")) as fresh:
        fresh.write_bytes(b"bytes")
    os.close(writer)
    with open(reader, "rb") as pipe:
        assert pipe.read() == b"bytes"
