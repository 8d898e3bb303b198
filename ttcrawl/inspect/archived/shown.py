"""An answer of the archive as a browser is to show it: the one of a URL that is nearest to a moment."""

from __future__ import annotations

import html
import math
from collections.abc import Callable
from dataclasses import dataclass

from ttcrawl.config.compiled import canon_of
from ttcrawl.inspect.archived.rewriting import LONGEST, rewritten, stylesheet
from ttcrawl.output.number import byte_text
from ttcrawl.parse.stylesheet import style_utf8
from ttcrawl.parse.xhtml import as_html
from ttcrawl.snapshot import at_moment, responses
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.history import times
from ttcrawl.snapshot.named_url import named_url, undiscovered
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.html import HTML_TYPES
from ttcrawl.web.charset.detect import UTF8, to_utf8
from ttcrawl.web.mime.content_type import content_type
from ttcrawl.web.mime.kind import is_font
from ttcrawl.web.url import absolute

HTML, SVG, CSS = "text/html; charset=utf-8", "image/svg+xml", "text/css"

#: Types that a browser shows as they are, and those of texts.
_MEDIA = ("image/", "audio/", "video/")
_TEXTS = ("text/", "application/json", "application/xml", "application/rss+xml", "application/atom+xml")

#: Sec-Fetch-Dest of requests for an image, where an SVG loads nothing and runs nothing.
IMAGE = "image"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """`type`: for Content-Type. `location`: the absolute URL to which the answer leads, "" if it has a body."""

    type: str = HTML
    body: bytes = b""
    location: str = ""


def take_nearest(db: View, text: str, moment: float | None) -> tuple[int, str]:
    """(id, canonical URL) of the URL that a text names. Later queries read its answer nearest to the moment; None: the
    latest one. Raises NotThere."""
    named = named_url(db, canon_of(db.config_or_defaults).canonical, text)
    if named.id is None:
        raise NotThere(undiscovered(db, named.url))
    if moment is not None:
        moments = times(db, named.id)
        if not moments:
            raise responses.no_answer(db, named.id)
        nearest = min(moments, key=lambda each: abs(each - moment))
        at_moment.show(db, named.id, named.url, math.nextafter(nearest, math.inf))
    return named.id, named.url


def shown(
    db: View, text: str, moment: float, to: Callable[[str], str], *, loaded_as: str, after_scripts: bool = False
) -> Shown:
    """Raises NotThere.

    `to`: the address in the archive of an absolute URL. `loaded_as`: the header Sec-Fetch-Dest. `after_scripts`: its
    document after scripts, if it has one.
    """
    id, url = take_nearest(db, text, moment)
    row = db.execute("SELECT status, type, location FROM page WHERE url = ?", (id,)).fetchone()
    if row is None:
        raise responses.no_answer(db, id)
    status, type, location = row
    if location and 300 <= status < 400:
        return Shown(location=_target(url, location))
    if after_scripts and (document := responses.document(db, id, url)) is not None:
        return Shown(body=rewritten(document.decode("utf-8", "replace"), url, UTF8, to, after_scripts=True).encode())
    answer = responses.response(db, id, url)
    body = responses.body(answer, db.config_or_defaults.fetch)
    charset = content_type([answer.header("Content-Type")]).charset
    if type in HTML_TYPES:
        page, encoding, *_ = to_utf8(body, charset, url)
        return Shown(body=rewritten(as_html(page, type).decode("utf-8", "replace"), url, encoding, to).encode())
    if type == CSS:
        style = style_utf8(body, charset, url).utf8[:LONGEST].decode("utf-8", "replace")
        return Shown(type=f"{CSS}; charset=utf-8", body=stylesheet(style, url, to).encode())
    if type == SVG and loaded_as not in (IMAGE, ""):
        return Shown(body=f'<!doctype html><img alt="" src="{html.escape(to(url))}">'.encode())
    if type.startswith(_MEDIA) or is_font(type):
        return Shown(type=type, body=body)
    return Shown(body=_as_text(body, charset, url, type).encode())


def source(db: View, id: int, url: str) -> str:
    """The body of the latest answer as text. Raises NotThere."""
    answer = responses.response(db, id, url)
    body = responses.body(answer, db.config_or_defaults.fetch)
    return _decoded(body, content_type([answer.header("Content-Type")]).charset, url)


def _decoded(body: bytes, charset: str, url: str) -> str:
    return to_utf8(body, charset, url).utf8.decode("utf-8", "replace")


def _as_text(body: bytes, charset: str, url: str, type: str) -> str:
    """A page with a text, or about bytes that are none."""
    if type.startswith(_TEXTS) or type.endswith(("+json", "+xml", "script")):
        return f"<!doctype html><pre>{html.escape(_decoded(body, charset, url)[:LONGEST])}</pre>"
    about = f"{type or 'an unknown type'}, {byte_text(len(body))}"
    return f"<!doctype html><p>{html.escape(about)}: this is not shown here."


def _target(url: str, location: str) -> str:
    target, fragment = absolute(url, location), location.partition("#")[2]
    if not target:
        raise NotThere(f"{url} leads to {location}, which is not a URL")
    return target + (f"#{fragment}" if fragment else "")
