"""The keys of section [topic]."""

from __future__ import annotations

import re

from ttcrawl.config.key import key
from ttcrawl.config.record import Record
from ttcrawl.frozen import frozen


@frozen
class Topic:
    """The subject of the crawl: which pages are relevant, and what becomes of the others (docs/topic.md)."""

    terms: str = key("", "FILE with a term list; empty: none")
    model: str = key("", "FILE with a model of ttcrawl topic train, which decides instead of the terms; empty: none")
    hook: bool = key(False, "yes: the hook for pages decides, by its HookResult.relevant, or a score above 0")
    algorithm: str = key("plain", "how terms are counted: plain or position", choices=("plain", "position"))
    hierarchy: str = key(
        "flat",
        "classes on several levels (CP.Drosera below CP): up (add scores to the class above), down, flat (neither)",
        choices=("flat", "up", "down"),
    )
    compatible: bool = key(False, "yes: terms are read and matched exactly as by Combine")
    stop_words: str = key("", "FILE with words that are left out of terms and pages; empty: none")
    sites_ok: str = key("", "FILE with regular expressions of URLs whose pages are always relevant; empty: none")
    min_total: float = key(-1.0, "minimum points of all classes; -1: as Combine, 90, or 1 by position", low=-1)
    min_by_words: float = key(
        -1.0, "minimum points divided by the words; -1: as Combine, 0.2, or 0.002 by position", low=-1
    )
    min_share: float = key(
        -1.0,
        "minimum percentage of the points that a class needs; -1: as Combine, 10, or 1 by position",
        low=-1,
        high=100,
    )
    languages: str = key(
        "", "languages of relevant pages, such as en sv; pages of unknown language may pass", listed=True
    )
    countries: str = key(
        "",
        "countries of servers with relevant pages, by top-level domain, such as se no; others, such as .com, may pass",
        listed=True,
    )
    tunnel: int = key(
        1,
        "links are followed until this many irrelevant pages in a row lie behind; 0: not from irrelevant pages; -1: no"
        " limit",
        low=-1,
    )
    irrelevant: str = key(
        "archive",
        "irrelevant pages: archive (like any page), record (without the body in the archive), count (only their URLs"
        " and scores)",
        choices=("archive", "record", "count"),
    )
    held_back: str = key("", "FILE with URLs of relevant pages that are not seeds: how many are found tells the recall")
    target_recall: float = key(
        0.0, "stop when this share of the relevant pages is found, by held_back; 0: no target", low=0, high=0.99
    )
    recall_confidence: float = key(
        0.95, "how sure target_recall is before the crawl stops; 0.5: as likely as not", low=0.5, high=0.999
    )

    @property
    def on(self) -> bool:
        """Whether pages are scored."""
        return bool(self.terms or self.model or self.hook)


def check(topic: Topic, record: Record, *, hook: str, files: bool) -> None:
    """`hook`: the hook for pages; `files`: files are saved. Raises ValueError."""
    for name, form in (("languages", "en"), ("countries", "se")):
        for each in names(getattr(topic, name)):
            if not re.fullmatch(r"[a-z]{2,8}" if name == "languages" else r"[a-z]{2}", each):
                raise ValueError(f"{name}: {each}: write a code such as {form}")
    if topic.stop_words and not topic.terms:
        raise ValueError("stop_words belongs to terms: name a term list, or remove it")
    if topic.hook and not hook:
        raise ValueError("hook = yes needs [hooks] page, which decides")
    if topic.target_recall and not topic.held_back:
        raise ValueError("target_recall needs held_back, a file with URLs of relevant pages")
    if not topic.on:
        return
    if topic.languages and not record.language:
        raise ValueError("languages needs [record] language = yes, which finds out the language of a page")
    if files and topic.irrelevant != "archive":
        raise ValueError(f"irrelevant = {topic.irrelevant} keeps no bodies, [files] save = yes does: choose one")
    if record.reading == "later" or not (record.text and record.metadata):
        raise ValueError("pages are scored by their texts: set [record] reading = now, text = yes and metadata = yes")


def names(text: str) -> frozenset[str]:
    """Return the names in a list, in lower case.

    >>> sorted(names("en, SV"))
    ['en', 'sv']
    """
    return frozenset(text.replace(",", " ").lower().split())
