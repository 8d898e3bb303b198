"""Manual pages for man(1), made from the declarations of the commands."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ttcrawl import __version__
from ttcrawl.cli import commands
from ttcrawl.cli.command_line import DESCRIPTION, Parser, parser, with_parts

STATUS = (
    ("0", "Done."),
    ("1", "The crawl has failed, or what was looked for is wrong."),
    ("2", "Wrong usage or configuration."),
    ("3", "Stopped by a limit or the user, with work left."),
)

#: Columns that no usage reaches: it is one line.
WIDE = 10_000


def man_page(name: str = "") -> str:
    """Return the page of a command, or of ttcrawl itself, in the macros of man(7)."""
    return "\n".join(_of_command(name) if name else _of_all()) + "\n"


def _of_all() -> Iterator[str]:
    yield from _head("ttcrawl", DESCRIPTION[2:].rstrip("."))
    yield from (".SH SYNOPSIS", r".B ttcrawl", _text("COMMAND ..."))
    for group, members in commands.by_group().items():
        yield f".SH {group.upper()}"
        for name, command in members.items():
            yield from (".TP", rf"\fBttcrawl\-{_text(name)}\fR(1)", _text(_sentence(command.SUMMARY)))
    yield from _status()


def _of_command(name: str) -> Iterator[str]:
    declared = parser(name).commands[name]
    yield from _head(f"ttcrawl-{name}", declared.description or "")
    yield ".SH SYNOPSIS"
    yield from _usages(declared)
    for each in with_parts(declared):
        yield from _options(each)
    yield ".SH EXAMPLES"
    for about, line in declared.examples:
        yield from (_text(_sentence(about)), ".PP", ".RS 4", rf"\fB{_text(f'ttcrawl {line}')}\fR", ".RE", ".PP")
    yield from _status()
    yield from (".SH SEE ALSO", r"\fBttcrawl\fR(1)")


def _head(title: str, about: str) -> Iterator[str]:
    yield f'.TH {_text(title).upper()} 1 "" "ttcrawl {__version__}" "ttcrawl"'
    yield from (".SH NAME", rf"{_text(title)} \- {_text(about)}")


def _usages(declared: Parser) -> Iterator[str]:
    for each in with_parts(declared):
        formatter = argparse.HelpFormatter(each.prog, width=WIDE)
        formatter.add_usage(each.usage, each.actions, [], prefix="")
        yield from (_text(formatter.format_help().strip()), ".br")


def _options(declared: Parser) -> Iterator[str]:
    actions = [each for each in declared.actions if each.help != argparse.SUPPRESS]
    if shown := [each for each in actions if not isinstance(each, argparse._SubParsersAction)]:
        yield f".SH OPTIONS OF {_text(declared.prog).upper()}"
        for action in shown:
            yield from (".TP", _flags(action), _text(_sentence(_about(action))))


def _flags(action: argparse.Action) -> str:
    value = str(action.metavar or "|".join(map(str, action.choices or ())) or action.dest.upper())
    if not action.option_strings:
        return rf"\fI{_text(value)}\fR"
    names = ", ".join(rf"\fB{_text(each)}\fR" for each in action.option_strings)
    return names if action.nargs == 0 else rf"{names} \fI{_text(value)}\fR"


def _about(action: argparse.Action) -> str:
    return (action.help or "").replace("%%", "%")


def _status() -> Iterator[str]:
    yield ".SH EXIT STATUS"
    for number, meaning in STATUS:
        yield from (".TP", rf"\fB{number}\fR", meaning)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}." if text else "See docs/commands.md."


def _text(text: str) -> str:
    r"""Text that roff prints as it is, on one line.

    >>> _text(".x --y \\z")
    '\\&.x \\-\\-y \\ez'
    """
    escaped = " ".join(text.split()).replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped
