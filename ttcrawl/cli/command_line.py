"""The line that a user has typed: which command, with what. The commands are in `commands/`."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from ttcrawl import __version__
from ttcrawl.cli import commands
from ttcrawl.cli.arguments import OF_ALL, output_options
from ttcrawl.errors import USAGE, did_you_mean
from ttcrawl.output.colour import BOLD, RED, painted, painted_help
from ttcrawl.output.shell import command_line
from ttcrawl.output.untrusted import escape_untrusted

DESCRIPTION = "A polite crawler for people who study, archive or search the web."


EXAMPLES = (
    ("crawl a site into the directory crawl-example.org", "crawl example.org --max-pages 1000"),
    ("its statistics; plot draws them", "report crawl-example.org"),
    ("why was this URL fetched, or not?", "why crawl-example.org https://example.org/a.pdf"),
)


#: Words of earlier versions, which still work.
OLD_WORDS = {
    "url": ("try", "url"),
    "robots": ("try", "robots"),
    "scope": ("try", "scope"),
    "recycle": ("requeue", "--recorded"),
    "tune-duplicates": ("duplicates", "--tune"),
}


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """The parsed command line. URLs may stand on both sides of an option, which argparse does not support here."""
    words = _in_words_of_today(_without_help(_command_first(list(arguments))))
    top = parser(next((word for word in words if not word.startswith("-")), "none"))
    if not words:
        top.print_help()
        top.exit(USAGE)
    if words[0].startswith("-") and words[0].partition("=")[0] not in top.options:
        top.error(f"there is no option {words[0]} before a command{_instead(words[0], top.options)}")
    if not words[0].startswith("-") and words[0] not in top.commands:
        top.error(f"there is no command {words[0]}{_command_instead(words, top.commands)}")
    options, more = top.parse_known_args(words)
    many = next((name for name in ("urls", "seeds", "others", "functions") if hasattr(options, name)), "")
    if wrong := [each for each in more if not many or each.startswith("-")]:
        names = re.findall(r"(?<!\w)--[\w-]+", options.command.format_help())
        options.command.error(f"unrecognized arguments: {' '.join(more)}{_all_instead(wrong, names)}")
    if more:
        setattr(options, many, [*getattr(options, many), *more])
    return options


def _command_first(words: list[str]) -> list[str]:
    """Move options of all commands that stand before the command behind its words.

    >>> _command_first(["--color", "never", "-q", "search", "DIR", "--", "-1"])
    ['search', 'DIR', '--color', 'never', '-q', '--', '-1']
    """
    count = 0
    while words[count:] and words[count].partition("=")[0] in OF_ALL:
        count += 1 + (words[count] == "--color")
    moved, rest = words[:count], words[count:]
    end = rest.index("--") if "--" in rest else len(rest)
    return [*rest[:end], *moved, *rest[end:]] if rest else []


def _without_help(words: list[str]) -> list[str]:
    """`help COMMAND` is COMMAND --help, and `help` alone is the list of commands."""
    return [*words[1:], "--help"] if words[:1] == ["help"] else words


#: Commands to which the directory of a cluster is given as that of a crawl.
OF_CLUSTERS = ("requeue", "delete", "read", "why", "topic", "mirror")


def _in_words_of_today(words: list[str]) -> list[str]:
    """Replace a word of an earlier version, or one that is not needed, and say so."""
    if words[:1] == ["cluster"] and words[1:2] and words[1] in OF_CLUSTERS:
        print(f"ttcrawl: ttcrawl {words[1]} takes the directory of a cluster too, without cluster", file=sys.stderr)
        return words[1:]
    if not words or words[0] not in OLD_WORDS:
        return words
    new = OLD_WORDS[words[0]]
    print(f"ttcrawl: {words[0]} is called {' '.join(new)} now", file=sys.stderr)
    return [*new, *words[1:]]


#: What a newcomer types, or another crawler has -> the command here.
COMMANDS = {
    **dict.fromkeys(("fetch", "get", "download", "spider", "start", "run", "begin", "scrape", "mirror-site"), "crawl"),
    **dict.fromkeys(("continue", "restart"), "resume"),
    **dict.fromkeys(("stats", "statistics", "summary"), "report"),
    **dict.fromkeys(("info", "ls", "list", "show"), "status"),
    **dict.fromkeys(("update", "refresh", "revisit"), "recrawl"),
    **dict.fromkeys(("explain",), "why"),
    **dict.fromkeys(("shell", "cat"), "page"),
    **dict.fromkeys(("ui", "gui", "web", "dashboard", "browse", "open"), "view"),
    **dict.fromkeys(("version",), "--version"),
}


def _command_instead(words: Sequence[str], commands: Collection[str]) -> str:
    """Return a hint to the command that was meant, where a URL, a directory or a word of other programs stands."""
    from ttcrawl.web.scheme import with_scheme  # only a wrong command needs them
    from ttcrawl.web.url import canonical

    word = words[0]
    if os.path.isdir(word):
        status, report = (command_line(each, Path(word)) for each in ("status", "report"))
        return f" (it is a directory: did you mean {status}, or {report}?)"
    if canonical(word) or with_scheme(word, canonical):
        return f" (did you mean {command_line('crawl', word)}?)"
    if instead := COMMANDS.get(word.lower()):
        return f" (did you mean {instead}?)"
    return did_you_mean(word, commands)


def _all_instead(wrong: Sequence[str], names: Collection[str]) -> str:
    """Return a hint for each wrong option; with several, each is named."""
    options = dict.fromkeys(each.partition("=")[0] for each in wrong)
    hints = {each: hint for each in options if (hint := _instead(each, names))}
    if len(options) == 1:
        return "".join(hints.values())
    return "".join(f"; {each}{hint}" for each, hint in hints.items())


def _instead(wrong: str, names: Collection[str]) -> str:
    """Return a hint to what a wrong option may have meant: of another crawler, a key of its name, or one like it."""
    from ttcrawl.config import option_instead  # only a wrong command needs the configuration

    return (option_instead(wrong, "--set {}=VALUE") if "--set" in names else "") or did_you_mean(wrong, names)


#: Choices that an error lists.
MANY = 16


class Parser(argparse.ArgumentParser):
    """Reports a wrong command in one line, like all errors."""

    commands: Mapping[str, Parser] = {}
    examples: Sequence[tuple[str, str]] = ()

    def __init__(self, *names: Any, **about: Any) -> None:
        super().__init__(*names, **about)
        self._positionals.title = "arguments"

    def format_help(self) -> str:
        """Without the options in the first line, because they follow in groups; examples are the end."""
        words = [each for each in self._actions if not each.option_strings]
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, words, [])
        usage = formatter.format_help().strip().replace(self.prog, f"{self.prog} [OPTIONS]", 1)
        _, _, rest = super().format_help().partition("\n\n")
        shown = "".join(f"  # {about}\n  ttcrawl {line}\n" for about, line in self.examples)
        return f"{usage}\n\n{rest}" + (f"\nexamples:\n{shown}" if shown else "")

    def print_help(self, file: Any = None) -> None:
        """With headings and options in bold, on a terminal. Raises OSError, which argparse would swallow."""
        stream = file or sys.stdout
        stream.write(painted_help(self.format_help(), stream))

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Raises OSError if help or version cannot be written."""
        sys.stdout.flush()
        super().exit(status, message)

    @property
    def parts(self) -> Mapping[str, Parser]:
        """Those that its help lists."""
        action = next((each for each in self._actions if isinstance(each, argparse._SubParsersAction)), None)
        return action.choices if action else {}

    @property
    def options(self) -> Collection[str]:
        return self._option_string_actions

    @property
    def actions(self) -> Sequence[argparse.Action]:
        """Its options, and words without a dash, as they were declared."""
        return self._actions

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """Name the nearest of the choices, and all of them if they fit a line."""
        if action.choices is None or value in action.choices:
            return
        names = list(map(str, action.choices))
        listed = f"; choose from {', '.join(names)}" if len(names) <= MANY else ""
        raise argparse.ArgumentError(action, f"invalid choice: {value!r}{did_you_mean(str(value), names)}{listed}")

    def error(self, message: str) -> NoReturn:
        from ttcrawl.store.nearby import nearby_crawls  # only a wrong command needs it

        message = re.sub(r"invalid int value: (.*)", r"\1 is not a whole number", message.removeprefix("argument "))
        hint = nearby_crawls() if re.search(r"required: .*\bDIR\b", message) else ""
        start = painted("ttcrawl:", BOLD + RED, sys.stderr)
        self.exit(USAGE, f"{start} {escape_untrusted(message + hint)}: see {self.prog} --help\n")


