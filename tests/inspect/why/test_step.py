"""--apply and --save change config.ini and crawl.db in one step, wherever they are interrupted."""

from __future__ import annotations

import resource
import shutil
import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.cases import some_fast
from tests.support.crawls.crawl_db import crawl_of
from tests.support.crawls.crawling import command
from tests.support.faults.killed_at import killed_at
from ttcrawl.cli import main
from ttcrawl.config import example
from ttcrawl.snapshot.snapshot import view
from ttcrawl.store.lock import Lock

URL = "http://a.test/{}".format
RULE = "exclude path:/9"
APPLY = ("why", "c", "--as-if", "exclude=path:/9", "--apply")
SAVE = ("topic", "score", "c", "--terms", "terms", "--save")
COMMANDS = {"apply": APPLY, "save": SAVE}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stopped crawl with much in its queue, in `c`, and a list of terms."""
    top = tmp_path_factory.mktemp("made")
    crawl_of(top / "c", {URL(0): [URL(number) for number in range(1, 1500)]})
    with closing(sqlite3.connect(top / "c" / "crawl.db")) as db, db:
        db.execute("INSERT INTO crawl VALUES ('seeds', ?)", (URL(0),))
    (top / "c" / "config.ini").write_text(example())
    (top / "terms").write_text("10: drosera=CP\n")
    return top


@pytest.fixture
def top(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(shutil.copytree(made, tmp_path / "top"))
    return tmp_path / "top"


def state(top: Path) -> tuple[bool, bool]:
    """Whether the configuration that readers see is the new one, and whether the rows are."""
    with view(top / "c") as db:
        config = db.config
        (refused,) = db.execute("SELECT count(*) FROM url WHERE reason = 'scope: rule'").fetchone()
        scored = db.settings.get("topical")
    return RULE in str(config.scope.rules) or config.topic.on, bool(refused or scored)


def files(top: Path) -> set[str]:
    """Names in the crawl directory, without those that SQLite and every command make."""
    return {path.name for path in (top / "c").rglob("*")} - {"lock", "crawl.db-wal", "crawl.db-shm", "crawl.db-journal"}


def whole(top: Path) -> None:
    assert state(top) == (True, True)
    assert not any(".next" in name or ".new" in name for name in files(top))


def test_done_twice(top: Path) -> None:
    for _ in range(2):
        assert main(list(APPLY)) == 0
        whole(top)
        assert (top / "c" / "config.ini").read_text().count(RULE) == 1


STEPS = [
    pytest.param(APPLY, "os.rename:1", id="apply rename 1"),
    pytest.param(SAVE, "os.rename:4", id="save rename 4"),
    pytest.param(APPLY, "sql:30", id="apply sql"),
    pytest.param(APPLY, "os.rename:2", marks=pytest.mark.slow, id="apply rename 2"),
    *(
        pytest.param(SAVE, f"os.rename:{number}", marks=pytest.mark.slow, id=f"save rename {number}")
        for number in range(1, 4)
    ),
    *(
        pytest.param(words, f"{kind}:{number}", marks=pytest.mark.slow, id=f"{name} {kind} {number}")
        for name, words in COMMANDS.items()
        for kind, numbers in {"open": range(1, 30, 2), "sql": range(2, 90, 8)}.items()
        for number in numbers
    ),
]


@pytest.mark.parametrize(("words", "step"), STEPS)
def test_killed(top: Path, words: tuple[str, ...], step: str) -> None:
    """Readers see both changes, or none; the next run completes them."""
    assert killed_at(step, "c", *words) in (-signal.SIGKILL, 0)
    configured, decided = state(top)
    assert configured == decided
    assert main(list(words)) == 0
    whole(top)


@pytest.mark.parametrize(
    ("words", "room"),
    [
        pytest.param(APPLY, 4 << 10, marks=pytest.mark.slow, id="apply"),
        pytest.param(SAVE, 4 << 10, marks=pytest.mark.slow, id="save"),
        pytest.param(APPLY, 96 << 10, marks=pytest.mark.slow, id="for no rows"),
    ],
)
def test_no_room(top: Path, words: tuple[str, ...], room: int) -> None:
    """What is said is true: nothing has changed, and no file is left."""
    before, names = (top / "c" / "config.ini").read_text(), files(top)
    done = subprocess.run(
        command(*words),
        **{"cwd": top, "capture_output": True, "text": True, "timeout": 100},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
    assert "c/config.ini" in done.stderr or "nothing in it has changed" in done.stderr
    assert state(top) == (False, False) and (top / "c" / "config.ini").read_text() == before
    # a limit on the size of files keeps SQLite from rolling back too, until the next run
    assert files(top) - {"topic", "config.ini.next" if "SQL" in done.stderr or "I/O" in done.stderr else ""} == names
    assert main(list(words)) == 0
    whole(top)


def test_not_during_a_crawl(top: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(Lock(top / "c")):
        assert main(list(APPLY)) == 2
    assert "is being crawled by process" in capsys.readouterr().err and state(top) == (False, False)


@pytest.mark.slow
def test_two_at_once(top: Path) -> None:
    both = [subprocess.Popen(command(*APPLY), cwd=top, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    assert {each.wait(100) for each in both} <= {0, 2}
    whole(top)
    assert (top / "c" / "config.ini").read_text().count(RULE) == 1


#: Commands that change a stopped crawl; `verify` finds that the sample has no archive.
OTHERS = {"requeue": ("requeue", "c", "--state", "failed"), "verify": ("verify", "c", "--repair")}


@pytest.mark.parametrize("committed", [True, False])
@pytest.mark.parametrize("other", some_fast(OTHERS, "requeue"))
def test_a_step_that_another_command_completes(top: Path, committed: bool, other: str) -> None:
    assert killed_at(f"os.rename:{1 + committed}", "c", *APPLY) == -signal.SIGKILL
    assert RULE not in (top / "c" / "config.ini").read_text()
    assert main(list(OTHERS[other])) == (other == "verify")
    assert state(top) == (committed, committed)
    assert (RULE in (top / "c" / "config.ini").read_text()) == committed
    assert "config.ini.next" not in files(top)
