"""The hook for pages as a stage of parsing: the page goes in, its links and its content come out changed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress

from msgspec import Struct, structs

from ttcrawl.parse.answer import Content, Response
from ttcrawl.parse.hooks.call import LONGEST, CalledHooks, HookFailedError, words_of
from ttcrawl.parse.hooks.packed import packed
from ttcrawl.parse.hooks.page import HookPage, HookResult
from ttcrawl.parse.links.follow import Follower, Links
from ttcrawl.ring.messages import NOT_FOLLOWED
from ttcrawl.vocabulary.html import PARSERS
from ttcrawl.vocabulary.reason import HOOK_LINK, HOOK_PAGE, HOOK_PAGE_FAILED, NONE, Code, filled
from ttcrawl.web.canon import Canon
from ttcrawl.web.storable import text

#: Maximum characters of the fields of a page.
MAX_FIELDS = 1 << 20

#: Maximum characters of what is handed to one page.
MAX_META = 1 << 14


def hook_page(response: Response, mime: str, content: Content, links: Links, body: Callable[[], bytes]) -> HookPage:
    """What a hook gets of a page."""
    request, head = response.request, response.head
    return HookPage(
        url=request.url,
        status=head.status,
        depth=None if request.depth == NOT_FOLLOWED else request.depth,
        headers=head.headers,
        type=mime,
        charset=content.charset,
        title=content.title,
        read_body=body,
        read_links=links,
        read_text=content.text,
        read_metadata=content.metadata,
        is_html=content.parser in PARSERS,
        read_meta=request.meta,
    )


class Hooked(Struct, frozen=True, kw_only=True):
    """A page after the hook. `refused`: why it is no page."""

    content: Content
    links: Links
    refused: Code = NONE
    error: str = ""
    fields: str = ""
    score: float | None = None
    relevant: bool | None = None


class _Checked(Struct, frozen=True, kw_only=True):
    """A result whose values have the right types."""

    fields: str
    links: tuple[str, ...]
    metas: dict[str, str]  # URL -> what is handed to its page, JSON
    refuse: dict[str, str]
    drop: str
    score: float | None
    relevant: bool | None


class PageHook:
    """Calls the hook for pages. A page that it loses keeps its links, and its bytes in the archive."""

    def __init__(self, hooks: CalledHooks, follower: Follower, canon: Canon, most_links: int) -> None:
        """`most_links`: links that it may add to a page; 0: no limit."""
        self._hooks = hooks
        self._follower = follower
        self._canon = canon
        self._most_links = most_links

    def __call__(
        self,
        response: Response,
        mime: str,
        content: Content,
        links: Links,
        body: Callable[[], bytes],
    ) -> Hooked:
        request = response.request
        page = hook_page(response, mime, content, links, body)
        try:
            result = self._hooks.call(self._asked, page)
        except HookFailedError as error:
            # its other results are those of a page without a hook
            refused = filled(HOOK_PAGE_FAILED, error.words)
            return Hooked(content=content, links=links, refused=refused, error=f"page hook: {error.detail}")
        if result.refuse:
            links = self._follower.refuse(links, self._reasons(request.url, links, result.refuse))
        if result.links:
            metas = {self._canon.resolve(request.url, url): meta for url, meta in result.metas.items()}
            links = self._follower.add(request, links, result.links, {url: metas[url] for url in metas if url})
        refused = filled(HOOK_PAGE, result.drop) if result.drop else NONE
        if refused:
            content = structs.replace(content, metadata=None, text=None, fingerprint_input=None, unread=False)
        return Hooked(
            content=content,
            links=links,
            refused=refused,
            fields=result.fields,
            score=result.score,
            relevant=result.relevant,
        )

    def _asked(self, page: HookPage) -> _Checked:
        """Call the hook and check its result, in the same limits of time and memory."""
        assert self._hooks.page is not None
        result = _result(self._hooks.page(page))
        if not isinstance(result.fields, Mapping):
            raise _wrong("fields", "a dict", result.fields)
        if isinstance(result.links, str) or not isinstance(result.links, Iterable):
            raise _wrong("links", "a list of URLs", result.links)
        links = tuple(str.__str__(each) for each in result.links if _is_text(each))[: self._most_links or None]
        handed = result.links if isinstance(result.links, Mapping) else {}
        if not isinstance(result.refuse, Mapping | str):
            raise _wrong("refuse", "a dict of URLs and reasons, or one reason", result.refuse)
        pairs = {"": result.refuse} if isinstance(result.refuse, str) else result.refuse
        refuse = {text(url): words_of(why, "a reason") for url, why in pairs.items() if _is_text(url)}
        if not isinstance(result.relevant, bool | None):
            raise _wrong("relevant", "True, False or None", result.relevant)
        return _Checked(
            fields=packed(result.fields, "fields", MAX_FIELDS),
            links=links,
            metas=_metas({url: handed[url] for url in links if url in handed}),
            refuse={url: why for url, why in refuse.items() if why},
            drop=words_of(result.drop, "drop"),
            score=None if result.score is None else _finite(result.score),
            relevant=result.relevant,
        )

    def _reasons(self, page: str, links: Links, refuse: Mapping[str, str]) -> dict[int, Code]:
        """The reasons by the keys of the URLs."""
        if "" in refuse:
            return dict.fromkeys((each.key for each in links.resolved), filled(HOOK_LINK, refuse[""]))
        urls = {self._canon.resolve(page, url): why for url, why in refuse.items()}
        return {each.key: filled(HOOK_LINK, urls[each.url]) for each in links.resolved if each.url in urls}


def _result(returned: object) -> HookResult:
    """What a hook decides; a bare yes, no or number is about the subject of the crawl."""
    if isinstance(returned, HookResult):
        return returned
    if returned is None or isinstance(returned, Mapping):
        return HookResult(fields=returned or {})
    if isinstance(returned, bool):
        return HookResult(relevant=returned)
    if isinstance(returned, int | float):
        return HookResult(score=returned)
    raise _wrong("it", "None, a dict of fields, True, False, a number or a ttcrawl.HookResult", returned)


def _finite(score: object) -> float:
    if isinstance(score, bool) or not isinstance(score, int | float):
        raise _wrong("score", "a number", score)
    with suppress(OverflowError):  # an integer beyond all floats
        if math.isfinite(score):
            return float(score)
    raise HookFailedError("wrong result", "score must be a finite number")


def _metas(handed: Mapping[str, object]) -> dict[str, str]:
    """What is handed to pages, by their URLs. Raises HookFailedError if it is no dict of JSON, or too long."""
    metas = {}
    for url, values in handed.items():
        if values is None:
            continue
        if not isinstance(values, Mapping):
            raise _wrong(f"the value of links[{url[:LONGEST]!r}]", "a dict of JSON values, or None", values)
        metas[url] = packed(values, f"the values of links[{url[:LONGEST]!r}]", MAX_META)
    if (size := sum(map(len, metas.values()))) > MAX_FIELDS:
        raise HookFailedError("wrong result", f"the values of links have {size:,} characters, more than {MAX_FIELDS:,}")
    return {url: meta for url, meta in metas.items() if meta}


def _is_text(value: object) -> bool:
    if not isinstance(value, str):
        raise _wrong("a URL", "a text", value)
    return True


def _wrong(name: str, wanted: str, value: object) -> HookFailedError:
    return HookFailedError("wrong result", f"{name} must be {wanted}, not {type(value).__name__}")
