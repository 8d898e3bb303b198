"""What a wrong name in a configuration may have meant."""

from __future__ import annotations

from collections.abc import Collection

from ttcrawl.config.key import keys
from ttcrawl.config.sections import SECTIONS
from ttcrawl.errors import did_you_mean

#: Keys of a section that are named beside a hint.
FEW = 5


def section_instead(name: str, sections: Collection[str], key: str = "") -> str:
    """Return the section that is most like a wrong name, or all of them. `key`: the key that was to be set in it."""
    if hint := _foreign(f"{name}.{key}"):
        return hint
    if name.startswith("host"):
        return did_you_mean(f"{name}:NAME", sections)
    return did_you_mean(name, sections) or f"; the sections are {', '.join(sections)}"


def key_instead(name: str, names: Collection[str]) -> str:
    """Return the sections that have this name, and what it is for other crawlers, or else the key that is most like it.

    `names`, the keys of the section, are added if there is none of these, or if they are few.
    """
    sections = [f"[{full.partition('.')[0]}]" for full in full_names(name)]
    own = f" (did you mean {name} in {' or '.join(sections)}?)" if sections else ""
    instead = own + _foreign(name)
    if not instead and (near := did_you_mean(name, names)):
        return near
    return instead if instead and len(names) > FEW else f"{instead}; its keys are {', '.join(names)}"


def full_names(name: str) -> list[str]:
    """Return the keys that have this name, each with its section.

    >>> full_names("delay"), full_names("max-delay")
    (['politeness.delay'], ['politeness.max_delay'])
    """
    name = name.replace("-", "_")
    return [f"{each.name}.{name}" for each in SECTIONS if name in {key.name for key in keys(each.default)}]


def with_section(name: str) -> str:
    """Return a hint to the keys that have this name, or to what the name of another crawler is; "" if there is none."""
    return option_instead(name, "{}")


def option_instead(name: str, form: str) -> str:
    """The same; `form` is how a key is written.

    >>> option_instead("--max-body", "--set {}=VALUE"), option_instead("--level", "--set {}=VALUE")
    (' (did you mean --set fetch.max_body=VALUE?)', ' (wget: --max-depth N, or [crawl] max_depth)')
    """
    names = full_names(name.removeprefix("--").lower())
    own = f" (did you mean {' or '.join(form.format(each) for each in names)}?)" if names else ""
    return _foreign(name) + own


def _foreign(name: str) -> str:
    from ttcrawl.config.foreign_words import foreign_hint  # only a wrong name needs the table

    return foreign_hint(name)
