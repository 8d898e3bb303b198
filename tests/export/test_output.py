"""A file appears when it is complete; an earlier one stays until then."""

import errno
import io
import os
import termios
import threading
from pathlib import Path

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


WRITTEN = {  # -> what a terminal gets
    "plain": (["wörds\n", "a\tb\r\n"], "wörds\na\tb\r\n"),
    "colours, and a title": (["\x1b[31mred\x1b]0;x\x07"], r"\x1b[31mred\x1b]0;x\x07"),
    "one of eight bits": (["\x9b2J"], r"\x9b2J"),
    "an order": (["a\u202eb\u2066\u2028"], r"a\u202eb\u2066\u2028"),
    "a return": (["mine\ryours"], r"mine\x0dyours"),
    "no text": ([b"\xff\xc3", b"\xa4\n"], "\\xffä\n"),
}


@pytest.mark.parametrize("case", WRITTEN)
@pytest.mark.parametrize("named", [True, False])
def test_what_a_terminal_gets(monkeypatch, case, named):
    pieces, shown = WRITTEN[case]
    data = [piece.encode() if isinstance(piece, str) else piece for piece in pieces]
    ours, theirs = os.openpty()
    settings = termios.tcgetattr(theirs)
    settings[1] &= ~termios.OPOST
    termios.tcsetattr(theirs, termios.TCSANOW, settings)
    with open(theirs, "w") as terminal:
        monkeypatch.setattr("sys.stdout", terminal)
        with output(Path(os.ttyname(theirs)) if named else None, binary=False) as file:
            file.writelines(data)
        assert os.read(ours, 1000).decode() == shown
    os.close(ours)


@pytest.mark.parametrize("case", WRITTEN)
def test_a_file_and_a_pipe_get_every_byte(tmp_path, case):
    data = b"".join(piece.encode() if isinstance(piece, str) else piece for piece in WRITTEN[case][0])
    reader, writer = os.pipe()
    for path in (tmp_path / "x", Path(f"/dev/fd/{writer}")):
        with output(path, binary=False) as file:
            file.write(data)
    os.close(writer)
    with open(reader, "rb") as pipe:
        assert pipe.read() == (tmp_path / "x").read_bytes() == data


def test_a_full_disk_names_the_file(tmp_path):
    with pytest.raises(OSError) as raised, output(tmp_path / "x", binary=False):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert raised.value.filename == str(tmp_path / "x")
