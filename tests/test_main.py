"""The process of a command."""

import os
import subprocess
import sys

import pytest

from tests.support.cases import some_fast
from tests.support.crawls.crawl_db import crawl_of
from tests.support.crawls.crawling import command

#: Ends the command with the number of threads that numpy has left it.
PROGRAM = """
import os
import ttcrawl.cli
from ttcrawl.__main__ import command

def threads(**_options):
    import numpy
    return len(os.listdir("/proc/self/task"))

ttcrawl.cli.main = threads
command()
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="threads are counted in /proc")
@pytest.mark.parametrize(("chosen", "threads"), [(None, 1), ("2", 2)])
def test_numpy_starts_only_threads_that_the_user_wants(chosen, threads):
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    environment |= {"OPENBLAS_NUM_THREADS": chosen} if chosen else {}
    if threads > len(os.sched_getaffinity(0)):
        pytest.skip("numpy starts no more threads than there are processors")
    assert subprocess.run([sys.executable, "-c", PROGRAM], env=environment, timeout=60).returncode == threads


#: Runs a command, opens a file as a crawl does its archive, and starts a process that writes to all standard streams.
WITH_CHILD = """
import subprocess, sys
from ttcrawl.cli import main

main(["try", "url", "http://a.test/", "x"])
archive = open(sys.argv[1], "wb")
child = "import os; [os.fstat(each) for each in (0, 1, 2)]; os.write(1, b'out'); os.write(2, b'err')"
sys.exit(subprocess.run([sys.executable, "-c", child], pass_fds=[archive.fileno()]).returncode)
"""


@pytest.mark.parametrize("closed", some_fast(["<&-", ">&-", "2>&-", "<&- >&- 2>&-"], "<&- >&- 2>&-"))
def test_missing_standard_streams_are_open_in_child_processes_too(tmp_path, closed):
    """Else these take the first files that they open for them, and what is said there ends up in an archive."""
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-c", WITH_CHILD, str(tmp_path / "archive")]
    assert subprocess.run(shell, timeout=60).returncode == 0
    assert (tmp_path / "archive").read_bytes() == b""


@pytest.mark.parametrize(
    ("line", "status", "said"),
    [
        (("try", "robots", "-", "/x"), 0, ""),
        (("delete", "c", "--host", "a.test"), 2, "ttcrawl: nothing was deleted: add --yes"),
    ],
)
def test_a_command_that_reads_a_missing_standard_input(tmp_path, line, status, said):
    crawl_of(tmp_path / "c", {"http://a.test/": []})
    shell = ["sh", "-c", 'exec "$@" <&-', "sh", *command(*line)]
    done = subprocess.run(shell, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr[: len(said)]) == (status, said), done.stderr
    assert len(done.stderr.splitlines()) == bool(said)


#: Ends as a command does that gets Ctrl-C while the fields of a class get their names, as in most imports.
INTERRUPTED = """
import signal
import ttcrawl.cli
from ttcrawl.__main__ import command

class Field:
    def __set_name__(self, owner, name):
        signal.raise_signal(signal.SIGINT)

def main(**_options):
    type("Section", (), {"key": Field()})

ttcrawl.cli.main = main
command()
"""


def test_ctrl_c_while_the_fields_of_a_class_are_named():
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "")


#: Ends as a command does that has left a thread, something to do at its end, and words that are not written yet.
WITH_THREAD = """
import atexit, threading
import ttcrawl.cli
from ttcrawl.__main__ import command

def main(**_options):
    atexit.register(lambda: print("at its end"))
    threading.Thread(target=lambda: (threading.main_thread().join(), print("the thread"))).start()
    print("the command")
    return 3

ttcrawl.cli.main = main
command()
"""


def test_threads_and_what_is_registered_come_to_their_end():
    """Although Python does not clear its memory away."""
    done = subprocess.run([sys.executable, "-c", WITH_THREAD], capture_output=True, text=True, timeout=60)
    said = done.stdout.splitlines()
    assert (done.returncode, said, done.stderr) == (3, ["the command", "the thread", "at its end"], "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is full")
@pytest.mark.parametrize("unbuffered", [False, True])
@pytest.mark.parametrize("words", [("--version",), ("why", "--help"), ("crawl", "--help"), ("config",)], ids=" ".join)
def test_output_for_which_there_is_no_room(words, unbuffered):
    """Less of it than a buffer holds, or more."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    environment |= {"PYTHONUNBUFFERED": "1"} if unbuffered else {}
    with open("/dev/full", "w") as full:
        arguments = {"stdout": full, "stderr": subprocess.PIPE, "text": True, "timeout": 60, "env": environment}
        done = subprocess.run(command(*words), **arguments)
    assert (done.returncode, done.stderr) == (1, "ttcrawl: stdout: No space left on device\n")
