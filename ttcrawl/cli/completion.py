"""Scripts by which a shell completes a command line, made from the declarations of the commands.

They have all words in them, so a Tab starts no process of ttcrawl. zsh uses the script of bash, by its bashcompinit.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from ttcrawl.cli.command_line import Parser, parser

#: What a value can be, unless choices are declared: a directory, a file, or something else.
DIRECTORY, FILE, OTHER = "DIR", "FILE", "OTHER"


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    names: tuple[str, ...]
    about: str
    value: str  # the choices, separated by commas; DIRECTORY, FILE or OTHER; "": it takes none


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A command, or a part of one. `words`: of the line, without ttcrawl; `parts`: those that may follow."""

    words: tuple[str, ...]
    parts: dict[str, str]  # name -> what it is about
    options: tuple[Option, ...]
    operands: tuple[str, ...]  # what each word without a dash is, as in Option; the last one may be repeated


def script(shell: str) -> str:
    commands = list(_declared((), parser()))
    return _fish(commands) if shell == "fish" else _bash(commands)


def _declared(words: tuple[str, ...], of: Parser) -> Iterator[Declared]:
    parts: dict[str, Parser] = {}
    options, operands = list[Option](), list[str]()
    for action in of.actions:
        if isinstance(action, argparse._SubParsersAction):
            parts = dict(action.choices)
        elif action.option_strings:
            about = (action.help or "").replace("%%", "%")
            value = "" if action.nargs == 0 else _value(action)
            options.append(Option(names=tuple(action.option_strings), about=about, value=value))
        else:
            operands.append(_value(action))
    about_parts = {name: each.description or "" for name, each in parts.items()}
    yield Declared(words=words, parts=about_parts, options=tuple(options), operands=tuple(operands))
    for name, part in parts.items():
        yield from _declared((*words, name), part)


def _value(action: argparse.Action) -> str:
    if action.choices:
        return ",".join(action.choices)
    metavar = str(action.metavar)
    return FILE if "FILE" in metavar or metavar == "INDEX" else DIRECTORY if "DIR" in metavar else OTHER


# -- bash and zsh -----------------------------------------------------------------------------------------------------

_BASH = r"""# Completion of ttcrawl for bash and zsh.
[ -n "${ZSH_VERSION-}" ] && autoload -Uz compinit bashcompinit && { [ -n "${_comps-}" ] || compinit; } && bashcompinit

# Sets what may follow the words of a command: parts, options, values of options, and operands.
_ttcrawl_declared() {
    case "$1" in
COMMANDS
    *) parts= options= values= operands= ;;
    esac
}

# Sets `value` to what an option takes: choices with commas, DIR, FILE, OTHER, or nothing.
_ttcrawl_value() {
    value=" $values "
    case "$value" in
    *" $1="*) value=${value#* $1=} value=${value%% *} ;;
    *) value= ;;
    esac
}

# Puts what begins with $2 into COMPREPLY, each with $3 before it; $1 is as `value`.
_ttcrawl_reply() {
    local IFS=$'\n'
    case "$1" in
    FILE) COMPREPLY=($(compgen -P "$3" -f -- "$2")) ;;
    DIR) COMPREPLY=($(compgen -P "$3" -d -- "$2")) ;;
    OTHER | "") return ;;
    *) COMPREPLY=($(compgen -P "$3" -W "${1//,/$IFS}" -- "$2")); return ;;
    esac
    compopt -o filenames 2>/dev/null  # so that a directory ends with a slash, and spaces are escaped
}

_ttcrawl() {
    local IFS=$' \t\n' parts options values operands value option word number i=1
    local current=${COMP_WORDS[COMP_CWORD]}
    _ttcrawl_declared ""
    local command=
    while [ "$i" -lt "$COMP_CWORD" ] && [ -n "$parts" ]; do
        command=${command:+$command }${COMP_WORDS[i]}
        _ttcrawl_declared "$command"
        i=$((i + 1))
    done
    option= number=0
    while [ "$i" -lt "$COMP_CWORD" ]; do
        word=${COMP_WORDS[i]}
        case "$word" in
        =) ;;
        -*=*) option= ;;
        -*) _ttcrawl_value "$word"; option=${value:+$word} ;;
        *) [ -n "$option" ] || number=$((number + 1)); option= ;;
        esac
        i=$((i + 1))
    done
    [ "$current" = "=" ] && current=
    COMPREPLY=()
    if [ -n "$option" ]; then
        _ttcrawl_value "$option"
        _ttcrawl_reply "$value" "$current" ""
        return
    fi
    case "$current" in
    -*=*)
        _ttcrawl_value "${current%%=*}"
        _ttcrawl_reply "$value" "${current#*=}" "${current%%=*}="
        return ;;
    -*)
        _ttcrawl_reply "${options// /,}" "$current" ""
        return ;;
    esac
    if [ -n "$parts" ]; then
        _ttcrawl_reply "${parts// /,}" "$current" ""
        return
    fi
    for value in $operands; do
        [ "$number" -eq 0 ] && break
        number=$((number - 1))
    done
    _ttcrawl_reply "$value" "$current" ""
}

complete -F _ttcrawl ttcrawl
"""


