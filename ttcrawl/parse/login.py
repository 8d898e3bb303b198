"""The pages of a login: their forms, and whether an answer shows that the user is logged in or not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ttcrawl.config import Config
from ttcrawl.config.forms import Sign, forms, signs
from ttcrawl.parse.answer import Response, answer_of
from ttcrawl.parse.content import ContentReader
from ttcrawl.ring.forms import FormFields
from ttcrawl.ring.messages import PAGE, LoginStep
from ttcrawl.web.canon import Canon
from ttcrawl.web.charset.detect import to_utf8
from ttcrawl.web.coding.decode import CodingError
from ttcrawl.web.fields import reference
from ttcrawl.web.scope.chosen import pattern_of
from ttcrawl.web.url import host

#: Types of fields that are sent only if the user does something.
UNSENT = frozenset(("file", "image", "reset", "button", "submit"))


class LoginReader:
    """Reads what concerns the sessions of [login] form."""

    def __init__(self, config: Config, canon: Canon, contents: ContentReader) -> None:
        self._canon, self._contents = canon, contents
        self._forms = forms(config.login.form)
        self._success = signs(config.login.success, "success")
        self._lost = signs(config.login.lost, "lost")
        self._patterns = {each.value: pattern_of(each.value) for each in self._lost if each.kind == "url"}

    # -- pages of the crawl -----------------------------------------------------------------------------------------

    def is_lost(self, response: Response, location: str | None) -> bool:
        """Whether an answer shows that the session is lost. `location`: the header of a redirect; None: it is none."""
        if not self._forms or response.request.kind != PAGE:
            return False
        url = response.request.url
        authority = host(url)
        form = next((each for each in self._forms if each.covers(authority)), None)
        if form is None:
            return False
        wanted = [each for each in self._lost if each.covers(authority)]
        target = (self._canon.resolve(url, location) or "") if location is not None else ""
        if not wanted:
            return bool(target) and _page(target) == _page(form.url) != _page(url)
        return any(self._shows(each, response, target) for each in wanted)

    def _shows(self, sign: Sign, response: Response, target: str) -> bool:
        if sign.kind == "status":
            return response.head.status == int(sign.value)
        if sign.kind == "url":
            return bool(target) and self._patterns[sign.value].search(target) is not None
        return not target and sign.value in self._markup(response)

    # -- pages of a login -------------------------------------------------------------------------------------------

    def step(self, response: Response, location: str | None) -> LoginStep:
        url, token = response.request.url, response.request.token
        if location is not None:
            return LoginStep(token=token, location=self._canon.resolve(url, location) or "")
        markup = self._markup(response)
        tree = LexborHTMLParser(markup)
        base = tree.css_first("base[href]")
        here = (self._canon.resolve(url, base.attributes.get("href") or "") if base is not None else None) or url
        return LoginStep(
            token=token,
            forms=tuple(self._form(each, tree, here, url) for each in tree.css("form")),
            password=tree.css_first("input[type=password i]") is not None,
            texts=tuple(each.kind != "text" or each.value in markup for each in self._success),
        )

    def _form(self, form: LexborNode, tree: LexborHTMLParser, base: str, url: str) -> FormFields:
        action = reference(form.attributes.get("action") or "")
        return FormFields(
            action=(self._canon.resolve(base, action) if action else url) or "",
            post=_keyword(form, "method") == "post",
            multipart=_keyword(form, "enctype") == "multipart/form-data",
            fields=tuple(_fields(form, tree)),
        )

    def _markup(self, response: Response) -> str:
        """The text of a body with its tags; "" if it cannot be decoded."""
        with suppress(CodingError):
            plain = self._contents.plain(response, cut=response.cut)
            answer = answer_of(response, plain, self._contents.mime_type(response, plain))
            return to_utf8(answer.body, answer.charset, answer.request.url)[0].decode("utf-8", "replace")
        return ""


def _keyword(node: LexborNode, attribute: str) -> str:
    return (node.attributes.get(attribute) or "").strip().lower()


def _page(url: str) -> str:
    """A URL without its query, and http and https as one."""
    parts = urlsplit(url)
    return parts.netloc + parts.path


def _fields(form: LexborNode, tree: LexborHTMLParser) -> Iterator[tuple[str, str]]:
    """The fields of a form with their values (HTML, "constructing the entry list"), as its first button sends them."""
    inside = form.css("input, select, textarea, button")
    if name := form.attributes.get("id"):
        everywhere = tree.css("input[form], select[form], textarea[form], button[form]")
        known = {each.mem_id for each in inside}  # elements are equal if their markup is
        inside += [each for each in everywhere if each.attributes.get("form") == name and each.mem_id not in known]
    button = False
    for each in inside:
        about = each.attributes
        name, value = about.get("name"), about.get("value")
        kind = (about.get("type") or ("submit" if each.tag == "button" else "text")).lower()
        if "disabled" in about:
            continue
        if kind == "submit" and each.tag in ("input", "button") and not button:
            button = True
            if name:
                yield name, value or ""
        if not name or kind in UNSENT:
            continue
        if each.tag == "select":
            chosen = each.css_first("option[selected]") or each.css_first("option")
            if chosen is not None:
                yield name, chosen.attributes.get("value") or chosen.text(strip=True)
        elif each.tag == "textarea":
            yield name, each.text()
        elif kind not in ("checkbox", "radio"):
            yield name, value or ""
        elif "checked" in about:
            yield name, "on" if value is None else value
