"""What lies in a crawl directory and is not of the crawl is left alone, and what a link leads to outside of it too."""

import gzip
import os
import shutil
import signal

import pytest

from tests.support.crawls.crawling import Crawled, crawl, options_for, verified
from tests.support.crawls.preforked import run
from tests.support.faults.killing import processes, start, until
from tests.support.web.mesh import mesh
from tests.support.web.site import Web
from ttcrawl.ring.position import series_and_number, with_number

HOSTS = ["a.test", "b.test"]
OPTIONS = ("--no-obey-delay", "--scope", "any", "--parsers", "2", "--set", "store.warc_size=20k")


@pytest.fixture(scope="module")
def web():
    with Web(mesh(HOSTS, 40, seed=31)) as serving:
        yield serving


@pytest.fixture(scope="module")
def half(web, tmp_path_factory):
    """A crawl that stopped with work left."""
    place = tmp_path_factory.mktemp("half") / "c"
    assert crawl(web, web.url(HOSTS[0], "/"), place, *OPTIONS, "--max-pages", "30").status == 3
    return place


@pytest.fixture
def place(half, tmp_path):
    shutil.copytree(half, tmp_path / "c")
    (tmp_path / "out").mkdir()
    return tmp_path / "c"


def resume(place):
    return run("resume", place, "--max-pages", "0", "--progress", "none")


def contents(directory):
    return {str(path): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def another(place, name):
    """A WARC file that this crawl has not made under this name."""
    path = place / "warc" / name
    shutil.copy(max((place / "warc").glob("c-*"), key=lambda each: each.stat().st_size), path)
    return path


def following(place):
    """The name of the file that a series of this run would have begun next."""
    names = [path.name for path in (place / "warc").glob("c-*") if series_and_number(path.name)[0] == 0]
    return with_number(names[0], max(series_and_number(name)[1] for name in names) + 1)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("old.warc.gz", "file"),
        ("ttcrawl-7-00000.warc.gz", "link"),
        (following, "file"),
        *(
            pytest.param(name, kind, marks=pytest.mark.slow)
            for name, kinds in (
                ("old.warc.gz", ("link", "directory")),
                ("ttcrawl-7-00000.warc.gz", ("file", "directory")),
                (following, ("link", "directory")),
            )
            for kind in kinds
        ),
    ],
)
def test_files_of_others_in_the_archive(tmp_path, place, kind, name):
    name = name(place) if callable(name) else name
    mine = place / "warc" / name
    other = another(place, name) if kind != "directory" else mine
    if kind == "link":
        other = other.rename(tmp_path / "out" / "kept")
        mine.symlink_to(other)
    elif kind == "directory":
        mine.mkdir()
    before = None if kind == "directory" else other.read_bytes()
    done = resume(place)
    assert done.returncode == 0, done.stderr
    said = [line for line in done.stderr.splitlines() if "are not changed" in line]
    assert len(said) == 1 and name in said[0]
    assert mine.is_symlink() == (kind == "link") and mine.is_dir() == (kind == "directory")
    assert before is None or other.read_bytes() == before
    shutil.move(mine, tmp_path / "aside")
    assert verified(place) == ""


@pytest.mark.parametrize("how", ["resume", "repair"])
def test_a_file_of_the_archive_that_is_a_link_is_not_written_to(tmp_path, place, how):
    mine = min((place / "warc").glob("c-*"))
    out = shutil.move(mine, tmp_path / "out")
    mine.symlink_to(out)
    with open(out, "ab") as file:
        file.write(b"a tail that the tables do not speak of")
    before = contents(tmp_path / "out"), contents(place / "warc")
    done = resume(place) if how == "resume" else run("verify", place, "--repair")
    assert done.returncode in (1, 2) and len(done.stderr.splitlines()) == 1
    assert "is a symbolic link, which is not followed" in done.stderr
    assert (contents(tmp_path / "out"), contents(place / "warc")) == before
    assert "archive: a file is a symbolic link" in run("verify", place).stdout


@pytest.mark.slow
def test_warc_and_files_on_another_disk(tmp_path, place):
    """A link for one of the directories as a whole is the user's wish."""
    for name in ("warc", "files"):
        (place / name).mkdir(exist_ok=True)
        shutil.move(place / name, tmp_path / "out" / name)
        (place / name).symlink_to(tmp_path / "out" / name)
    done = resume(place)
    assert done.returncode == 0 and "are not changed" not in done.stderr, done.stderr
    assert (place / "warc").is_symlink() and verified(place) == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["crawl.db", "lock", "config.ini.new", "report.txt", "files/.part-0"])
def test_links_where_we_write(tmp_path, place, name):
    target = tmp_path / "out" / "kept"
    if (place / name).exists():
        shutil.move(place / name, target)
    else:
        target.write_text("mine")
    (place / name).parent.mkdir(exist_ok=True)
    (place / name).symlink_to(target)
    before = target.read_bytes()
    done = run("resume", place, "--max-pages", "0", "--progress", "none", "--set", "files.save=yes")
    assert target.read_bytes() == before
    if done.returncode:
        assert "is a symbolic link, which is not followed" in done.stderr and len(done.stderr.splitlines()) == 1
    assert bool(done.returncode) == (name in ("crawl.db", "lock"))


@pytest.mark.slow
def test_unfinished_files_of_others(place):
    (place / "files").mkdir()
    for name in (".part-0", ".part-mine", ".part-1.bak"):
        (place / "files" / name).write_text("unfinished")
    assert resume(place).returncode == 0
    assert {path.name for path in (place / "files").iterdir()} == {".part-mine", ".part-1.bak"}


@pytest.mark.slow
def test_what_a_killed_run_made_is_removed(tmp_path, web):
    """Files that the tables never spoke of: else its pages would be in the archive twice."""
    slow = ("--set", "store.commit_seconds=60", "--set", "store.commit_pages=1000", "--set", "store.warc_size=2k")
    options = (*OPTIONS[:-2], *slow, *options_for(web))
    process = start(tmp_path, "crawl", web.url(HOSTS[0], "/"), "-d", tmp_path / "c", *options)
    until(lambda: len(list((tmp_path / "c").glob("warc/*"))) > 4)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    until(lambda: not any(processes(process.pid).values()))
    torn = tmp_path / "c" / "warc" / "ttcrawl-1-00099.warc.gz"
    torn.touch()  # a process that was killed before it wrote a byte
    mine = tmp_path / "c" / "warc" / "ttcrawl-0-00098.warc.gz"
    mine.write_bytes(gzip.compress(b"WARC/1.1\r\nWARC-Type: warcinfo\r\n\r\nsoftware: another\r\n"))
    done = resume(tmp_path / "c")
    assert done.returncode == 0 and done.stderr.count("are not changed") == 1 and mine.exists() and not torn.exists()
    mine.unlink()
    known = Crawled(status=0, out="", err="", directory=tmp_path / "c").query("SELECT file FROM archive")
    named = {path.name for path in (tmp_path / "c" / "warc").iterdir()}
    assert {name for (name,) in known} == named
    assert verified(tmp_path / "c") == ""