def _bash(commands: list[Declared]) -> str:
    return _BASH.replace("COMMANDS", "\n".join(map(_branch, commands)))


def _branch(command: Declared) -> str:
    """The lines of a command in a `case`."""
    options = " ".join(name for option in command.options for name in option.names)
    values = " ".join(f"{name}={option.value}" for option in command.options if option.value for name in option.names)
    lists = {"parts": " ".join(command.parts), "options": options, "values": values}
    lists["operands"] = " ".join(command.operands)
    sets = "\n".join(f"        {name}={shlex.quote(words)}" for name, words in lists.items())
    return f'    "{" ".join(command.words)}")\n{sets} ;;'


# -- fish -------------------------------------------------------------------------------------------------------------

_FISH = """# Completion of ttcrawl for fish.
function __ttcrawl_after --description 'Whether the line has these words and no other command'
    set -l words (commandline -opc)[2..-1]
    test (count $words) -ge (count $argv); or return 1
    test (count $argv) -eq 0; or test "$words[1..$(count $argv)]" = "$argv"
end

function __ttcrawl_operand --description 'Whether this many words without a dash precede: -eq or -ge, and number'
    # then the options that take a value, with commas, and the words of the command
    set -l words (commandline -opc)
    set -e words[1..(math (count $argv) - 2)]
    set -l number 0
    set -l option
    for word in $words
        if test -n "$option"
            set option
        else if string match -q -- '-*' $word
            contains -- $word (string split , -- $argv[3]); and set option $word
        else
            set number (math $number + 1)
        end
    end
    test $number $argv[1] $argv[2]
end

function __ttcrawl_just --description 'Whether the line has these words alone'
    set -l words (commandline -opc)[2..-1]
    test "$words" = "$argv"
end

complete -c ttcrawl -f
"""

#: Arguments of `complete` for each kind of value.
_VALUES = {DIRECTORY: "-x -a '(__fish_complete_directories)'", FILE: "-r -F", OTHER: "-x", "": ""}


def _fish(commands: list[Declared]) -> str:
    lines = (f"complete -c ttcrawl {line}\n" for command in commands for line in _fish_lines(command))
    return _FISH + "".join(lines)


def _fish_lines(command: Declared) -> Iterator[str]:
    just, after = (" ".join((function, *command.words)) for function in ("__ttcrawl_just", "__ttcrawl_after"))
    for name, about in command.parts.items():
        yield f"-n '{just}' -a {name} -d {_quoted(about)}"
    for option in command.options:
        names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
        when = just if command.parts else after
        yield f"-n '{when}' {names} {_fish_value(option.value)} -d {_quoted(option.about)}"
    valued = ",".join(name for option in command.options if option.value for name in option.names)
    for number, operand in enumerate(command.operands):
        which = f"-eq {number}" if number + 1 < len(command.operands) else f"-ge {number}"
        if operand != OTHER:
            when = f'{after}; and __ttcrawl_operand {which} "{valued}" {" ".join(command.words)}'
            yield f"-n '{when}' {_fish_value(operand)}"


def _fish_value(value: str) -> str:
    return _VALUES[value] if value in _VALUES else f"-x -a {_quoted(value.replace(',', ' '))}"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
