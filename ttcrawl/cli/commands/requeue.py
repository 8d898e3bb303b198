"""`ttcrawl requeue`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ttcrawl.cli.arguments import condition, crawl_directory, group, output_form
from ttcrawl.errors import DONE, UsageError
from ttcrawl.output.shell import command_line

if TYPE_CHECKING:
    from ttcrawl.maintain.requeue import Requeued

SUMMARY = "queue URLs again that have failed or were refused"
IN_HELP = ("Change", 1)
EXAMPLES = (("request again what failed with 503", "requeue crawl-example.org --reason 'http 503'"),)


def options(requeue: argparse.ArgumentParser) -> None:
    crawl_directory(requeue)
    which = group(requeue, "which URLs")
    states = ("failed", "refused", "fetched", "deleted")
    about = "URLs in this state; of fetched ones those with a status of 400 or more"
    which.add_argument("--state", dest="states", choices=states, action="append", default=[], help=about)
    condition(which, "reason", "URLs with this reason, such as 'http 503' or 'timeout*'; * stands for any characters")
    condition(which, "rule", "URLs refused by this rule; * stands for any characters")
    condition(which, "host", "URLs of this host; * stands for any characters")
    condition(which, "url", "this URL; * stands for any characters")
    add = group(requeue, "what is done").add_argument
    about = "do not queue: let recrawl visit URLs that have answered or failed now; without other options, all of them"
    add("--visits", action="store_true", help=about)
    about = "instead: the URLs whose links were only recorded ([links] new = record)"
    add("--recorded", action="store_true", help=about)
    output_form(requeue, "json")


def run(args: argparse.Namespace) -> int:
    from dataclasses import replace

    from ttcrawl.cluster.requeue import make_due_in_rings, requeue_in_rings, requeue_recorded_in_rings
    from ttcrawl.cluster.stopped_rings import complete_in_rings
    from ttcrawl.maintain.requeue import Which, make_due, requeue, requeue_recorded
    from ttcrawl.output.display import ReadProgress
    from ttcrawl.snapshot.named_url import complete
    from ttcrawl.store.mailbox import is_cluster
    from ttcrawl.web.url import host

    if args.recorded and any((args.states, args.reasons, args.rules, args.hosts, args.urls, args.visits)):
        raise UsageError("--recorded queues all URLs whose links were only recorded: leave the other options out")
    directory, cluster = args.directory, is_cluster(args.directory)
    hosts = [host(each) if "://" in each else each for each in map(str.lower, args.hosts)]
    which = Which(states=args.states, reasons=args.reasons, rules=args.rules, hosts=hosts, urls=args.urls)
    which = replace(which, urls=(complete_in_rings if cluster else complete)(directory, args.urls))
    with ReadProgress() as progress:
        progress("URLs", 0, 0)
        if args.recorded:
            count = (requeue_recorded_in_rings if cluster else requeue_recorded)(directory)
            lines = _number(args, "queued", count, "resume")
        elif args.visits:
            lines = _number(args, "due", (make_due_in_rings if cluster else make_due)(directory, which), "recrawl")
        else:
            lines = _requeued(args, (requeue_in_rings if cluster else requeue)(directory, which))
    print("\n".join(lines))
    return DONE


def _number(args: argparse.Namespace, what: str, urls: int, command: str) -> list[str]:
    from ttcrawl.output.json_form import json_form

    if args.format == "json":
        return [json_form({what: urls}, indent=None)]
    return [_numbered(args, what, urls, command)]


def _numbered(args: argparse.Namespace, what: str, urls: int, command: str) -> str:
    """How many URLs are `what`, and which command requests them."""
    from ttcrawl.output.number import counted
    from ttcrawl.store.mailbox import command_to_continue

    hint = f"; {command_to_continue(args.directory, command)} requests {'it' if urls == 1 else 'them'}" if urls else ""
    return f"{counted(urls, 'URL', 'is', 'are')} {what}{hint}"


def _requeued(args: argparse.Namespace, result: Requeued) -> list[str]:
    from ttcrawl.output.json_form import json_form
    from ttcrawl.output.untrusted import escape_untrusted

    if args.format == "json":
        rows = [{"state": state, "reason": reason, "urls": urls} for (state, reason), urls in result.queued.items()]
        return [json_form({"queued": rows, "unreachable": result.unreachable})]
    lines = [
        f"{urls:>9,}  {state}: {escape_untrusted(reason)}" for (state, reason), urls in result.queued.most_common()
    ]
    lines.append(_numbered(args, "queued again", result.queued.total(), "resume"))
    if args.urls and not any((args.states, args.reasons, args.rules, result.queued, result.unreachable)):
        visit = command_line(
            "requeue", args.directory, "--visits", *(word for url in args.urls for word in ("--url", url))
        )
        lines.append(f"None of these has failed or was refused; {visit} lets recrawl visit what was fetched")
    if result.unreachable:
        lines.append(f"Left as they are, because no link that is followed leads there: {result.unreachable:,}")
    return lines
