"""The URL of a crawl that a person names: completely, without its scheme, by its path, or by the end of its path."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path

from ttcrawl.config.compiled import canon_of
from ttcrawl.engine.run.seeds import examples
from ttcrawl.errors import UsageError
from ttcrawl.output.number import counted
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.vocabulary.state import FETCHED
from ttcrawl.web.scheme import Canonical, has_host, with_scheme
from ttcrawl.web.url import canonical, host, split_port

#: In this order: what was discovered with both is mostly a redirect from http to https.
SCHEMES = ("https", "http")

#: Hosts among which a path alone is looked for.
MOST_HOSTS = 1_000

#: URLs that a message names.
FEW = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedUrl:
    """`text` is the complete URL as it was written, or as it was completed; `url` is its canonical form.

    `id` is None if the crawl has never discovered it.
    """

    text: str
    url: str
    id: int | None


def named_url(db: View, canonical_of: Canonical, text: str) -> NamedUrl:
    """The URL that a text names. Raises UsageError if it names none, or several.

    Without a scheme it is https or http, whichever the crawl has discovered; of both, the one that was fetched. A path
    alone is the path of a page on a host from which the crawl has requested URLs. A text that names none so, such as
    `intro.html`, is the end of the path of a discovered one.
    """
    if not isinstance(text, str):
        raise UsageError(f"{text!r} is not an http or https URL: write a text")
    if canonical_of(text) is not None or canonical(text, ftp=True) is not None:
        return next(_discovered(db, canonical_of, text), None) or _undiscovered(canonical_of, text, text)
    named = _completed(db, canonical_of, text.strip()) or _ending(db, text.strip())
    if len(named) > 1:
        named = [each for each in named if _is_fetched(db, each)] or named
    if len(named) > 1:
        urls = examples([each.url for each in named], FEW)
        raise UsageError(f"{text!r} names several URLs of this crawl; write one of them: {urls}")
    return named[0] if named else _undiscovered(canonical_of, text, _likeliest(db, canonical_of, text.strip()))


def url_id(db: View, canonical_of: Canonical, text: str) -> int | None:
    """The id of the URL that a line of a list names, not by the end of its path; None if it is none of the crawl."""
    if "://" not in text and not _completed(db, canonical_of, text.strip()):
        return None
    with suppress(UsageError):
        return named_url(db, canonical_of, text).id
    return None


def complete(directory: Path, texts: Sequence[str]) -> list[str]:
    """URLs as they are written, and those without a scheme completed; patterns, which have a *, stay.

    Raises UsageError for one without a scheme that names no discovered URL, or several.
    """
    if all("://" in text or "*" in text for text in texts):
        return [*texts]
    with view(directory) as db:
        canonical_of = canon_of(db.config).canonical
        return [text if "://" in text or "*" in text else _must_be_known(db, canonical_of, text) for text in texts]


def _must_be_known(db: View, canonical_of: Canonical, text: str) -> str:
    named = named_url(db, canonical_of, text)
    if named.id is None:
        raise UsageError(undiscovered(db, named.url))
    return named.url


def undiscovered(db: View, url: str) -> str:
    """The message for a canonical URL that the crawl has never discovered."""
    urls = " or ".join(similar(db, url))
    hint = f" (did you mean {urls}?)" if urls else ""
    return f"{url} was never discovered by the crawl in {db.directory}{hint}"


def similar(db: View, url: str) -> tuple[str, ...]:
    """The discovered URLs that differ from a canonical one only in scheme, www., port, or a slash at the end; a few."""
    scheme, _, rest = url.partition("://")
    name, slash, path = rest.partition("/")
    bare = split_port(name)[0]
    toggled = bare.removeprefix("www.") if bare.startswith("www.") else f"www.{bare}"
    names = dict.fromkeys(
        (name, name.replace(bare, toggled, 1), *_with_any_port(db, bare), *_with_any_port(db, toggled))
    )
    paths = (path, path.removesuffix("/") if path.endswith("/") else f"{path}/") if path else ("",)
    urls = (f"{one}://{other}{slash}{third}" for one, other, third in product(SCHEMES, names, paths))
    others = (each for each in urls if each != url and db.url_id(each) is not None)
    return tuple(islice(others, FEW)) if scheme in SCHEMES else ()


def _with_any_port(db: View, name: str) -> list[str]:
    query = "SELECT host FROM site WHERE host = ?1 OR host > ?1 || ':' AND host < ?1 || ';' LIMIT ?2"
    return [host for (host,) in db.execute(query, (name, FEW))]


def _discovered(db: View, canonical_of: Canonical, text: str) -> Iterator[NamedUrl]:
    """The discovered URL of a complete one. Tries the plain form too: the rules of [url] may have changed since."""
    for url in dict.fromkeys((canonical_of(text), canonical(text, ftp=True))):
        if url is not None and (url_id := db.url_id(url)) is not None:
            yield NamedUrl(text=text, url=url, id=url_id)
            return


def _completed(db: View, canonical_of: Canonical, text: str) -> list[NamedUrl]:
    """The discovered URLs that a text without a scheme may name."""
    texts = _completions(db, text)
    return list({each.id: each for complete in texts for each in _discovered(db, canonical_of, complete)}.values())


def _ending(db: View, text: str) -> list[NamedUrl]:
    """The discovered URLs that end with a text after a slash, a few; every URL is looked at."""
    if not text or text.startswith("/"):
        return []
    end = f"/{text}"
    rows = db.execute("SELECT id, url FROM url WHERE substr(url, ?) = ? LIMIT ?", (-len(end), end, FEW + 1))
    return [NamedUrl(text=url, url=url, id=id) for id, url in rows]


def _completions(db: View, text: str) -> Iterator[str]:
    """The complete URLs that a text without a scheme may mean."""
    if text.startswith("//"):
        yield from (f"{scheme}:{text}" for scheme in SCHEMES)
    elif text.startswith("/"):
        yield from (f"{scheme}://{name}{text}" for name in _hosts(db) for scheme in SCHEMES)
    elif has_host(text):
        yield from (f"{scheme}://{text}" for scheme in SCHEMES)


def _hosts(db: View) -> list[str]:
    """The hosts from which URLs were requested, or else the seeds' hosts."""
    rows = db.execute("SELECT host FROM site WHERE requested > 0 LIMIT ?", (MOST_HOSTS + 1,)).fetchall()
    if len(rows) > MOST_HOSTS:
        raise UsageError(f"a path is looked for on {MOST_HOSTS:,} hosts, and this crawl has more; write HOST/PATH")
    return [name for (name,) in rows] or list(dict.fromkeys(map(host, db.seeds)))


