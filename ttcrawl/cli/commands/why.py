"""`ttcrawl why`."""

from __future__ import annotations

import argparse

from ttcrawl.cli.arguments import crawl_directory, output_form
from ttcrawl.cli.readable import crawl_to_read
from ttcrawl.errors import DONE, FAILED, UsageError

SUMMARY = "the life of a URL: discovery, decisions, requests, outcome"
IN_HELP = ("Look", 3)
EXAMPLES = (
    ("why was this page not fetched?", "why crawl-example.org https://example.org/a.pdf"),
    ("all URLs by state, reason and rule", "why crawl-example.org --summary"),
    ("what would another rule change?", "why crawl-example.org --as-if 'exclude=*.pdf'"),
)


def options(why: argparse.ArgumentParser) -> None:
    add = why.add_argument
    crawl_directory(why)
    add("urls", metavar="URL", nargs="*", default=[], help="URLs to explain, discovered or not, or HOST/PATH or /PATH")
    add("--summary", action="store_true", help="instead: all URLs by state, reason and rule")
    about = "instead: what exclude=PATTERN, allow=PATTERN or section.key=value would have changed (repeatable)"
    add("--as-if", dest="as_if", metavar="RULE", action="append", default=[], help=about)
    about = "with --as-if: make these the rules of the crawl, and change the URLs that wait or were refused"
    add("--apply", action="store_true", help=about)
    output_form(why, "json")


def run(args: argparse.Namespace) -> int:
    """The exit status is 1 if a URL is not in the crawl."""
    if bool(args.urls) + args.summary + bool(args.as_if) != 1:
        raise UsageError("give one of these: URLs, --summary, or --as-if")
    if args.apply and not args.as_if:
        raise UsageError("--apply needs rules: --as-if RULE --apply")
    from dataclasses import asdict

    from ttcrawl.cli.styles import OF_SUMMARY, OF_WHY
    from ttcrawl.inspect.why import life_text
    from ttcrawl.inspect.why.facts import as_fields
    from ttcrawl.inspect.why.life import life
    from ttcrawl.inspect.why.open_crawl import open_crawl
    from ttcrawl.inspect.why.summary import summary, summary_text
    from ttcrawl.output.display import ReadProgress
    from ttcrawl.output.json_form import json_form
    from ttcrawl.output.terminal import show

    if args.as_if:
        return _as_if(args)
    in_json = args.format == "json"
    with open_crawl(crawl_to_read(args.directory)) as crawl:
        if args.summary:
            with ReadProgress() as progress:
                reasons = summary(crawl, progress)
            text = json_form([asdict(each) for each in reasons]) if in_json else summary_text(reasons)
            show(text, args.format, OF_SUMMARY)
            return DONE
        lives = [life(crawl, url) for url in args.urls]
    text = json_form([as_fields(each) for each in lives]) if in_json else "\n\n".join(map(life_text.text, lives))
    show(text, args.format, OF_WHY)
    return DONE if all(each.entry for each in lives) else FAILED


def _as_if(args: argparse.Namespace) -> int:
    from dataclasses import asdict

    from ttcrawl.cluster.apply_rules import apply_in_rings
    from ttcrawl.inspect.why.as_if import as_if_rules
    from ttcrawl.inspect.why.open_crawl import open_crawl
    from ttcrawl.inspect.why.replay import changes_text, replay
    from ttcrawl.maintain.apply_rules import apply_rules
    from ttcrawl.output.display import ReadProgress
    from ttcrawl.output.json_form import json_form
    from ttcrawl.output.terminal import show
    from ttcrawl.store.mailbox import is_cluster

    if args.apply:
        with ReadProgress() as progress:
            apply = apply_in_rings if is_cluster(args.directory) else apply_rules
            changes, applied = apply(args.directory, args.as_if, progress)
        more, after = {"applied": asdict(applied)}, f"\n\n{applied.text(args.directory)}"
    else:
        with open_crawl(crawl_to_read(args.directory)) as crawl:
            rules = as_if_rules(crawl, args.as_if)
            with ReadProgress() as progress:
                changes = replay(crawl, args.as_if, rules, progress)
        more, after = {}, ""
    as_json = args.format == "json"
    show(json_form(asdict(changes) | more) if as_json else changes_text(changes) + after, args.format)
    return DONE
