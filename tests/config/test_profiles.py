"""Profiles: valid, each key of use, and below config.ini and options."""

import pytest

from ttcrawl.cli.arguments import PROFILES as NAMES
from ttcrawl.config import read
from ttcrawl.config.config import entries_of
from ttcrawl.config.differences import IMPLIED, differences
from ttcrawl.config.profiles import BY_NAME, PROFILES


def test_the_command_line_has_all():
    assert tuple(BY_NAME) == NAMES and len(BY_NAME) == len(PROFILES)


@pytest.mark.parametrize("name", BY_NAME)
def test_each_key_differs_from_its_default(name):
    config, entries = read(None, profile=BY_NAME[name]), entries_of(None, profile=BY_NAME[name])
    origins = {f"{each.section}.{each.key}": each.origin for each in differences(config, entries)}
    assert {key for key, origin in origins.items() if origin == f"--profile {name}"} == set(BY_NAME[name].keys)
    assert set(origins.values()) <= {f"--profile {name}", IMPLIED}


def test_config_ini_wins_over_a_profile_and_options_over_both(tmp_path):
    (tmp_path / "config.ini").write_text("[politeness]\ndelay = 3\nbackoff = 5\n")
    config = read(tmp_path / "config.ini", [("politeness.backoff", "7")], profile=BY_NAME["polite"])
    assert (config.politeness.delay, config.politeness.backoff, config.fetch.retries) == (3, 7, 1)
