"""What is remembered of a page, as text for a table."""

from __future__ import annotations

from msgspec import json

from ttcrawl.recrawl.rate import NOTHING, Evidence
from ttcrawl.recrawl.validators import STRANGE, Trust

_TRUST, _EVIDENCE = json.Decoder(Trust), json.Decoder(Evidence)


def text_of(value: Trust | Evidence) -> str:
    """Return a JSON object, "" for a page without any answer or visit.

    >>> text_of(Evidence(1, 60.0)), text_of(STRANGE)
    ('{"dated":1,"quiet":60.0,"spans":[]}', '')
    """
    return "" if value in (STRANGE, NOTHING) else json.encode(value).decode()


def trust_of(text: str) -> Trust:
    return _TRUST.decode(text) if text else STRANGE


def evidence_of(text: str) -> Evidence:
    return _EVIDENCE.decode(text) if text else NOTHING
