"""Forms that work like links: method GET and no control to fill in (HTML standard 4.10.21.3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from msgspec import Struct

from ttcrawl.parse.links.query import of_form
from ttcrawl.web.charset.detect import UTF8
from ttcrawl.web.charset.encoding import encoding_name, output_encoding, standard_name

MOST = 50  # maximum forms per page, so that nested forms cost no quadratic time
CONTROLS = frozenset(("input", "button", "select", "textarea", "fieldset"))

_NOTHING = frozenset(("hidden", "submit", "image", "reset", "button"))  # types that the user does not fill in
_NEWLINE = re.compile(r"\r\n?|\n")

Attributes = Mapping[str, str]


class Submission(Struct, frozen=True, kw_only=True):
    href: str
    button: int  # index of the pressed button among the controls


def submission(
    form: Attributes, controls: Iterable[tuple[str, Attributes]], page: str, charset: str = UTF8
) -> Submission | None:
    """The target of the form when its first button is pressed, None if the form is not a link.

    `controls` are the (tag, attributes) of its CONTROLS in tree order; `page` is the URL of the page, the target of a
    form without an action. The query is in the encoding that the form accepts, else in `charset`, which is the page's.
    """
    charset = output_encoding(_accepted(form) or charset)
    entries: list[tuple[str, str]] = []
    pressed: tuple[int, Attributes] | None = None
    for index, (tag, control) in enumerate(controls):
        if is_filled_in(tag, control):
            return None
        kind, name = control.get("type", "").lower(), control.get("name", "")
        if "disabled" in control or tag not in ("input", "button"):
            continue
        if tag == "input" and kind == "hidden":
            if name:
                entries.append(
                    (name, standard_name(charset) if name.lower() == "_charset_" else control.get("value", ""))
                )
        elif pressed is None and _submits(tag, kind):
            pressed = index, control
            entries += _of_button(tag, kind, name, control.get("value"))
    if pressed is None or _method(form, pressed[1]) != "get":
        return None
    action = pressed[1].get("formaction") or form.get("action") or page
    query = "&".join(f"{_encoded(name, charset)}={_encoded(value, charset)}" for name, value in entries)
    return Submission(href=f"{action.partition('#')[0].partition('?')[0]}?{query}", button=pressed[0])


def is_filled_in(tag: str, control: Attributes) -> bool:
    """Whether the user can fill in something. A disabled fieldset counts as such: it is too rare to analyse."""
    if tag == "fieldset":
        return "disabled" in control
    choice = tag in ("select", "textarea") or (tag == "input" and control.get("type", "").lower() not in _NOTHING)
    return choice and "disabled" not in control


def _submits(tag: str, kind: str) -> bool:
    return kind in ("submit", "image") if tag == "input" else kind not in ("reset", "button")


def _of_button(tag: str, kind: str, name: str, value: str | None) -> list[tuple[str, str]]:
    if tag == "input" and kind == "image":  # as if pressed with the keyboard
        return [(f"{name}.x" if name else "x", "0"), (f"{name}.y" if name else "y", "0")]
    if not name:
        return []
    return [(name, "Submit" if value is None and tag == "input" else value or "")]


def _method(form: Attributes, button: Attributes) -> str:
    """get, also for invalid values (the invalid value default)."""
    method = button.get("formmethod", form.get("method", "")).lower()
    return method if method in ("post", "dialog") else "get"


def _accepted(form: Attributes) -> str:
    """The first encoding in accept-charset, "" if it names none."""
    return next(filter(None, map(encoding_name, form.get("accept-charset", "").split())), "")


def _encoded(text: str, charset: str) -> str:
    return of_form(_NEWLINE.sub("\r\n", text), charset)
