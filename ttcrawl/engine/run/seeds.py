"""The seeds of a crawl: as the user writes them, as canonical URLs, as links."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct, field

from ttcrawl.config import Config, Line
from ttcrawl.config.compiled import compile_canon
from ttcrawl.errors import UsageError
from ttcrawl.output.display import tell
from ttcrawl.ring.messages import Link
from ttcrawl.vocabulary.reason import Code
from ttcrawl.web.canon import Canon
from ttcrawl.web.late import late
from ttcrawl.web.scheme import with_scheme
from ttcrawl.web.url import host, key

#: Line numbers that one message names, and characters of a line that it shows.
LINES = 20
CUT = 100

#: What is counted in a file -> several of them.
_UNITS = {"line": "lines", "entry": "entries", "row": "rows"}

#: In a file: controls, which a parser of URLs would leave out, and bytes that are not UTF-8.
_NO_UTF8 = late("[\ud800-\udfff]")
_NO_TEXT = late("[\x00-\x1f\x7f\ud800-\udfff]")

#: A line of seeds.txt that widens or narrows the scope by a SURT prefix
#: (https://heritrix.readthedocs.io/en/latest/configuring-jobs.html).
_SURT = late(r"[+-](?:\w+:|\w+://\(|\()")


class Seeds(Struct, frozen=True, kw_only=True):
    """The seeds of a command: as texts, and in files ("-": standard input), whose tables have them in a column.

    Iterating reads the files. Raises UsageError for a file that cannot be read, or that has no URL.
    """

    texts: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    column: str = ""  # "": url
    say: Callable[[str], None] = tell

    def __bool__(self) -> bool:
        return bool(self.texts or self.files)

    def __iter__(self) -> Iterator[Line]:
        yield from (Line(text=text) for text in self.texts)
        if self.files:
            from ttcrawl.engine.run.seed_files import lines_of  # it reads what most crawls do not have

            for file in self.files:
                yield from lines_of(file, self.column, self.say)


def read_seeds(file: str, column: str) -> tuple[str, ...]:
    """Return the URLs in a file. Arguments and errors are the ones of `ttcrawl.read_seeds`."""
    return seed_urls(Seeds(files=(file,), column=column), compile_canon(Config().url, ftp=True), tell)


class _Wrong(Struct):
    """The lines of a file that are not seeds: the first as a message, and the numbers of the others."""

    message: str
    unit: str
    numbers: list[str] = field(default_factory=list)
    count: int = 0

    def __str__(self) -> str:
        if not self.count:
            return self.message
        if self.count == 1:
            return f"{self.message}; nor is the seed of {self.unit} {self.numbers[0]}"
        more = f" and {self.count - LINES:,} more" if self.count > LINES else ""
        return f"{self.message}; nor are the seeds of {_UNITS[self.unit]} {', '.join(self.numbers)}{more}"


def seed_urls(lines: Iterable[Line], canon: Canon, say: Callable[[str], None]) -> tuple[str, ...]:
    """Return the seeds as canonical URLs without duplicates. A seed without a scheme gets one.

    `say` is told which lines of a file are not seeds. Raises UsageError for other invalid seeds, for a file without a
    seed, and if there is no seed.
    """
    urls: dict[str, None] = {}
    wrong: dict[str, _Wrong] = {}
    fruitful = set[str]()
    for line in lines:
        url = _url(line, canon)
        if url is not None:
            urls[url] = None
            fruitful.add(line.file)
        elif line.file not in wrong:
            wrong[line.file] = _Wrong(_message(line, canon), line.unit)
            if not line.file:
                raise UsageError(wrong[line.file].message)
        else:
            _add(wrong[line.file], line.number)
    if nothing := next((each for file, each in wrong.items() if file not in fruitful), None):
        raise UsageError(str(nothing))
    if not urls:
        raise UsageError("there are no seeds: name a URL, or a file with seeds: --seeds FILE")
    for each in wrong.values():
        say(f"{each}; continuing with the other seeds")
    return tuple(urls)


def _add(wrong: _Wrong, number: int) -> None:
    wrong.count += 1
    if wrong.count <= LINES:
        wrong.numbers.append(str(number))


def _url(line: Line, canon: Canon) -> str | None:
    if line.file and _NO_TEXT.search(line.text):
        return None
    url = canon.canonical(line.text)
    if url is None and (line.file or not Path(line.text).is_file()):
        url = canon.canonical(with_scheme(line.text, canon.canonical))
    return url


def _message(line: Line, canon: Canon) -> str:
    """Return why a line is not a seed; of the line, what a message can show."""
    text, more = line.text[:CUT], "..." * (len(line.text) > CUT)
    if line.file and _NO_UTF8.search(text):
        readable = text.encode(errors="surrogateescape").decode(errors="backslashreplace")
        return f"{line.file} is not UTF-8 text in {line.unit} {line.number}: '{readable}'{more}"
    where = f"{line.position}: " if line.file else ""
    return f"{where}the seed {text!r}{more} is {_why_not(line, canon)}"


def _why_not(line: Line, canon: Canon) -> str:
    text = line.text
    if text.lower().startswith("ftp://"):
        if not canon.ftp:
            return "not an http or https URL: ftp: URLs are fetched with [fetch] ftp = yes"
        return "not a URL that is fetched: of FTP servers, only anonymous users are known"
    if line.file:
        rule = "a rule of Heritrix for its scope, and " if _SURT.match(text) else ""
        return f"{rule}not an http or https URL"
    instead = f"; if it is a file of seeds, write --seeds {text}" if Path(text).is_file() else ""
    return f"not an http or https URL{instead or ': write one such as https://example.org/'}"


def examples(names: Sequence[str], most: int = 3) -> str:
    """Return the first names, and the number of the others.

    >>> examples(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    return ", ".join(names[:most]) + (f" and {len(names) - most:,} more" if len(names) > most else "")


def seed_links(
    urls: Iterable[str], ruling: Callable[[str], tuple[Code, str]], are_sitemaps: bool = False
) -> Iterator[Link]:
    """Yield canonical seed URLs as links at distance 0; `ruling` returns reason and rule of refused ones."""
    for url in urls:
        refused, rule = ruling(url)
        yield Link(url=url, key=key(url), host=host(url), distance=0, refused=refused, rule=rule, sitemap=are_sitemaps)
