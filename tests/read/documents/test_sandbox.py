"""Converters that do everything a converter should not: each ends in time, says why, and leaves nothing behind."""

import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.cases import one_in
from tests.support.faults.killing import until
from ttcrawl.config import Converter, Documents, Line, Lines
from ttcrawl.read.documents import bubblewrap, orphans, sandbox
from ttcrawl.read.documents.converters import Converters

TYPE = "application/x-test"
SETTINGS = Documents(max_time=60, max_memory=256 << 20, max_output=1 << 20)

FORK = """
for _ in range(3):
    if os.fork() == 0:
        {}
        while True: time.sleep(1)
"""
#: What a converter does -> what is said of it; where nothing is wrong, it has said "said".
SCRIPTS = {
    "hangs": ("while True: time.sleep(1)", "timeout"),
    "burns": ("while True: pass", "timeout"),
    "ignores signals": ("for n in (1, 2, 15, 24): signal.signal(n, signal.SIG_IGN)\nwhile True: pass", "timeout"),
    "closes its output and hangs": ("os.close(1); os.close(2)\nwhile True: time.sleep(1)", "timeout"),
    "writes without end": ("while True: os.write(1, b'x' * 65536)", "too much output"),
    "complains without end": ("while True: os.write(2, b'x' * 65536)", "timeout"),
    "forks and hangs": (FORK.format("pass") + "while True: time.sleep(1)", "timeout"),
    "forks and ends": (FORK.format("pass") + "print('said')", ""),
    "forks daemons": (FORK.format("os.setsid(); os.fork()") + "print('said')", ""),
    "eats memory": ("a = []\nwhile True: a.append(bytearray(1 << 20))", "too much memory"),
    "writes one long file": ("f = open('big', 'wb')\nwhile True: f.write(b'x' * 65536)", "too much output"),
    "fills the disk": (
        "i = 0\nwhile True:\n  i += 1\n  open(f'f{i}', 'wb').write(b'x' * 500_000); time.sleep(.001)",
        "too much output",
    ),
    "makes many files": ("i = 0\nwhile True:\n  i += 1\n  open(f'f{i}', 'w').close()", "too much output"),
    "makes deep directories": ("while True: os.mkdir('d'); os.chdir('d')", "too much output"),
    "dies by a signal": ("os.kill(os.getpid(), signal.SIGSEGV)", "killed by SIGSEGV"),
    "dies by the kernel's hand": ("os.kill(os.getpid(), signal.SIGKILL)", "killed by SIGKILL"),
    "dies by a signal without a name": ("os.kill(os.getpid(), 40)", "killed by signal 40"),
    "fails": ("sys.exit('no such thing\\nmore')", "broken: no such thing"),
    "fails silently": ("sys.exit(7)", "broken: status 7"),
    "wants a password": ("sys.exit('Incorrect password')", "encrypted"),
    "reads stdin": ("print('said', sys.stdin.read())", ""),
    "writes no UTF-8": ("os.write(1, b'said \\xff\\xfe \\xed\\xa0\\x80 \\x00')", ""),
    "takes rights away": ("os.makedirs('a/b/c'); [os.chmod(d, 0) for d in ('a/b', 'a', '.')]; print('said')", ""),
    "links to elsewhere": ("os.symlink('/', 'root'); os.symlink('nowhere', 'x'); print('said')", ""),
}


WORKS = bubblewrap.works


@pytest.fixture(autouse=True, params=[True, False], ids=["bubblewrap", "without"])
def wrapped(request, monkeypatch):
    """Every limit holds in namespaces and without."""
    if request.param and not bubblewrap.works():
        pytest.skip("bubblewrap is not installed, or may not make namespaces here")
    monkeypatch.setattr(bubblewrap, "works", lambda: request.param)
    return request.param


def converters(script, directory, *arguments, max_time=SETTINGS.max_time):
    prelude = "import os, signal, sys, time\n"
    path = directory.parent / "script.py"
    path.write_text(prelude + script)
    words = " ".join(f"'{each}'" for each in (sys.executable, "-I", str(path), *(arguments or ["{file}"])))
    return Converters(
        replace(SETTINGS, max_time=max_time), (Converter(type=TYPE, lines=Lines([Line(text=words)])),), directory
    )


@pytest.fixture
def directory(tmp_path):
    place = tmp_path / "with space\nand -dash"
    place.mkdir()
    return place


