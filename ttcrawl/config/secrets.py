"""References to secrets: a key names an environment variable or a file. No message here repeats a value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from ttcrawl.errors import ConfigError
from ttcrawl.web.late import late

#: An environment variable, or a file whose first line is meant.
REFERENCE = late(r"\$\{(?:file:([^}]+)|([A-Za-z_][A-Za-z0-9_]*))\}")


def is_reference(text: str) -> bool:
    """Whether a text is one reference, and nothing else."""
    return REFERENCE.fullmatch(text) is not None


def revealed(text: str, key: str, name: str, environment: Mapping[str, str]) -> str:
    """Return a text with the values of its references. `key`, `name`: who needs them, for errors. Raises ConfigError
    if one is missing."""
    return REFERENCE.sub(lambda reference: _value(reference, key, name, environment), text)


def _value(reference: re.Match[str], key: str, name: str, environment: Mapping[str, str]) -> str:
    file, variable = reference.groups()
    if variable:
        if not (value := environment.get(variable, "")):
            raise ConfigError(f"{key}: {name} needs the environment variable {variable}: set it, and export it")
        return value
    try:
        text = Path(file).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise ConfigError(f"{key}: {name} needs the file {file}: {why}") from None
    value = text.partition("\n")[0].strip()
    if not value:
        raise ConfigError(f"{key}: {name} needs the file {file}: its first line is empty")
    return value
