"""What a wrong name in a configuration may have meant."""

from __future__ import annotations

from collections.abc import Collection

from ttcrawl.config.key import keys
from ttcrawl.config.sections import SECTIONS
from ttcrawl.errors import closest, did_you_mean

#: Keys of a section that are named beside a hint.
FEW = 5


def section_instead(name: str, sections: Collection[str]) -> str:
    """Return the section that is most like a wrong name, or all of them."""
    if name.startswith("host"):
        return did_you_mean(f"{name}:NAME", sections)
    return did_you_mean(name, sections) or f"; the sections are {', '.join(sections)}"


def key_instead(name: str, names: Collection[str]) -> str:
    """Return the key of the section that is most like a wrong name, or else that of another section; and `names`, the
    keys of the section, if they are few or there is no such key."""
    if hint := did_you_mean(name, names):
        return hint
    sections = {key.name: each.name for each in SECTIONS for key in keys(each.default)}
    close = closest(name, sections)
    hint = f" (did you mean {close} in [{sections[close]}]?)" if close else ""
    return hint if hint and len(names) > FEW else f"{hint}; its keys are {', '.join(names)}"


def full_names(name: str) -> list[str]:
    """Return the keys that have this name, each with its section.

    >>> full_names("delay"), full_names("max-delay")
    (['politeness.delay'], ['politeness.max_delay'])
    """
    name = name.replace("-", "_")
    return [f"{each.name}.{name}" for each in SECTIONS if name in {key.name for key in keys(each.default)}]


def with_section(name: str) -> str:
    """Return a hint to the keys that have this name, "" if none has."""
    found = full_names(name)
    return f" (did you mean {' or '.join(found)}?)" if found else ""
