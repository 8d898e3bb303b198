"""Where the lines of a key stand, as configparser reads them."""

import configparser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.config import Config, ConfigError, HostSection, Line, Lines, example, read
from ttcrawl.config.lines import key_lines

TEXT = """# head

[scope]
rules = exclude *.pdf
    # why
  allow path:/x = y: z

    exclude *
max_url = 30
[host:A.test]
delay: 2.5
RULES:
	allow *
; the end
"""


def test_every_line_has_its_number():
    found = key_lines(TEXT, "my.ini")
    numbers = {place: [(line.number, line.text) for line in lines] for place, lines in found.items()}
    assert numbers == {
        ("scope", ""): [(3, "[scope]")],
        ("host:A.test", ""): [(10, "[host:A.test]")],
        ("scope", "rules"): [(4, "exclude *.pdf"), (6, "allow path:/x = y: z"), (8, "exclude *")],
        ("scope", "max_url"): [(9, "30")],
        ("host:A.test", "delay"): [(11, "2.5")],
        ("host:A.test", "rules"): [(13, "allow *")],
    }


PARTS = [
    "[s]",
    "[t]",
    "a = 1",
    "b: x = y",
    "B=",
    "c",
    " deep",
    "    deeper = 1",
    "\t[u]",
    "# no",
    "  ; no",
    "",
    "  ",
    "a b = c",
]


@pytest.mark.slow
@given(st.lists(st.sampled_from(PARTS), max_size=12))
def test_it_reads_as_configparser_does(parts):
    text = "\n".join(parts)
    parser = configparser.ConfigParser(interpolation=None, default_section="\0", inline_comment_prefixes=None)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    expected = {
        (section, key): [line for line in map(str.strip, value.split("\n")) if line]
        for section in parser.sections()
        for key, value in parser[section].items()
    }
    expected |= {(section, ""): [f"[{section}]"] for section in parser.sections()}
    found = key_lines(text, "my.ini")
    assert {place: [line.text for line in lines] for place, lines in found.items()} == expected
    assert all(parts[line.number - 1].endswith(line.text) for lines in found.values() for line in lines)


def test_rules_and_hosts_survive_being_written_and_read(tmp_path):
    (tmp_path / "my.ini").write_text(TEXT)
    chosen = read(tmp_path / "my.ini", [("scope.blacklist", "*/x\n# no\n*/y"), ("host:b.test.max_depth", "3")])
    assert chosen.hosts == (
        HostSection(name="a.test", rules=Lines([Line(text="allow *")]), delay=2.5),
        HostSection(name="b.test", max_depth=3),
    )
    assert [line.position for line in chosen.scope.rules] == [f"{tmp_path}/my.ini, line {n}" for n in (4, 6, 8)]
    assert [(line.text, line.position) for line in chosen.scope.blacklist] == [
        ("*/x", "--set scope.blacklist"),
        ("*/y", "--set scope.blacklist"),
    ]
    (tmp_path / "config.ini").write_text(example(chosen))
    again = read(tmp_path / "config.ini")
    assert again == chosen != Config()
    (line,) = again.hosts[0].rules
    assert example(chosen).split("\n")[line.number - 1].strip() == line.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[host:a.test]\nscope = any\n", "its keys are rules, max_depth, delay"),
        ("[host:a.test]\nname = b.test\n", "no key 'name'"),
        ("[host:a.test]\ndelay = soon\n", "[host:a.test] delay = soon: write a number"),
        ("[hosts]\n", "host:NAME"),
    ],
)
def test_what_is_refused(tmp_path, text, said):
    (tmp_path / "my.ini").write_text(text)
    with pytest.raises(ConfigError) as refused:
        read(tmp_path / "my.ini")
    assert said in str(refused.value) and "\n" not in str(refused.value)
