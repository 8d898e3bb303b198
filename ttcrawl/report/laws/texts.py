"""The vocabularies of a crawl: of the main and of the complete texts of its pages, in order of fetching."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ttcrawl.output.steps import Progress, reported
from ttcrawl.report.laws.function_words import COMMON, words_of, words_of_all
from ttcrawl.report.laws.vocabulary import Growing, Runs, Vocabulary, tokens
from ttcrawl.snapshot.snapshot import View

#: Bytes of text of each kind to read; this takes some 10 seconds.
MOST_TEXT = 64 << 20

#: Ids first: a sort would carry the texts along. The main text of a page without another one is its text.
SIZES = """
    SELECT url, text.size, CASE WHEN main IS NULL THEN text.size ELSE main_size END, coalesce(language, '')
    FROM text JOIN page USING (url) LEFT JOIN metadata USING (url) ORDER BY time, url"""

LANGUAGES = "SELECT DISTINCT language FROM metadata WHERE language != ''"


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabularies:
    """Each with how it was read. `function_words` are occurrences in the main texts of words that are function words in
    the language of their page."""

    main: tuple[Vocabulary, str]
    complete: tuple[Vocabulary, str]
    function_words: Mapping[str, int]


class _Reading:
    """The vocabulary of one kind of texts, until it is full or has read `most` bytes."""

    def __init__(self, of: str, most: int) -> None:
        self._of, self._most = of, most
        self._growing = Growing()
        self.function_words: Counter[str] = Counter()
        self._bytes = 0
        self._more = False  # than `most`

    def takes(self, size: int) -> bool:
        """Whether the next text, of this size, is read."""
        self._bytes += size
        self._more = self._more or (self._bytes > self._most and not self._growing.full)
        return not (self._more or self._growing.full)

    def add(self, words: list[str], function_words: Collection[str] = ()) -> None:
        self._growing.add(words)
        if function_words:
            self.function_words.update(filter(function_words.__contains__, words))

    def result(self) -> tuple[Vocabulary, str]:
        read = self._growing.vocabulary()
        more = f" Only the first {self._most >> 20} MiB of text were read." if self._more else ""
        return read, f"{self._of}: {read.how}{more}"


def read(db: View, progress: Progress, most: int = MOST_TEXT) -> Vocabularies:
    """Both vocabularies in one pass over the pages, in order of fetching."""
    main = _Reading("The main texts, without menus and the like", most)
    complete = _Reading("The complete texts, with menus and the like", most)
    memory = Runs()
    of_unknown = words_of_all([language for (language,) in db.execute(LANGUAGES)] or COMMON)
    for url, size, main_size, language in reported(db.execute(SIZES), progress, "tokens"):
        readings = [each for each, bytes_ in ((main, main_size), (complete, size)) if each.takes(bytes_)]
        if not readings:
            break
        text, main_text = db.execute("SELECT text, main FROM text WHERE url = ?", (url,)).fetchone()
        function_words = words_of(language) if language else of_unknown
        if main_text is None:
            _add(text, memory, readings, main, function_words)
        else:
            for each in readings:
                _add(main_text if each is main else text, memory, [each], main, function_words)
    return Vocabularies(main=main.result(), complete=complete.result(), function_words=main.function_words)


def _add(
    packed: bytes, memory: Runs, readings: Sequence[_Reading], main: _Reading, function_words: Collection[str]
) -> None:
    for words in tokens(zlib.decompress(packed).decode("utf-8", "replace"), memory):
        for each in readings:
            each.add(words, function_words if each is main else ())