def left(directory):
    """Processes whose home is a private directory of this test."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            if b"HOME=" + os.fsencode(directory) in (each / "environ").read_bytes():
                found.append(int(each.name))
        except OSError:
            continue
    return found


@pytest.mark.parametrize(("script", "said"), one_in(3, SCRIPTS.values()), ids=SCRIPTS)
def test_a_converter_that(script, said, directory):
    max_time = 0.5 if said == "timeout" else SETTINGS.max_time
    before = orphans.children()  # what crawls of other tests have left is adopted too
    done = converters(script, directory, max_time=max_time).convert(b"a document", TYPE)
    assert said in done.error if said else done.error == "" and "said" in done.text
    assert os.listdir(directory) == [] and left(directory) == []
    assert len(done.text.encode()) <= SETTINGS.max_output and "\0" not in done.text
    assert orphans.children() <= before, "a process that nobody waited for"


def test_what_a_program_is_given(directory):
    script = """
import json, resource
limits = {name: resource.getrlimit(getattr(resource, 'RLIMIT_' + name)) for name in
          ('AS', 'CPU', 'FSIZE', 'CORE', 'NOFILE')}
print(json.dumps([dict(os.environ), os.getcwd(), sys.argv[1], open(sys.argv[1]).read(),
                  oct(os.stat('.').st_mode), limits, sorted(os.listdir('/proc/self/fd'))]))
"""
    import json

    done = converters(script, directory, "{file}").convert(b"a document", TYPE)
    given, place, name, text, mode, limits, files = json.loads(done.text)
    assert (Path(name).parent, Path(name).name, text) == (Path(place), "document", "a document")
    assert Path(place).parent == directory and mode == "0o40700"
    assert given.pop("PATH") and given["HOME"] == given["TMPDIR"] == place and given["LC_ALL"] == "C.UTF-8"
    assert not [each for each in given if "proxy" in each.lower() or "KEY" in each]
    assert limits["CORE"] == [0, 0] and limits["AS"][1] == 256 << 20 and limits["CPU"][1] <= 62
    assert limits["FSIZE"][1] < 1 << 30 and files == ["0", "1", "2", "3"]  # 3: the directory being listed


@pytest.mark.slow
def test_a_program_has_a_session_of_its_own(directory):
    """So that neither it reaches the terminal, nor the terminal's Ctrl-C reaches it."""
    running = converters("open('started', 'w'); time.sleep(60)", directory, max_time=2)
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(running.convert, b"a document", TYPE)
        until(lambda: list(directory.glob("*/started")))
        # Seen from here: within its namespace of processes the id of a session that began outside of it is 0.
        sessions = {os.getsid(process) for process in left(directory)}
        assert done.result().error == "timeout"
    assert sessions and os.getsid(0) not in sessions


def test_output_into_a_file(directory):
    script = "open(sys.argv[1], 'w').write('made of ' + open(sys.argv[2]).read()); print('not this')"
    done = converters(script, directory, "{output}", "{file}").convert(b"it", TYPE)
    assert (done.text, done.error, Path(done.converter).name) == ("made of it", "", Path(sys.executable).name)


@pytest.mark.parametrize(
    "script",
    one_in(2, ["pass", "os.symlink('/etc/passwd', sys.argv[1])", "os.mkdir(sys.argv[1])", "os.mkfifo(sys.argv[1])"]),
)
def test_output_that_is_no_file(script, directory):
    done = converters(script, directory, "{output}", "{file}").convert(b"it", TYPE)
    assert (done.text, done.error) == ("", "broken: nothing was written")


@pytest.mark.slow
def test_a_large_document_is_no_output(directory):
    script = "time.sleep(0.3); open('copy', 'wb').write(b'x'); print('said')"
    done = converters(script, directory).convert(b"x" * (20 << 20), TYPE)
    assert (done.text.strip(), done.error) == ("said", "")


def test_long_output_is_cut(directory):
    script = "open(sys.argv[1], 'w').write('ü' * 600_000)"
    done = converters(script, directory, "{output}", "{file}").convert(b"it", TYPE)
    assert done.error == "too much output" and done.text == "ü" * (1 << 19)


def test_no_shell_reads_the_arguments(directory):
    script = "print('|'.join(sys.argv[1:2]))"
    done = converters(script, directory, "$(id) `id` ; * > x", "{file}").convert(b"it", TYPE)
    assert done.text.strip() == "$(id) `id` ; * > x"


def test_a_missing_program_is_named(tmp_path):
    lines = [("application/x-a", "no-such-program-1 {file}"), ("application/x-b", "no-such-program-1 {file}")]
    made = Converters(
        SETTINGS, tuple(Converter(type=kind, lines=Lines([Line(text=text)])) for kind, text in lines), tmp_path
    )
    needs = "no-such-program-1 (not found in PATH)"
    assert made.missing() == (f"not converted: application/x-a, application/x-b; needs {needs}",)
    assert made.converts("application/x-a")
    assert made.convert(b"", "application/x-a").error == f"converter missing: {needs}"


