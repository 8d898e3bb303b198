"""A command is one file: what it declares, and that nothing else has to know it."""

import argparse
import re
import runpy
import shlex
import sys
from pathlib import Path

import pytest

from ttcrawl.cli import commands, main, parser
from ttcrawl.cli.command_line import parsed, with_parts
from ttcrawl.cli.configuration import overrides
from ttcrawl.config import read

ROOT = Path(__file__).parent.parent.parent

NEW = '''
"""`ttcrawl {name}`."""

SUMMARY = "greet a crawl"
IN_HELP = ("Tools", 99)
EXAMPLES = (("greet loudly", "{name} crawl-x --loud"),)


def options(command):
    command.add_argument("directory", metavar="DIR")
    command.add_argument("--loud", action="store_true", help="in capital letters")


def run(args):
    print("HELLO" if args.loud else "hello", args.directory)
    return 0
'''


@pytest.fixture
def new_command(tmp_path, monkeypatch):
    """Writes the file of a command, and returns its name."""
    monkeypatch.setattr(commands, "__path__", [*commands.__path__, str(tmp_path)])

    def write(module, name):
        (tmp_path / f"{module}.py").write_text(NEW.format(name=name))
        monkeypatch.delitem(sys.modules, f"ttcrawl.cli.commands.{module}", raising=False)
        return name

    return write


@pytest.mark.parametrize("name", commands.names())
def test_each_file_declares_a_command(name):
    command = commands.load(name)
    group, position = command.IN_HELP
    assert command.SUMMARY.strip() == command.SUMMARY and "\n" not in command.SUMMARY
    assert group in commands.GROUPS and position > 0
    declared = argparse.ArgumentParser()
    command.options(declared)
    assert callable(command.run) and len(declared.format_help()) > 100


def declared():
    """Each command and part, by its words."""
    return {each.prog: each for name in commands.names() for each in with_parts(parser(name).commands[name])}


@pytest.mark.parametrize("words", declared())
def test_everything_has_a_summary_in_one_line_and_an_example(words):
    each = declared()[words]
    assert each.description and each.examples
    assert all(action.help and "\n" not in action.help for action in each.actions)
    flags = {flag for action in each.actions for flag in action.option_strings}
    assert each.parts or {"--color", "--quiet", "-q"} <= flags


@pytest.mark.parametrize("words", declared())
def test_each_example_is_understood(words):
    for _, line in declared()[words].examples:
        options = parsed(shlex.split(line.partition(" > ")[0]))
        read(None, overrides(options) if hasattr(options, "set") else [])


@pytest.mark.parametrize("words", declared())
def test_the_options_of_a_long_command_stand_in_groups(words):
    titles = re.findall(r"^(\S.*):$", declared()[words].format_help(), re.MULTILINE)
    options = [each for each in declared()[words].actions if each.option_strings]
    assert len(options) <= 10 or len(titles) >= 5  # arguments, options, two groups, output, examples


def test_no_two_commands_have_the_same_position():
    positions = [commands.load(name).IN_HELP for name in commands.names()]
    assert len(set(positions)) == len(positions)


@pytest.mark.parametrize(
    ("words", "usage"),
    [
        (["help"], "usage: ttcrawl [OPTIONS]"),
        (["help", "report"], "usage: ttcrawl report"),
        (["help", "try", "url"], "usage: ttcrawl try url"),
        (["-V"], "ttcrawl "),
    ],
)
def test_help_of_a_command(capsys, words, usage):
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 0 and capsys.readouterr().out.startswith(usage)


#: Action of topic -> options that its help has, and options that it leaves to others.
OF_TOPIC = {
    "score": ("--terms --model --save --user-agent -c", "--relevant --precision --held-back"),
    "train": ("--relevant --learner --precision", "--terms --model --save --held-back --user-agent -c"),
    "label": ("--relevant --learner --model --save", "--terms --precision --held-back --user-agent -c"),
    "recall": ("--held-back", "--terms --model --relevant --user-agent -c"),
}


@pytest.mark.parametrize("action", OF_TOPIC)
@pytest.mark.parametrize("words", ["help topic {}", "topic {} crawl-x --help"])
def test_help_of_an_action_of_topic_has_its_own_options(capsys, action, words):
    with pytest.raises(SystemExit):
        main(words.format(action).split())
    text = capsys.readouterr().out
    shown, own, others = set(re.findall(r"(?<![\w-])-[\w-]+", text)), *map(str.split, OF_TOPIC[action])
    assert text.startswith(f"usage: ttcrawl topic [OPTIONS] {action} ")
    assert shown >= {*own, "--format", "--quiet"} and shown.isdisjoint(others)
    assert {line.split()[2] for line in text.splitlines() if line.startswith("  ttcrawl ")} == {action}


@pytest.mark.parametrize(("module", "name"), [("greet", "greet"), ("say_hello", "say-hello"), ("if_", "if")])
def test_a_new_command_is_one_file(new_command, capsys, module, name):
    """It is called, helped, guessed, and the last of its group."""
    new_command(module, name)
    assert main([name, "crawl-x", "--loud"]) == 0 and capsys.readouterr().out == "HELLO crawl-x\n"
    lines = parser().format_help().split("Tools:\n")[1].split("\n\n")[0].splitlines()
    assert lines[-1] == f"    {name:<12}greet a crawl"
    assert "in capital letters" in parser(name).commands[name].format_help()
    with pytest.raises(SystemExit):
        main([f"{name}x"])
    assert f"did you mean {name}?" in capsys.readouterr().err


def test_the_manual_has_a_new_command_after_make_reference(new_command):
    new_command("greet", "greet")
    reference = runpy.run_path(str(ROOT / "docs" / "reference.py"))
    manual = reference["commands"]((ROOT / "docs" / "commands.md").read_text())
    assert "| [`greet`](#ttcrawl-greet-dir) | greet a crawl |\n" in manual
    section = manual.split("### `ttcrawl greet DIR`\n")[1].split("## ")[0]
    table = "| option | meaning |\n|---|---|\n| `--loud` | in capital letters |\n\n"
    examples = "Examples:\n\n    # greet loudly\n    ttcrawl greet crawl-x --loud\n\n"
    assert section == f"\ngreet a crawl.\n\n{table}{examples}"
    assert reference["commands"](manual) == manual


def test_the_list_of_commands_has_a_line_for_each_in_80_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = parser().format_help().partition("\noptions:")[0].splitlines()
    assert [line.split()[0] for line in lines if line.startswith("    ")] == [
        name for members in commands.by_group().values() for name in members
    ]
