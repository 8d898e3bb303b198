"""Where the system gives too little, one line says so; a strange environment makes no difference."""

import os
import resource
import subprocess

import pytest

from tests.support.cases import some_fast
from tests.support.crawls.crawling import command, options_for, verified
from tests.support.web.mesh import mesh
from tests.support.web.site import Web
from ttcrawl.errors import UsageError
from ttcrawl.ring import limits


@pytest.fixture(scope="module")
def web():
    with Web(mesh(["a.test"], 4, seed=1)) as serving:
        yield serving


def run(web, place, preexec_fn=None, **environment):
    options = (*options_for(web), "--no-obey-delay", "--progress", "none")
    return subprocess.run(
        command("crawl", web.url("a.test", "/"), "-d", place / "c", *options),
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | {"PYTHONPATH": os.getcwd()} | environment,
        preexec_fn=preexec_fn,
    )


def limit(what, most):
    return lambda: resource.setrlimit(what, (most, most))


def one_line(done):
    """OpenBLAS, of numpy, writes to the standard error by itself when it has too little memory."""
    others = ("ttcrawl: crawling into", "OpenBLAS ")
    lines = [line for line in done.stderr.splitlines() if not line.startswith(others)]
    assert len(lines) == 1 and lines[0].startswith("ttcrawl: "), done.stderr
    return lines[0]


LITTLE = {
    "memory for a process": (resource.RLIMIT_AS, 1075 << 20, 1, "is there too little memory"),
    "files to begin": (resource.RLIMIT_NOFILE, 14, 2, "only 14 files may be open at once"),
    "files": (resource.RLIMIT_NOFILE, 64, 2, "raise the limit (ulimit -n), or lower crawl.threads"),
}
SLOWLY = {"memory for the answers": (resource.RLIMIT_AS, 300 << 20, 2, "or of memory (ulimit -f, -v)")}
SLOWLY |= {
    f"{megabytes} MB": (resource.RLIMIT_AS, megabytes << 20, (1, 2), "ulimit")
    for megabytes in (110, 200, 400, 560, 600, 650, 700, 900)
} | {f"{files} files": (resource.RLIMIT_NOFILE, files, 2, "ulimit -n") for files in (5, 7, 9, 11, 20, 47, 48, 79)}


@pytest.mark.parametrize(
    ("what", "most", "status", "said"),
    [*LITTLE.values(), *(pytest.param(*each, marks=pytest.mark.slow) for each in SLOWLY.values())],
    ids=[*LITTLE, *SLOWLY],
)
def test_too_little(tmp_path, web, what, most, status, said):
    done = run(web, tmp_path, limit(what, most))
    assert done.returncode in (status if isinstance(status, tuple) else (status,)) and said in one_line(done)


def removed(place):
    os.mkdir(place / "gone")
    os.chdir(place / "gone")
    os.rmdir(place / "gone")


def test_a_current_directory_that_was_removed(tmp_path, web):
    done = run(web, tmp_path, lambda: removed(tmp_path))
    assert done.returncode == 1 and "the current directory was removed" in one_line(done)


ODD = {
    "a long TMPDIR": (lambda place: {"TMPDIR": str(place / ("x" * 60) / ("y" * 60))}, ()),
    "no TMPDIR": (lambda place: {"TMPDIR": str(place / "none")}, ()),
    "no HOME": (lambda place: {"HOME": "/proc/none"}, ()),
    "no locale": (lambda place: {"LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}, ()),
    "no PATH": (lambda place: {"PATH": ""}, ()),
    "no stdin": (lambda place: {}, (0,)),
    "no stdout": (lambda place: {}, (1,)),
    "no streams": (lambda place: {}, (0, 1, 2)),
}


@pytest.mark.parametrize(
    "kind",
    some_fast(ODD, "no streams"),
)
def test_it_just_works(tmp_path, web, kind):
    environment, closed = ODD[kind]
    wanted = environment(tmp_path)
    if kind == "a long TMPDIR":
        os.makedirs(wanted["TMPDIR"])

    def close():
        for number in closed:
            os.close(number)

    done = run(web, tmp_path, close, **wanted)
    assert done.returncode == 0 and len(done.stderr.splitlines()) <= 1, done.stderr
    assert verified(tmp_path / "c") == ""


def test_what_is_allowed_is_asked_for(monkeypatch):
    """Shells begin with 1,024 open files; the system mostly permits more."""
    asked = []
    monkeypatch.setattr(resource, "getrlimit", lambda what: (100, 5000))
    monkeypatch.setattr(resource, "setrlimit", lambda what, limits: asked.append(limits))
    limits.allow_files(workers=4, threads=16)
    assert asked == [(5000, 5000)]
    monkeypatch.setattr(resource, "getrlimit", lambda what: (100, 100))
    with pytest.raises(UsageError, match=r"only 100 files may be open at once, 160 are needed"):
        limits.allow_files(workers=4, threads=52)
