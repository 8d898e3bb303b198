"""`ttcrawl completion`."""

from __future__ import annotations

import argparse
import sys

from ttcrawl.errors import DONE

SUMMARY = "print a script that completes commands in your shell"
IN_HELP = ("Tools", 7)
EXAMPLES = (("completion in this bash", "completion bash > ~/.local/share/bash-completion/completions/ttcrawl"),)


def options(completion: argparse.ArgumentParser) -> None:
    shells = ("bash", "zsh", "fish")
    about = "your shell: its script is written to standard output"
    completion.add_argument("shell", metavar="|".join(shells), choices=shells, help=about)


def run(args: argparse.Namespace) -> int:
    from ttcrawl.cli.completion import script

    sys.stdout.write(script(args.shell))
    return DONE
