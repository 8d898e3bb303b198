"""Crawls of tests can be interrupted, however the tests were started."""

import gc
import re
import signal

import pytest
from hypothesis import HealthCheck, settings

from ttcrawl import core

# A script's job in the background has SIGINT ignored, a job under nohup SIGHUP, and their children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Nothing is timed: the first example may import numpy, and on a busy machine any example may wait for a second.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

#: A module that says of all its tests that they are slow.
SLOW = re.compile(r"^pytestmark = .*\bpytest\.mark\.slow\b", re.MULTILINE)


def pytest_ignore_collect(collection_path, config):
    """Where all fast tests run, what has none is not imported."""
    if config.option.markexpr != "not slow" or config.args != config.getini("testpaths"):
        return None
    return True if collection_path.suffix == ".py" and SLOW.search(collection_path.read_text()) else None


@pytest.hookimpl(wrapper=True)
def pytest_collection(session):
    """What is collected is no garbage: to look for it takes a quarter of the time."""
    if session.config.getoption("--forks", 0):
        from tests.support.crawls import preforked

        preforked.begin()
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(params=[core.COMPILED, core.PYTHON])
def reader(request, monkeypatch):
    """A test that uses this runs with the compiled reader and with the one in Python; processes that it starts, too."""
    if request.param == core.PYTHON:
        monkeypatch.setattr(core, "native", None)
    elif core.native is None:
        pytest.skip(f"no compiled reader: {core.why_python}")
    monkeypatch.setenv(core.VARIABLE, request.param)
    return request.param


def pytest_unconfigure(config):
    """The names of what failed are the last lines: of a long run, only the end is shown somewhere."""
    if (reporter := config.pluginmanager.get_plugin("terminalreporter")) is None:
        return
    for outcome in ("failed", "error"):
        for report in reporter.stats.get(outcome, ()):
            print(f"{outcome}: {report.nodeid}")
