"""The forms of a page on which a user logs in."""

from types import SimpleNamespace

import pytest

from ttcrawl.config import Config
from ttcrawl.config.compiled import compile_canon
from ttcrawl.parse.answer import response_of
from ttcrawl.parse.login import LoginReader
from ttcrawl.ring.messages import LOGIN, Fetched, Head, Request

URL = "http://a.test/login"


def fields(html):
    """The fields of the first form."""
    config = Config()
    contents = SimpleNamespace(plain=lambda response, cut: response.body, mime_type=lambda response, body: "text/html")
    head = Head(status=200, phrase="OK", version="HTTP/1.1", headers=(), address="")
    request = Request(token=1, kind=LOGIN, url=URL, depth=0, not_before=0)
    fetched = Fetched(
        **{"token": 1, "status": 200, "address": "", "started": 0.0, "ended": 0.0},
        **{"head_size": 0, "body_size": len(html), "refused": "", "digest": b""},
    )
    reader = LoginReader(config, compile_canon(config.url), contents)
    return reader.step(response_of(request, fetched, head, html.encode()), None).forms[0].fields


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<form><input name=a value=b></form>", [("a", "b")]),
        ("<form id=f><input name=a></form><input name=b form=f value=c><input name=d form=g>", [("a", ""), ("b", "c")]),
        ("<form id=f><input name=a form=f></form>", [("a", "")]),
        ("<form id=f><input name=a form=f></form><input name=a form=f>", [("a", ""), ("a", "")]),
        ("<form><input type=checkbox name=a><input type=radio name=b checked></form>", [("b", "on")]),
        ("<form><select name=a><option>b<option selected>c</select><textarea name=d>e</textarea></form>",
         [("a", "c"), ("d", "e")]),
        ("<form><button name=a>b</button><input type=submit name=c></form>", [("a", "")]),
        ("<form><input name=a disabled><input type=file name=b></form>", []),
    ],
)  # fmt: skip
def test_the_fields_of_a_form(html, expected):
    assert fields(html) == tuple(expected)