def _is_fetched(db: View, named: NamedUrl) -> bool:
    ((state,),) = db.execute("SELECT state FROM url WHERE id = ?", (named.id,))
    return bool(state == FETCHED)


def _likeliest(db: View, canonical_of: Canonical, text: str) -> str:
    """The complete URL that a text means of which none was discovered; "" if it means none."""
    names: Sequence[str] = ()
    if text.startswith("/") and not text.startswith("//"):
        names = _hosts(db)
        if len(names) > 1:
            hosts = counted(len(names), "host")
            raise UsageError(f"no URL of this crawl has the path {text}, and it has {hosts}: write HOST{text}")
        text = f"{names[0]}{text}" if names else ""
    text = text.removeprefix("//")
    url = canonical_of(f"{SCHEMES[0]}://{text}") if has_host(text) else None
    if url is None:
        return ""
    query = "SELECT url FROM url JOIN site ON site.id = url.site WHERE host = ? LIMIT 1"
    row = db.execute(query, (host(url),)).fetchone()
    return with_scheme(text, canonical_of) if row is None else f"{row[0].partition(':')[0]}://{text}"


def _undiscovered(canonical_of: Canonical, written: str, text: str) -> NamedUrl:
    url = canonical_of(text) if text else None
    if url is None:
        raise UsageError(f"{written!r} is not an http or https URL; write the complete URL, HOST/PATH or /PATH")
    return NamedUrl(text=text, url=url, id=None)
