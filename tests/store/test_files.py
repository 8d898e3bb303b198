"""Files that were saved: hostile names stay inside, nothing is written over by other bytes, nothing is half there."""

import os
from hashlib import blake2b
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.store.files import PART, Files, is_ours, path_of, remove_parts, saved_files
from ttcrawl.web.filename import file_name, marked_name

BODY = b"some bytes"
DIGEST = blake2b(BODY, digest_size=8).hexdigest()

PATHS = {  # (host, type, name) -> path, its digest left out
    "plain": (("a.test", "image/png", "logo.png"), "a.test/image-png/logo-*.png"),
    "port": (("a.test:8080", "image/png", "logo.png"), "a.test_8080/image-png/logo-*.png"),
    "address": (("[::1]:80", "image/png", "x"), "[__1]_80/image-png/x-*"),
    "no name": (("a.test", "image/png", ""), "a.test/image-png/_-*"),
    "no type": (("a.test", "", "x"), "a.test/unknown/x-*"),
    "upwards": (("../..", "../..", "../../etc/passwd"), "_/_/_.-*._etc_passwd"),
    "dots": (("..", "..", ".."), "_/_/_-*"),
    "percent": (("a.test", "%2e%2e/%2e", "%2e%2e%2f"), "a.test/%2e%2e-%2e/%2e%2e%2f-*"),
    "absolute": (("/", "/etc", "/etc/passwd"), "_/etc/_etc_passwd-*"),
    "Windows": (("c:\\", "a\\b", "C:\\x.exe"), "c__/a_b/C__x-*.exe"),
    "NUL": (("a\0", "b\0", "c\0.png"), "a_/b_/c_-*.png"),
    "device": (("con", "aux", "NUL.txt"), "_con/_aux/_NUL-*.txt"),
    "device of Windows that is a type": (("com1", "prn/x", "CON"), "_com1/prn-x/_CON-*"),
    "end that Windows cuts": (("a.test.", "x. ", "a.png. . "), "a.test/x/a-*.png"),
    "hidden": ((".a", ".b", ".htaccess"), "a/b/htaccess-*"),
    "an option": (("a", "b", "-rf"), "a/b/rf-*"),
    "unfinished": (("a", "b", ".part-0"), "a/b/part-0-*"),
    "direction": (("a", "b", "x\u202egpj.exe"), "a/b/x_gpj-*.exe"),
    "composed": (("a", "b", "e\u0301.png"), "a/b/\u00e9-*.png"),
    "surrogate": (("a", "b", "x\ud800.png"), "a/b/x_-*.png"),
    "long": (("a", "b", "x" * 4096 + ".jpeg"), f"a/b/{'x' * 233}-*.jpeg"),
    "long, of wide characters": (("a", "b", "\u20ac" * 4096), f"a/b/{'€' * 79}-*"),
    "a long extension": (("a", "b", "x." + "y" * 4096), f"a/b/x.{'y' * 236}-*"),
    "a long type": (("a", "x/" + "y" * 4096, "n"), f"a/x-{'y' * 253}/n-*"),
    "two extensions": (("a", "b", "x.tar.gz"), "a/b/x.tar-*.gz"),
}


@pytest.mark.parametrize(("given", "path"), PATHS.values(), ids=PATHS)
def test_paths(tmp_path, given, path):
    found = path_of(*given, BODY)
    assert found == path.replace("*", DIGEST)
    assert is_ours(found) and Files(tmp_path, 0, power=False).save(*given, BODY) == found
    assert (tmp_path / found).read_bytes() == BODY and list(saved_files(tmp_path)) == [found]


TEXTS = st.one_of(
    st.text(st.characters(), max_size=300), st.text("aA.-_ /\\\0con1\u0301\u202e\ud800€%2e:", max_size=300)
)


@pytest.mark.slow
@given(host=TEXTS, kind=TEXTS, name=TEXTS, body=st.binary(max_size=9))
def test_a_path_stays_inside_and_says_what_is_in_the_file(host, kind, name, body):
    path = path_of(host, kind, name, body)
    parts = path.split("/")
    assert is_ours(path) and len(parts) == 3 and os.path.normpath(path) == path
    assert all(0 < len(part.encode()) <= 255 and part == file_name(part) for part in parts)
    assert not any(part.startswith(PART) for part in parts)
    assert f"-{blake2b(body, digest_size=8).hexdigest()}" in parts[2]


@pytest.mark.slow
@given(name=TEXTS)
def test_a_mark_is_never_cut(name):
    assert "-0123456789abcdef" in marked_name(name, "-0123456789abcdef")


FOREIGN = [
    "",
    "..",
    "a/b",
    "a/b/c/d",
    "../b/c",
    "a/../c",
    "/a/b",
    "a//c",
    "a/b/.part-0",
    "a/b/c\0",
    "a\\b/c/d",
    "a/b/nul",
]


@pytest.mark.parametrize("path", FOREIGN)
def test_paths_that_are_none_of_ours(path):
    assert not is_ours(path)


def test_nothing_takes_the_place_of_other_bytes(tmp_path):
    files = Files(tmp_path, 0, power=True)
    saved = {}
    for name in ("logo.png", "LOGO.PNG", "Logo.png", "../logo.png", "logo.png."):
        for body in (b"one", b"two", b""):
            saved[files.save("a.test", "image/png", name, body)] = body
    assert {path: (tmp_path / path).read_bytes() for path in saved_files(tmp_path)} == saved
    assert len({path.casefold() for path in saved}) == 6  # where case does not tell, the bytes are equal


def test_the_same_file_is_written_again_after_a_kill(tmp_path):
    path = Files(tmp_path, 0, power=False).save("a.test", "image/png", "x.png", BODY)
    (tmp_path / f"{PART}0").write_bytes(b"longer than what comes next")
    (tmp_path / f"{PART}7").write_bytes(b"of a process that there is no more")
    assert Files(tmp_path, 0, power=False).save("a.test", "image/png", "x.png", BODY) == path
    assert (tmp_path / path).read_bytes() == BODY and list(saved_files(tmp_path)) == [path]
    remove_parts(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["a.test"]


def test_what_cannot_be_written_says_where(tmp_path):
    (tmp_path / "a.test").write_text("a file in the way")
    with pytest.raises(OSError) as raised:
        Files(tmp_path, 0, power=False).save("a.test", "image/png", "x.png", BODY)
    assert Path(raised.value.filename).parent == tmp_path / "a.test" / "image-png"
