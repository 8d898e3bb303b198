"""The subjects of the pages of the demo campus, and sentences about them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from ttcrawl.demo.words import BUILDINGS, DAYS, FIELDS, FIRST, LAST, LEVELS, MONTHS, SENTENCES, TITLES, UNIVERSITY


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The subject of one page."""

    kind: str  # a key of words.SENTENCES
    title: str
    field: int  # index in words.FIELDS
    name: str  # of the person in charge


START = Subject(kind="start", title=f"Welcome to the {UNIVERSITY}", field=3, name="Ada Lindner")


def subject(random: Random) -> Subject:
    """A subject with a title."""
    kind, pattern = random.choice(TITLES)
    field = random.randrange(len(FIELDS))
    slots = _slots(random, field, _name(random))
    return Subject(kind=kind, title=pattern.format_map(slots), field=field, name=slots["name"])


def paragraph(subject: Subject, random: Random) -> str:
    """Three to five different sentences about the subject."""
    patterns = random.sample(SENTENCES[subject.kind], random.randrange(2, 4)) + random.sample(
        SENTENCES[""], random.randrange(1, 3)
    )
    slots = _slots(random, subject.field, subject.name)
    return " ".join(pattern.format_map(slots) for pattern in patterns)


def _name(random: Random) -> str:
    return f"{random.choice(FIRST)} {random.choice(LAST)}"


def _slots(random: Random, field: int, name: str) -> dict[str, str]:
    """A value for each name in braces in the patterns of `ttcrawl.demo.words`."""
    code, field_name, topics = FIELDS[field]
    topic, topic2 = random.sample(topics, 2)
    hour = random.randrange(8, 15)
    return {
        "code": code.upper(),
        "field": field_name,
        "field2": FIELDS[(field + random.randrange(1, len(FIELDS))) % len(FIELDS)][1],
        "topic": topic,
        "topic2": topic2,
        "topic_title": topic.capitalize(),
        "name": name,
        "name2": _name(random),
        "building": random.choice(BUILDINGS),
        "month": random.choice(MONTHS),
        "day": random.choice(DAYS),
        "year": str(random.randrange(2008, 2026)),
        "number": str(random.randrange(101, 499)),
        "room": f"{random.randrange(6)}{random.randrange(1, 60):02}",
        "level": random.choice(LEVELS),
        "hour": f"{hour}:00",
        "hour2": f"{hour + random.randrange(1, 5)}:30",
        "count": str(random.randrange(12, 90) * 20),
        "small": str(random.randrange(3, 25)),
    }
