"""An index of Zebra after a kill of zebraidx: at moments that are made here, file by file."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.crawls import zebra
from tests.support.crawls.crawling import crawl
from tests.support.web.site import Web
from ttcrawl.cli import main
from ttcrawl.export.zebra import CHANGES
from ttcrawl.export.zebraidx import STEP

pytestmark = pytest.mark.slow


def note(index: Path, phase: str) -> None:
    (index / STEP).write_text(json.dumps({"phase": phase, "commits": 1}))


def state(index: Path, text: str) -> None:
    (index / "lock" / "state..LCK").write_text(text)


def cut_update(index: Path) -> None:
    """The shadow register is written by half."""
    note(index, "update")
    state(index, "d 1 1\n")
    for file in (index / "shadow").glob("recd*.mf"):
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def cut_update_without_state(index: Path) -> None:
    """Zebra empties the file of its state before it writes it."""
    cut_update(index)
    state(index, "")


def cut_commit(index: Path) -> None:
    """Half of the files are copied into the register."""
    note(index, "commit")
    _commit(index, lambda name: name < "isambC")
    state(index, "c 1 1\n")


def cut_commit_without_state(index: Path) -> None:
    cut_commit(index)
    state(index, "")


def cut_deletion(index: Path) -> None:
    """All is copied, and of the shadow register one file is deleted."""
    note(index, "commit")
    _commit(index, lambda name: True)
    (index / "shadow" / "dict-b-0.mf").unlink()


def cut_last_deletion(index: Path) -> None:
    cut_deletion(index)
    (index / "shadow" / "cache").unlink()


def cut_after_commit(index: Path) -> None:
    """The step is done, and the note of it is there still."""
    note(index, "commit")
    zebra.zebraidx(index, "commit")


def _commit(index: Path, copied: Callable[[str], bool]) -> None:
    """Commit, and put back the shadow register and the files of the register that are not `copied`."""
    before = index.with_name("before")
    shutil.copytree(index, before)
    zebra.zebraidx(index, "commit")
    shutil.copytree(before / "shadow", index / "shadow", dirs_exist_ok=True)
    for file in (before / "register").iterdir():
        if not copied(file.name):
            shutil.copy(file, index / "register")


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl, and an index that has its first pages, and all of them in its shadow register."""
    directory = tmp_path_factory.mktemp("zebra")
    with Web(zebra.chain()) as web:
        seed, options = web.url("a.test", "/"), ("--no-obey-delay", "--inline")
        assert crawl(web, seed, directory / "few", *options, "--max-pages", "9").status == 3
        assert crawl(web, seed, directory / "c", *options).status == 0
    for name in ("few", "c"):
        assert main(["export", str(directory / name), "--format", "alvis", "-o", str(directory / f"{name}.xml")]) == 0
    zebra.index(directory / "zebra", str(directory / "few.xml"))
    shutil.copy(directory / "c.xml", directory / "zebra" / CHANGES)
    zebra.zebraidx(directory / "zebra", "update", CHANGES)
    return directory


@pytest.mark.parametrize(
    "cut",
    [
        cut_update,
        cut_update_without_state,
        cut_commit,
        cut_commit_without_state,
        cut_deletion,
        cut_last_deletion,
        cut_after_commit,
    ],
)
def test_the_next_run_mends_the_index(crawled, tmp_path, cut):
    index = tmp_path / "zebra"
    shutil.copytree(crawled / "zebra", index)
    cut(index)
    assert main(["index", str(crawled / "c"), str(index)]) == 0
    assert zebra.is_complete(index, crawled / "c")
    assert not list((index / "shadow").iterdir()) and not (index / STEP).exists()
