"""The keys of config.ini behind a reason. Pure."""

from __future__ import annotations

from collections.abc import Callable

from ttcrawl.config import Config
from ttcrawl.config.file import text_of
from ttcrawl.vocabulary.reason import Code, about


def settings_of(config: Config) -> Callable[[Code], str]:
    """Return a function from a reason to the keys that cause it, with their values; "" if there are none.

    >>> settings_of(Config())("trap: path")
    '[traps] max_segments = 20'
    """

    def keys(reason: Code) -> str:
        row = about(reason)
        pairs = [setting.split(".") for setting in row.setting] if row else []
        values = ", ".join(f"{key} = {text_of(getattr(getattr(config, section), key))}" for section, key in pairs)
        return f"[{pairs[0][0]}] {values}".rstrip() if pairs else ""

    return keys
