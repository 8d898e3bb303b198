"""The response for a URL that cannot exist: its text is read; no link is followed and no file is saved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import xxhash
from isal import isal_zlib

from ttcrawl.config import Config
from ttcrawl.parse.answer import Answer
from ttcrawl.parse.files import FileReader
from ttcrawl.parse.html import HtmlReader
from ttcrawl.parse.links.follow import Follower
from ttcrawl.parse.plain import PlainReader
from ttcrawl.read.fingerprints.soft404 import content_hashes
from ttcrawl.ring.messages import Archived, Probed
from ttcrawl.web.canon import Canon
from ttcrawl.web.mime.kind import HTML, TEXT, family
from ttcrawl.web.scope import Scope


class ProbeReader:
    """Parses with new readers for each response. The process's own readers remember the links they sent: a link
    discovered first on a probe must not count as sent."""

    def __init__(self, config: Config, scope: Scope, canon: Canon) -> None:
        self._config = replace(config, files=replace(config.files, save=False))
        self._scope = scope
        self._canon = canon

    def text(self, answer: Answer) -> str:
        """The main text, or the complete text if there is none; "" if it is not a page."""
        follower = Follower(self._config, self._scope, self._canon)
        kind = family(answer.mime, answer.body, sitemap=False)
        if kind == HTML:
            content = HtmlReader(self._config, self._canon, follower).read(answer)
        elif kind == TEXT:
            content = PlainReader(self._config, FileReader(self._config, Path(), 0), follower).read(answer)
        else:
            return ""
        if (text := content.text) is None:
            return ""
        complete = isal_zlib.decompress(text.packed).decode()
        return (isal_zlib.decompress(text.main).decode() if text.main is not None else complete) or complete

    def moved(self, token: int, archived: Archived, url: str, location: str) -> Probed:
        return _probed(token, archived, location=self._canon.resolve(url, location) or "")

    def read(self, token: int, archived: Archived, body: bytes, answer: Answer | None) -> Probed:
        """`answer`: None if the status is not 2xx, or the body cannot be parsed."""
        if answer is None:
            return _probed(token, archived)
        text = self.text(answer)
        words = content_hashes(text, answer.request.url, self._config.duplicates.shingle)
        digest = xxhash.xxh3_128_digest(body) if body else b""
        size = len(text.encode("utf-8", "replace"))
        return _probed(token, archived, digest=digest, text=words.digest, shingles=words.shingles, size=size)


def _probed(
    token: int,
    archived: Archived,
    *,
    location: str = "",
    digest: bytes = b"",
    text: bytes = b"",
    shingles: bytes = b"",
    size: int = 0,
) -> Probed:
    return Probed(
        token=token, archived=archived, location=location, digest=digest, text=text, shingles=shingles, size=size
    )
