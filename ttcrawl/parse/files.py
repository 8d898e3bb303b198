"""What is no page: an image or another file, with its name, its size, and where it was saved."""

from __future__ import annotations

from pathlib import Path

from ttcrawl.config import Config
from ttcrawl.parse.answer import Answer
from ttcrawl.parse.filename import name_of
from ttcrawl.parse.images.measure import flaw, measure
from ttcrawl.ring.record import Document, Image
from ttcrawl.store.files import Files
from ttcrawl.web.url import host

TOO_LARGE = "too large to save"


class FileReader:
    """Reads, and where the crawl is asked to, saves what was fetched."""

    def __init__(self, config: Config, directory: Path, series: int) -> None:
        """`directory` is files/ of the crawl; it is made when there is something to save."""
        power = config.store.durability == "power"
        self._files = Files(directory, series, power=power) if config.files.save else None
        self._max_size = config.files.max_size

    def image(self, answer: Answer) -> Image:
        """Raises OSError when it cannot be saved."""
        name, saved, error = self._saved(answer)
        measured = measure(answer.body)
        wrong = flaw(answer.declared if answer.declared.startswith("image/") else answer.mime, measured)
        return Image(
            name=name,
            size=len(answer.body),
            width=measured.width,
            height=measured.height,
            saved=saved,
            error="; ".join(filter(None, (wrong, error))),
        )

    def document(self, answer: Answer) -> Document:
        """One that has no text yet. Raises OSError when it cannot be saved."""
        name, saved, error = self._saved(answer)
        return Document(name=name, size=len(answer.body), saved=saved, error=error)

    def named(self, answer: Answer) -> tuple[str, str]:
        """(name, path under files/ or "") of what was read under another URL. Raises OSError as `image` does."""
        name, saved, _ = self._saved(answer)
        return name, saved

    def _saved(self, answer: Answer) -> tuple[str, str, str]:
        """(name, path under files/, why it was not saved)."""
        url = answer.request.url
        name = name_of(answer.headers.get("content-disposition", ""), url)
        if self._files is None:
            return name, "", ""
        if len(answer.body) > self._max_size:
            return name, "", TOO_LARGE
        return name, self._files.save(host(url), answer.mime, name, answer.body), ""