class _Version(argparse.Action):
    """Prints the version and who reads pages. The compiled reader is loaded for this option only."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="print the version, and who reads pages")

    def __call__(self, parser: argparse.ArgumentParser, *arguments: object) -> NoReturn:
        from ttcrawl.core import reader

        print(f"ttcrawl {__version__}\nreader: {reader()}")
        parser.exit()


class _Top(Parser):
    """Lists the commands by group where its help is wanted: for that, the files of all commands are read."""

    def format_help(self) -> str:
        width = shutil.get_terminal_size().columns - 2
        lines = [DESCRIPTION, "ttcrawl help COMMAND has the options of a command, and examples."]
        for group, members in commands.by_group().items():
            lines += ["", f"{group}:"]
            for name, command in members.items():
                lines.append(textwrap.fill(f"    {name:<12}{command.SUMMARY}", width, subsequent_indent=" " * 16))
        self.description = "\n".join(lines)
        return super().format_help()


def parser(only: str = "") -> Parser:
    """All commands with their options, or one alone: to read all files takes longer than to read a line. If `only` is
    not a command, the names of all, for an error."""
    usage, form = "%(prog)s COMMAND ...", argparse.RawDescriptionHelpFormatter
    top = _Top(prog="ttcrawl", usage=usage, description=DESCRIPTION, formatter_class=form)
    top.examples = EXAMPLES
    top.add_argument("-V", "--version", action=_Version)
    output_options(top)
    hidden = argparse.SUPPRESS  # the description lists them
    actions = top.add_subparsers(prog=top.prog, metavar="COMMAND", required=True, help=hidden, parser_class=Parser)
    top.commands = actions.choices
    names = commands.names()
    for name in [only] if only in names else names:
        parser_of_command = actions.add_parser(name)
        if only in ("", name):
            command = commands.load(name)
            parser_of_command.description = command.SUMMARY
            parser_of_command.set_defaults(run=command.run, command=parser_of_command)
            command.options(parser_of_command)
            for each in with_parts(parser_of_command):
                each.examples = [line for line in command.EXAMPLES if _is_of(each, line[1])]
                if not each.parts:
                    output_options(each)
    return top


def with_parts(declared: Parser) -> Iterator[Parser]:
    """Yield a command, then its parts."""
    yield declared
    yield from declared.parts.values()


def _is_of(declared: Parser, line: str) -> bool:
    """Whether a line without its first word is of a command, or of a part of one."""
    return f"ttcrawl {line} ".startswith(f"{declared.prog} ")
