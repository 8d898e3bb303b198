"""The extension module that is built from module.cpp."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TypeAlias, TypeVar, overload

#: The version of the package, and the checksum of the sources.
VERSION: str

def casefolded(text: str) -> bytes:
    """Return str.casefold as UTF-8; lone surrogates are replaced."""

def shingles(text: str, size: int, fewest: int) -> bytes:
    """Return the shingles of the folded text: 32-bit hashes of this machine's byte order, distinct and ascending.

    b"" if the text has fewer words than `fewest`. `size`: words in a shingle.
    """

def widened(hashes: bytes) -> bytes:
    """Return 32-bit numbers as 64-bit numbers."""

def estimated_similarity(signature_a: bytes, signature_b: bytes, /) -> float:
    """Return the fraction of equal 32-bit numbers; 0.0 if both are empty or of different lengths."""

def sketch_similarity(shingles_a: bytes, shingles_b: bytes, sketch_size: int, /) -> float:
    """Return the Jaccard similarity of distinct 32-bit hashes in ascending order; 0.0 if one is empty.

    A set of `sketch_size` hashes may be truncated: see ttcrawl.read.fingerprints.similarity.
    """

class TextList(Sequence[str]):
    """Texts in UTF-8; each becomes a str when it is read."""

    def __init__(self, texts: Sequence[str], /) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    @overload
    def __getitem__(self, index: int, /) -> str: ...
    @overload
    def __getitem__(self, index: slice, /) -> Sequence[str]: ...
    def without_queries(self) -> bytes:
        """Return the texts, each up to its first "?" and once, a line each; with surrogates as other characters."""

_Target = TypeVar("_Target")
_Otherwise = TypeVar("_Otherwise")

class HrefTargets:
    """The targets of hrefs on the pages of one directory: see ttcrawl.parse.links.resolver."""

    def __init__(self, directory: str, /) -> None:
        """`directory`: of a plain base URL, else "": see `join_plain`."""
    def __len__(self) -> int:
        """The number of remembered hrefs; more if they are long."""
    def targets(
        self,
        hrefs: TextList,
        urls: dict[str, _Target | None],
        of_url: Callable[[str], _Target | None],
        of_href: Callable[[str], _Target | None],
        of_page: _Target,
        page: Mapping[str, _Target | None],
        /,
    ) -> list[_Target | None]:
        """Return the target of each href. `urls` are those of plain references, by absolute URL; `of_url` makes another
        one. `of_href` makes that of an href that is not plain, without fragment; if it returns `of_page`, `page` has
        the target."""

def join_plain(directory: str, reference: str, /) -> str:
    """See ttcrawl.web.reference.PlainBase.joined. For tests."""

class NumberTable:
    """A dict of numbers below 2 ** 32 - 2 by keys of 64 bits: see ttcrawl.core.number_table."""

    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def __contains__(self, key: int, /) -> bool: ...
    def __setitem__(self, key: int, number: int, /) -> None: ...
    def get(self, key: int, otherwise: _Otherwise, /) -> int | _Otherwise: ...
    def pop(self, key: int, otherwise: _Otherwise, /) -> int | _Otherwise: ...
    def clear(self) -> None: ...

#: What `outlinks` returns.
Outlinks: TypeAlias = tuple[
    list[_Target], list[tuple[int, _Target]], list[str], bool, bytes, str, bytes, bytes, bytes, str
]

def outlinks(
    targets: list[_Target | None],
    own: int,
    hrefs: TextList,
    kinds: bytes,
    letters: bytes,
    landmarks: bytes,
    anchors: TextList,
    sent: NumberTable,
    distances: bytes,
    /,
) -> Outlinks[_Target]:
    """Return the fields of ttcrawl.parse.links.linked.Linked, and the columns of table outlinks.

    `distances`: of a link with each of 256 letters, as numbers of 32 bits in this machine's byte order.
    """

#: hrefs, kinds, landmarks, nofollow (0 or 1 for each), anchor texts, base, named metas, title.
Links: TypeAlias = tuple[TextList, bytes, bytes, bytes, TextList, str | None, list[tuple[str, str]], str]
#: The metas and times with whether they describe an item other than the page, links, JSON-LD, attributes of the root,
#: headings.
Declared: TypeAlias = tuple[
    list[tuple[Mapping[str, str | None], bool]],
    list[tuple[Mapping[str, str | None], bool]],
    list[Mapping[str, str | None]],
    list[str],
    Mapping[str, str | None],
    list[tuple[int, str]],
]
#: The fields of ttcrawl.read.texts.PageTexts.
Texts: TypeAlias = tuple[bytes, bytes, int, int, bytes, bytes]
#: Lines, blocks (kind, start, end, first) and the indexes of preformatted lines.
Lines: TypeAlias = tuple[list[str], list[tuple[str, int, int, int]], list[int]]

class Reader:
    """Reads pages by rules: see ttcrawl.parse.compiled.Rules."""

    def __init__(self, rules: object, /) -> None: ...
    def read(self, html: bytes, anchors: tuple[str, ...], /) -> tuple[Links, Declared | None, Texts | None] | str:
        """Read a page in UTF-8; a str: why it is left to Python.

        `anchors`: the texts of links to other pages that are not in the page.
        """
    def lines(self, html: bytes, /) -> Lines | str:
        """Return the lines of a page from which its texts are made. For tests."""

def events(html: bytes) -> list[str] | str:
    """Return what the tree of a page (UTF-8) consists of, in its order; a str: why the page is left to Python.

    `<name` and `@name=value` of an element, `/` at its end, `T` with a text, `!` for a comment, `?` for a processing
    instruction. For tests: names are in lower case.
    """

def has_many_attributes(html: bytes, most: int, /) -> bool:
    """Whether a tag has more attributes. Raises ValueError for a negative number."""

def nesting(html: bytes, deepest: int, /) -> tuple[str, int]:
    """Return why the tags of a page nest too deeply, "" if they do not, and the number of attributes of its <html> or
    <body>, whichever has more. Raises ValueError for a depth below 1."""

def has_tags(html: bytes, count: int, /) -> bool:
    """Whether a page has this number of "<", or more."""

def may_have_long_tag(html: bytes, size: int, /) -> bool:
    """Whether a tag of a page may have `size` bytes or more: see ttcrawl.parse.links.weight."""

def without_hrefs(html: bytes) -> bytes:
    """Return a page without its hrefs, in any letter case."""

def without_numbers(html: bytes, numbers: tuple[bytes, ...]) -> bytes:
    """Return a page without some numbers outside of its tags."""

def maybe_seen(filters: tuple[tuple[object, int, int], ...], keys: Sequence[int], room: int, /) -> bytes:
    """Add keys to the last one of these filters, if none of them may have them. Return for each whether one may.

    `filters`: the bits of each as a buffer that may be written, their number, and how many of them a key has. `room`:
    how many keys are added at most; the first one that would be another has no answer, and none after it.
    """

def base32(data: bytes) -> str:
    """Return base 32 (RFC 4648) of a multiple of 5 bytes, which needs no padding."""

def has_fast_sha1() -> bool:
    """Return whether this processor has instructions for SHA-1: else hashlib is faster, and warc_record raises."""

def warc_record(
    fields: tuple[tuple[str, str], ...], content_type: str, head: bytes, body: bytes, payload: bool, /
) -> bytes:
    """Return ttcrawl.store.warc_records.record of the same arguments."""

class Bits:
    """See ttcrawl.store.bits.Bits."""

    def __init__(self, size: int) -> None: ...
    def add(self, keys: Collection[int], /) -> None: ...
    def perhaps(self, keys: Collection[int], /) -> list[int]: ...

class BucketMemory:
    """See ttcrawl.store.bucket_memory.BucketMemory."""

    def __init__(self) -> None: ...
    def add(self, keys: Sequence[int], page: int, /) -> None: ...
    def pages(self, keys: Collection[int], /) -> dict[int, int]: ...
    def replace(self, keys: Collection[int], page: int, /) -> list[int]: ...
    def remove(self, keys: Sequence[int], /) -> list[int]: ...
    def keys(self, part: int, /) -> Sequence[int]: ...
    def take(self, first: int, end: int, /) -> list[tuple[int, int]]: ...

class TargetCounts:
    """See ttcrawl.report.target_counts.TargetCounts."""

    def __init__(self) -> None: ...
    def add(self, targets: str, positions: bytes, /) -> bool: ...
    def distinct(self) -> tuple[int, int, int]: ...
    def of(self, key: int, /) -> tuple[int, int]: ...

def long_lines(text: str, spaces: int, most: int, fewest: int) -> str:
    """Return the lines with `spaces` or more, joined by a space, at most `most` characters; "" if these are not more
    than `fewest`."""

class FunctionWords:
    """Function words, and the languages of each."""

    def __init__(self, languages_of: dict[str, tuple[str, ...]]) -> None: ...
    def most(self, text: str, languages: tuple[str, ...], nearest: str) -> tuple[str, int, int, int, int]:
        """Return the language with the most function words in a text, their number, the number for the next language,
        the number of distinct words, and the number of all words: ("", 0, 0, 0, words) without any.

        `languages`: two or more, which are compared; `nearest`: the one that is taken from those with the same number,
        else it is the last by its name.
        """
