"""What if: which URLs would another rule refuse, and which would come?"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ttcrawl.inspect.why.as_if import REPLAYABLE
from ttcrawl.inspect.why.replay import replayed
from ttcrawl.output.shell import command_line
from ttcrawl.store.stamp import stamp_of
from ttcrawl.window.rendering import render
from ttcrawl.window.viewed import crawl_of

#: Rules of an address, and characters of each, that count.
MOST, LONGEST = 10, 500

#: Seconds for which a result is shown while the crawl goes on.
UNCHANGED = 30.0

EXAMPLES = ("exclude=*.pdf", "allow=*/news/*", "crawl.max_depth=3", "scope.max_redirects=2", "links.nofollow=no")


def show(request: Request) -> Response:
    crawl = crawl_of(request)
    texts = [text.strip()[:LONGEST] for text in request.query_params.getlist("rule")]
    rules = tuple(dict.fromkeys(filter(None, texts)))[:MOST]
    item = None
    if rules:
        item = request.app.state.work.item(
            ("what-if", crawl.name, rules),
            lambda progress: replayed(crawl.directory, rules, progress),
            stamp=stamp_of(crawl.directory),
            lasts=UNCHANGED,
        )
    options = [word for rule in rules or ("exclude=PATTERN",) for word in ("--as-if", rule)]
    return render(
        request,
        "what-if.html",
        title="What if",
        command=command_line("why", crawl.directory, *options),
        refresh=1 if item and not item.over.is_set() else 0,
        rules=rules,
        item=item,
        changes=item.result if item and item.ready else None,
        examples=EXAMPLES,
        keys=[f"{section}.{key}" for section, keys in REPLAYABLE.items() for key in sorted(keys)],
    )


ROUTES = (Route("/what-if", show),)
