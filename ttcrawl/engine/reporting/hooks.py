"""The hooks of a crawl before it begins: named, located and tried."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ttcrawl.config import Config, Hooks, Lines
from ttcrawl.config.extractors import FUNCTION, extractors
from ttcrawl.errors import UsageError
from ttcrawl.ring.messages import Broken, Checked
from ttcrawl.ring.poll import readable
from ttcrawl.ring.pool import Worker
from ttcrawl.topic.files import NAMES
from ttcrawl.vocabulary.reason import Code
from ttcrawl.web.country import countries

#: Seconds in which the modules of hooks must be imported.
TIME = 60.0


def located(config: Config) -> Config:
    """Return the configuration with absolute paths of files: a crawl may continue from elsewhere.

    Raises UsageError if the file that [record] geoip names cannot be read.
    """
    hooks, paths = config.hooks, {key: getattr(config.topic, key) for key in NAMES}
    files: dict[str, Any] = {key: os.path.abspath(path) for key, path in paths.items() if path}
    config = replace(config, topic=replace(config.topic, **files)) if files else config
    if cookies := config.login.cookies:
        config = replace(config, login=replace(config.login, cookies=os.path.abspath(cookies)))
    if geoip := config.record.geoip:
        config = replace(config, record=replace(config.record, geoip=os.path.abspath(geoip)))
        countries(config.record.geoip)
    files = {name: os.path.abspath(path) for name in ("events", "zebra") if (path := getattr(hooks, name))}
    hooks = replace(hooks, **files, extract=located_lines(hooks.extract))
    if not hooks.functions:
        return replace(config, hooks=hooks)
    path = os.pathsep.join(os.path.abspath(each) for each in (hooks.path or ".").split(os.pathsep))
    return replace(config, hooks=replace(hooks, path=path))


def located_lines(extract: Lines) -> Lines:
    """The lines of [hooks] extract with absolute paths of files."""
    functions = {each.words[0] for each in extractors(line.text for line in extract) if each.kind == FUNCTION}
    return Lines(
        replace(line, text=os.path.abspath(line.text)) if line.text in functions and ".py:" in line.text else line
        for line in extract
    )


def refused_seeds(hooks: Hooks, seeds: Sequence[str]) -> dict[str, tuple[Code, str]]:
    """Import the hooks in a process of its own; return reason and rule of the seeds that the hook for URLs refuses.

    Raises UsageError if a hook cannot be used, or all seeds are refused.
    """
    if not (hooks.functions or hooks.extract):
        return {}
    refused = {url: (why, "") for url, why in zip(seeds, tried(hooks, seeds).refused, strict=True) if why}
    if refused and len(refused) == len(seeds):
        raise UsageError(f"[hooks] url = {hooks.url} refuses every seed ({refused[seeds[0]][0]})")
    return refused


def tried(hooks: Hooks, seeds: Sequence[str] = ()) -> Checked:
    """Import the hooks in a process of its own, and ask the hook for URLs. Raises UsageError if one cannot be used."""
    worker = Worker(0, "hooks", lambda: (hooks, tuple(seeds)))
    try:
        begun = readable([worker.socket.fileno()], TIME)
        messages = (worker.receive() if begun else None) or ()
    finally:
        worker.stop()
    if not begun:
        raise UsageError(f"the modules of [hooks] were not imported in {TIME:g} s: import less, or begin no loop there")
    for message in messages:
        if isinstance(message, Broken):
            raise UsageError(message.message)
        if isinstance(message, Checked):
            return message
    raise UsageError("the process that imports [hooks] ended: remove calls such as os._exit from their modules")


def settings_of(functions: Mapping[str, Callable[..., Any] | None]) -> dict[str, object]:
    """Return the keys of [hooks] for functions of the caller. Raises UsageError for one that cannot be imported."""
    settings: dict[str, object] = {}
    directories: dict[str, None] = {}
    for key, function in functions.items():
        if function is None:
            continue
        module, directory = _module(key, function)
        settings[f"hooks.{key}"] = f"{module}:{function.__qualname__}"
        directories[directory] = None
    if directories:
        settings["hooks.path"] = os.pathsep.join(directories)
    return settings


def _module(key: str, function: Callable[..., Any]) -> tuple[str, str]:
    """Return the module of a function, and the directory from which it is imported."""
    name, qualified = getattr(function, "__module__", None), getattr(function, "__qualname__", "<")
    file = getattr(sys.modules.get(name or ""), "__file__", None)
    if not file or "<" in qualified:
        raise UsageError(
            f"the hook {key} must be a function in a file: parse processes import it from there (no lambda, no function"
            " in another one or in a notebook)"
        )
    assert name is not None
    path = Path(file).absolute()
    if name == "__main__":
        return path.stem, str(path.parent)
    depth = name.count(".") + (path.stem == "__init__")
    return name, str(path.parents[depth])


def must_not_be_a_hook(process: str) -> None:
    """Raises UsageError if a hook's module begins a crawl while it is imported. `process`: the name of this process."""
    if process.startswith("ttcrawl-"):
        raise UsageError('a module with hooks begins a crawl: put the call under if __name__ == "__main__":')
