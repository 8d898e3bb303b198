"""A file appears when it is complete; an earlier one stays until then."""

import errno
import io
import os
import threading

import pytest

from ttcrawl.errors import UsageError
from ttcrawl.export.output import output


def test_the_earlier_file_stays_until_the_end(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"before")
    with pytest.raises(KeyboardInterrupt), output(path, binary=False) as file:
        file.write(b"half")
        raise KeyboardInterrupt
    assert path.read_bytes() == b"before" and [*tmp_path.iterdir()] == [path]
    with output(path, binary=False) as file:
        file.write(b"after")
        assert path.read_bytes() == b"before"
    assert path.read_bytes() == b"after" and [*tmp_path.iterdir()] == [path]


def test_a_pipe_is_not_replaced(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    received = []
    reader = threading.Thread(target=lambda: received.append(path.read_bytes()))
    reader.start()
    with output(path, binary=True) as file:
        file.write(b"bytes")
    reader.join()
    assert received == [b"bytes"] and path.is_fifo()


def test_of_a_link_the_target_is_replaced(tmp_path):
    """As /dev/stdout is one."""
    link, target = tmp_path / "link", tmp_path / "target"
    target.write_bytes(b"before")
    link.symlink_to(target)
    with output(link, binary=True) as file:
        file.write(b"after")
    assert link.is_symlink() and target.read_bytes() == b"after"


def test_no_bytes_on_a_terminal(monkeypatch):
    terminal = io.TextIOWrapper(io.BytesIO())
    terminal.isatty = lambda: True
    monkeypatch.setattr("sys.stdout", terminal)
    with pytest.raises(UsageError, match="name a file with -o FILE"), output(None, binary=True):
        pass
    with output(None, binary=False) as file:
        file.write(b"text")
    assert terminal.buffer.getvalue() == b"text"


def test_a_full_disk_names_the_file(tmp_path):
    with pytest.raises(OSError) as raised, output(tmp_path / "x", binary=False):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert raised.value.filename == str(tmp_path / "x")
