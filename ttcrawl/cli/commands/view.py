"""`ttcrawl view`."""

from __future__ import annotations

import argparse

from ttcrawl.cli.arguments import between, crawl_directories

SUMMARY = "look at crawls in a browser, running or done"
IN_HELP = ("Look", 2)
EXAMPLES = (
    ("look at a crawl", "view crawl-example.org"),
    ("also stop it, go on, queue URLs again and apply rules", "view crawl-example.org --control"),
    ("a search for the visitors of a site", "view crawl-example.org --public-search --port 8080"),
)


def options(view: argparse.ArgumentParser) -> None:
    crawl_directories(view)
    add = view.add_argument
    add("--port", metavar="N", type=between(0, 65535), default=0, help="the port on 127.0.0.1 (default: a free one)")
    add("--open", action="store_true", help="open the address in the browser")
    about = "let the window stop the crawl, go on with it, queue URLs again and apply rules"
    add("--control", action="store_true", help=about)
    about = "instead: the search alone, for visitors of a site: without token, at most 30 queries a minute for each"
    add("--public-search", action="store_true", help=about)
    about = "with --public-search: the address of this machine at which it listens (default: 127.0.0.1)"
    add("--host", metavar="ADDRESS", default="127.0.0.1", help=about)
    about = "instead: Datasette over the tables, with labels, counts and queries, for those who want SQL"
    add("--sql", action="store_true", help=about)


def run(args: argparse.Namespace) -> int:
    from ttcrawl.snapshot.opening import connect
    from ttcrawl.window.application import Settings
    from ttcrawl.window.serving import serve
    from ttcrawl.window.viewed import viewed

    crawls = viewed(args.directories)
    for each in crawls.values():
        if not each.rings and not each.cluster:
            connect(each.directory).close()  # a wrong name is an error here, not a page
    if args.sql:
        from ttcrawl.export.sql import serve_sql

        directories = [each.directory for each in crawls.values() if not each.rings]
        return serve_sql(directories, args.port, open_browser=args.open)
    settings = Settings(control=args.control, public_search=args.public_search)
    return serve(crawls, settings, args.port, open_browser=args.open, host=args.host)
