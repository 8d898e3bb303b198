"""Images and other files that are not pages: their name, size and the path where they are saved."""

from __future__ import annotations

from pathlib import Path

from ttcrawl.config import Config
from ttcrawl.parse.answer import Answer
from ttcrawl.parse.filename import name_of
from ttcrawl.parse.images.measure import flaw, measure
from ttcrawl.ring.columns import Document, Image
from ttcrawl.store.files import Files
from ttcrawl.web.url import host

TOO_LARGE = "too large to save"


class FileReader:
    """Reads fetched files, and saves them if the crawl is configured to."""

    def __init__(self, config: Config, directory: Path, series: int) -> None:
        """`directory` is files/ of the crawl; it is created when the first file is saved."""
        power = config.store.durability == "power"
        self._files = Files(directory, series, power=power) if config.files.save else None
        self._max_size = config.files.max_size

    def image(self, answer: Answer) -> Image:
        """Raises OSError if the file cannot be saved."""
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
        """A document whose text is not yet extracted. Raises OSError if it cannot be saved."""
        name, saved, error = self._saved(answer)
        return Document(name=name, size=len(answer.body), saved=saved, error=error)

    def name_and_path(self, answer: Answer) -> tuple[str, str]:
        """(name, path under files/ or "") of a file whose body was already parsed under another URL. Raises OSError as
        `image` does."""
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
