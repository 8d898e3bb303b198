"""Pages from templates: all that comes from the web is escaped, and written as the rest of the program writes it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from ttcrawl.cluster.named import Named
from ttcrawl.output.moments import moment
from ttcrawl.output.number import byte_text, counted
from ttcrawl.output.readable import readable
from ttcrawl.output.shell import command_line
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.snapshot.sentences import duration, state_word


def href(crawl: Named | str, screen: str = "", **query: object) -> str:
    """The address of a screen of a crawl; parameters that are None or "" are left out, lists are repeated.

    >>> href("news", "urls", state="failed", host="")
    '/news/urls?state=failed'
    """
    name = crawl if isinstance(crawl, str) else crawl.name
    text = urlencode({key: value for key, value in query.items() if value not in (None, "", [])}, doseq=True)
    return f"/{name}/{screen}" + (f"?{text}" if text else "")


def _environment() -> Environment:
    loader = FileSystemLoader(Path(__file__).parent / "templates")
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "number": "{:,}".format,
        "decimal": "{:,.1f}".format,
        "bytes": lambda count: byte_text(int(count)),
        "counted": counted,
        "moment": lambda seconds: moment(seconds)[:-4],
        "duration": duration,
        "url": lambda text: escape_untrusted(readable(text)),  # a URL for eyes; hrefs are made by `href`
        "text": escape_untrusted,
        "state_word": state_word,
        "zip": zip,
    }
    environment.globals |= {"href": href, "command_line": command_line}
    return environment


ENVIRONMENT = _environment()


def render(
    request: Request, template: str, *, title: str, command: str = "", status: int = 200, **data: Any
) -> HTMLResponse:
    """The page of a template. `title`: the question of the screen; `command`: the line that prints the same."""
    return HTMLResponse(render_text(request, template, title=title, command=command, **data), status)


def render_text(request: Request, template: str, **data: Any) -> str:
    state = request.app.state
    crawl = state.crawls.get(request.path_params.get("crawl", ""))
    common: Mapping[str, Any] = {
        "crawl": crawl,
        "crawls": state.crawls,
        "settings": state.settings,
        "form_token": state.safety.form,
        "screen": request.url.path.split("/")[2] if crawl else "",
        "now": time.time(),
        "refresh": 0,  # seconds; with `events`, for browsers without script alone
        "events": False,
    }
    return ENVIRONMENT.get_template(template).render({**common, **data})
