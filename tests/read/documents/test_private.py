"""Private directories: those of killed processes are removed, those of other processes are not."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cluster.machines.inside import inside, missing
from ttcrawl.config import Converter, Documents, Line, Lines
from ttcrawl.read.documents.converters import Converters
from ttcrawl.read.documents.private import PREFIX, private, remove_abandoned

#: A process that ends without removing its directory, in which converters have left something.
KILLED = """
import os, sys
from pathlib import Path
from ttcrawl.read.documents.private import private
with private(Path(sys.argv[1])) as directory:
    (directory / "a").mkdir()
    (directory / "a" / "b").touch()
    directory.chmod(0)
    os.kill(os.getpid(), 9)
"""


def names(directory):
    return {each.name for each in directory.iterdir()}


def converters(directory):
    choice = Converter(type="application/x-test", lines=Lines((Line(text="true {file}"),)))
    return Converters(Documents(), (choice,), directory)


def test_what_a_killed_process_has_left_is_removed_by_the_next(tmp_path):
    """Also while nobody has asked for the status of the one that was killed."""
    dead = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)])
    os.waitid(os.P_PID, dead.pid, os.WEXITED | os.WNOWAIT)  # ended, and still in the table of processes
    assert len(names(tmp_path)) == 1
    with private(tmp_path) as directory:
        converters(tmp_path)
        assert names(tmp_path) == {directory.name}
    assert not names(tmp_path)
    dead.wait()


def test_a_link_with_such_a_name_is_left_alone(tmp_path):
    (tmp_path / "target").mkdir(mode=0o500)
    (tmp_path / f"{PREFIX}x").symlink_to("target")
    remove_abandoned(tmp_path)
    assert (tmp_path / f"{PREFIX}x").is_symlink()
    assert (tmp_path / "target").stat().st_mode & 0o777 == 0o500


@pytest.mark.skipif(bool(missing()), reason=missing())
def test_a_process_of_another_container_is_not_seen_and_keeps_its_directory(tmp_path):
    with private(tmp_path) as directory:
        assert inside(removed_in, str(tmp_path)) == []
        assert directory.is_dir()


def removed_in(parent):
    """Remove what is abandoned; return what that was. Called where no process of outside has a number."""
    before = names(Path(parent))
    remove_abandoned(Path(parent))
    return sorted(before - names(Path(parent)))


def test_a_directory_that_is_removed_before_it_is_locked_is_created_again(tmp_path, monkeypatch):
    lock, locked = fcntl.flock, []

    def late(number, operation):
        locked.append(number)
        if len(locked) == 1:
            (removed,) = tmp_path.iterdir()
            removed.rmdir()
        lock(number, operation)

    monkeypatch.setattr("fcntl.flock", late)
    with private(tmp_path) as directory:
        assert names(tmp_path) == {directory.name}
    assert len(locked) == 2
