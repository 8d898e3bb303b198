"""Any text becomes a sound file name: the table of what is forbidden, and properties that hold for all texts."""

import re
import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ttcrawl.engine.run.directory import new_directory
from ttcrawl.web.filename import file_name
from ttcrawl.web.url import canonical

NAMES = {
    "as it is": ("report 2.tar.gz", "report 2.tar.gz"),
    "no letter of ASCII": ("größe-日本.html", "größe-日本.html"),
    "nothing": ("", "_"),
    "dots": ("..", "_"),
    "one dot": (".", "_"),
    "spaces and dots": (" . . ", "_"),
    "a path upwards": ("../../etc/passwd", "_.._etc_passwd"),
    "a path of Windows": ("C:\\x\\y", "C__x_y"),
    "hidden": (".bashrc", "bashrc"),
    "an option": ("--rf", "rf"),
    "end that Windows cuts": ("a. . ", "a"),
    "wildcards, quotes, pipes": ('a*?"<>|b', "a______b"),
    "controls": ("a\x00b\x1b[2Jc\nd\x7fe\x85f", "a_b_[2Jc_d_e_f"),
    "the other direction": ("a\u202egnp.exe", "a_gnp.exe"),
    "no width": ("a\u200bb\u2060c\ufeffd\u034fe\ufe0ff", "a_b_c_d_e_f"),
    "lines and paragraphs": ("a\u2028b\u2029c", "a_b_c"),
    "other spaces": ("a\u00a0b\u3000c", "a b c"),
    "a lone surrogate": ("a\ud800b", "a_b"),
    "private and unassigned": ("a\ue000b\uffffc", "a_b_c"),
    "composed": ("e\u0301", "\u00e9"),
    "a device": ("CON", "_CON"),
    "a device with extensions": ("aux.tar.gz", "_aux.tar.gz"),
    "a device and a space": ("nul .txt", "_nul .txt"),
    "a device with a digit": ("Com1.txt", "_Com1.txt"),
    "a device with a superscript": ("lpt\u00b2", "_lpt\u00b2"),
    "a device behind a dot": (".con", "_con"),
    "no device": ("console.com10", "console.com10"),
    "long": ("x" * 300, "x" * 255),
    "long, with an extension": ("x" * 300 + ".html", "x" * 250 + ".html"),
    "very long, with an extension": ("x" * 100_000 + ".html", "x" * 250 + ".html"),
    "long, with no extension": ("x." + "y" * 300, "x." + "y" * 253),
    "cut between characters": ("\u20ac" * 100 + ".gz", "\u20ac" * 84 + ".gz"),
    "cut at a dot": ("x" * 254 + "." + "y" * 50, "x" * 254),
}


@pytest.mark.parametrize(("text", "name"), NAMES.values(), ids=NAMES)
def test_names(text, name):
    assert file_name(text) == name


TAKEN = {
    "free": ("a.html", ["b.html"], "a.html"),
    "the same": ("a.html", ["a.html"], "a-2.html"),
    "by case": ("A.html", ["a.HTML"], "A-2.html"),
    "more than one": ("a", ["A", "a-2", "A-3"], "a-4"),
    "by composition": ("\u00e9", ["E\u0301"], "\u00e9-2"),
    "by folding": ("stra\u00dfe", ["STRASSE"], "stra\u00dfe-2"),
    "what stands for nothing": ("..", ["_"], "_-2"),
    "with no room": ("x" * 300 + ".gz", ["X" * 252 + ".gz"], "x" * 250 + "-2.gz"),
    "a device": ("con", ["_CON"], "_con-2"),
}


@pytest.mark.parametrize(("text", "taken", "name"), TAKEN.values(), ids=TAKEN)
def test_names_that_are_taken(text, taken, name):
    assert file_name(text, taken) == name


TEXTS = st.one_of(
    st.text(st.characters(), max_size=400),
    st.text("aA.-_ /\\\0con1\u0301\u00e9\u202e\u200d\ufe0f\ud800\u20ac", max_size=400),
)


@given(TEXTS)
@example("\u0344" * 300)  # grows when it is normalized
@example("\u212a")  # a letter of ASCII, once it is normalized
@example("\u1fef\u037e\u226e")
def test_a_name_is_sound(text):
    name = file_name(text)
    assert 0 < len(name.encode()) <= 255
    assert file_name(name) == name == unicodedata.normalize("NFC", name)
    assert not re.search(r'[/\\:*?"<>|\x00-\x1f]', name) and name[0] not in " .-" and name[-1] not in " ."
    assert not {unicodedata.category(each) for each in name} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert Path(name).name == name and Path("d", name).parts == ("d", name)


@given(st.lists(TEXTS, max_size=12))
def test_names_are_distinct(texts):
    taken = []
    for text in texts:
        taken.append(file_name(text, taken))
        assert len(taken[-1].encode()) <= 255 and file_name(taken[-1]) == taken[-1]
    for fold in (str.casefold, str.upper, str.lower):
        assert len({fold(unicodedata.normalize("NFD", name)) for name in taken}) == len(taken)


def test_a_file_of_every_name(tmp_path):
    @given(TEXTS)
    def there(text):
        path = tmp_path / file_name(text)
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        assert path.parent == tmp_path and path.name in {each.name for each in tmp_path.iterdir()}
        path.unlink()

    there()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["a", ".", "/", "\u0301", "\u0301\u0316", "\u202e", "a."])
def test_long_texts_cost_nothing(text):
    began = time.process_time()
    file_name(text * 3_000_000)
    assert time.process_time() - began < 0.5


HOSTS = {
    "http://a.test/": "crawl-a.test",
    "http://a.test:8080/": "crawl-a.test-8080",
    "https://bücher.example/": "crawl-xn--bcher-kva.example",
    "http://[::1]/": "crawl-_--1_",
    "http://[2001:DB8::1]:81/": "crawl-_2001-db8--1_-81",
    "http://127.1/": "crawl-127.0.0.1",
    "http://a.test./": "crawl-a.test",
    "http://con/": "crawl-con",
    "http://user:pass@a.test/../../etc": "crawl-a.test",
    "http://*.a.test/": "crawl-_.a.test",
    "http://" + "a" * 63 + ("." + "b" * 63) * 3 + ".test:8080/": None,
}


@pytest.mark.parametrize(("seed", "name"), HOSTS.items())
def test_hostile_hosts_have_sound_directories(tmp_path, monkeypatch, seed, name):
    monkeypatch.chdir(tmp_path)
    for number in ("", "-2", "-3"):
        directory = new_directory(canonical(seed))
        directory.mkdir()
        assert str(directory) == directory.name and directory.name.startswith("crawl-")
        assert name is None or directory.name == name + number
        assert file_name(directory.name) == directory.name
    assert len(list(tmp_path.iterdir())) == 3