def test_programs_of_debian_are_named_with_their_package(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    lines = Lines([Line(text="catdoc {file}"), Line(text="python:poppler")])
    (said,) = Converters(SETTINGS, (Converter(type=TYPE, lines=lines),), tmp_path).missing()
    assert said.endswith("needs catdoc (apt-get install catdoc) or pdftotext (apt-get install poppler-utils)")


def test_the_first_that_is_installed_is_used(tmp_path):
    lines = Lines([Line(text="no-such-program {file}"), Line(text="cat {file}"), Line(text="true {file}")])
    done = Converters(SETTINGS, (Converter(type=TYPE, lines=lines),), tmp_path).convert(b"it", TYPE)
    assert (done.text, done.converter) == ("it", "cat")


def test_a_converter_dies_with_its_parent(tmp_path, wrapped):
    script = f"""
import sys, time
from pathlib import Path
from ttcrawl.read.documents import bubblewrap
from ttcrawl.read.documents.sandbox import Limits, run
bubblewrap.works = lambda: {wrapped}
run([sys.executable, "-c", "import time; open('up', 'w').close(); time.sleep(1000)"], Path({str(tmp_path)!r}),
    Limits(deadline=time.monotonic() + 1000, memory=1 << 30, output=100, disk=1 << 20))
"""
    parent = subprocess.Popen([sys.executable, "-c", script], cwd=Path(__file__).parents[3])
    deadline = time.monotonic() + 30
    while not (tmp_path / "up").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(left(tmp_path)) == (3 if wrapped else 1)  # bwrap, and the first process of the namespace
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    while left(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert left(tmp_path) == []


def test_no_place_for_the_private_directory(tmp_path):
    made = Converters(SETTINGS, (Converter(type=TYPE, lines=Lines([Line(text="cat {file}")])),), tmp_path / "none")
    assert made.convert(b"it", TYPE).error == "no private directory: No such file or directory"


def test_a_program_that_cannot_be_started(tmp_path):
    bad = tmp_path / "bad"
    bad.write_bytes(b"\x7fELF no program")
    bad.chmod(0o755)
    made = Converters(SETTINGS, (Converter(type=TYPE, lines=Lines([Line(text=f"{bad} {{file}}")])),), tmp_path)
    assert made.convert(b"", TYPE).error.startswith(f"broken: {bad}: ")
    assert os.listdir(tmp_path) == ["bad"]


def test_no_time_left(tmp_path):
    limits = sandbox.Limits(deadline=time.monotonic(), memory=1 << 30, output=1, disk=1)
    assert sandbox.run(["no-such-program"], tmp_path, limits).stopped == "timeout"


def test_there_is_no_network(tmp_path):
    """Where the kernel allows it; a process that may not give it up has it."""
    probe = subprocess.run(["unshare", "--net", "--map-root-user", "true"], capture_output=True)
    if probe.returncode:
        pytest.skip("no user namespaces here")
    script = "import socket; print(socket.if_nameindex())"
    limits = sandbox.Limits(deadline=time.monotonic() + 20, memory=1 << 30, output=1000, disk=1 << 20)
    ran = sandbox.run([sys.executable, "-c", script], tmp_path, limits)
    assert ran.output.decode().strip() == "[(1, 'lo')]"


SECRET = """
import socket, pathlib
for read in (lambda: pathlib.Path({secret!r}).read_text(), lambda: pathlib.Path('/etc/passwd').read_text(),
             lambda: os.listdir({home!r}), lambda: socket.create_connection(('127.0.0.1', {port}), 5),
             lambda: pathlib.Path({secret!r}).write_text(''), lambda: pathlib.Path('/x').write_text(''),
             lambda: pathlib.Path(sys.prefix, 'x').write_text('')):
    try:
        print('REACHED', read())
    except OSError as error:
        print(type(error).__name__)
print(sorted(os.listdir('.')), [int(each) for each in os.listdir('/proc') if each.isdigit()])
"""


@pytest.mark.parametrize("wrapped", [True], indirect=True)  # without it, a process has the rights of the user
def test_a_converter_reaches_no_other_file_nor_process_nor_socket(directory, tmp_path, wrapped):
    (tmp_path / "home").mkdir()
    secret = tmp_path / "home" / "secret"
    secret.write_text("a key")
    with socket.create_server(("127.0.0.1", 0)) as server:
        script = SECRET.format(secret=str(secret), home=str(secret.parent), port=server.getsockname()[1])
        done = converters(script, directory).convert(b"a document", TYPE)
    assert done.error == "" and "REACHED" not in done.text
    assert done.text.strip().endswith("['document'] [1, 2]")  # the program is 2, bubblewrap 1
    assert secret.read_text() == "a key"


@pytest.mark.parametrize("wrapped", [False], indirect=True)
@pytest.mark.parametrize("said", ["exit 1", "kill -9 $$", "sleep 20"])
def test_where_namespaces_are_not_permitted_it_goes_without(said, tmp_path, monkeypatch, wrapped):
    (tmp_path / "bwrap").write_text(f"#!/bin/sh\n{said}\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert not WORKS.__wrapped__(0.2)
