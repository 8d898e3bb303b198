"""The metadata that is read from a page."""

from __future__ import annotations

import json

from selectolax.lexbor import LexborHTMLParser

from ttcrawl import config
from ttcrawl.config.compiled import compile_canon
from ttcrawl.read.page import read_page

URL = "http://a.test/x/"

CANON = compile_canon(config.Url())

METADATA = config.Record(text=False, main=False, language=False)


def metadata_of(html: str, requested: float = 0.0, **headers: str):
    body = html.encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    found, text, _ = read_page(
        LexborHTMLParser(body),
        body,
        named,
        (),
        lambda href: CANON.resolve(URL, href) or "",
        METADATA,
        requested=requested,
    )
    assert text is None
    return found


def ld(**said: object) -> str:
    return f"<script type='application/ld+json'>{json.dumps(said)}</script>"
