"""The keys of config.ini behind a reason. Pure."""

from __future__ import annotations

from collections.abc import Callable

from ttcrawl.config import Config
from ttcrawl.config.file import text_of
from ttcrawl.vocabulary.reason import Code, about


def settings_of(config: Config) -> Callable[[Code], str]:
    """Return a function from a reason to the keys that cause it, with their values; "" if there are none.

    It is one line. Of several keys, those that are empty are left out, unless all are.

    >>> settings_of(Config())("trap: path")
    '[traps] max_segments = 20'
    """

    def keys(reason: Code) -> str:
        row = about(reason)
        pairs = [setting.split(".") for setting in row.setting] if row else []
        texts = {key: " ".join(text_of(getattr(getattr(config, section), key)).split()) for section, key in pairs}
        causes = {key: text for key, text in texts.items() if text} or texts
        values = ", ".join(f"{key} = {text}" for key, text in causes.items())
        return f"[{pairs[0][0]}] {values}".rstrip() if pairs else ""

    return keys
