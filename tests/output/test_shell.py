"""Commands in messages run when they are copied into a shell."""

import shlex
from pathlib import Path

import pytest

from ttcrawl.output.shell import command_line


@pytest.mark.parametrize("name", ["crawl", "my crawl", "it's", "$HOME", "a;b", "café", "*", "#1", "~"])
def test_a_path_is_one_word(name):
    assert shlex.split(command_line("why", Path(name), "URL")) == ["ttcrawl", "why", name, "URL"]


def test_a_path_that_begins_with_a_hyphen_is_no_option():
    assert command_line("status", Path("-d")) == "ttcrawl status ./-d"
