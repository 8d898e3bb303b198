"""`ttcrawl cluster`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ttcrawl.cli.arguments import (
    CONFIGURATION,
    any_key,
    crawl_directory,
    directory,
    group,
    output_form,
    part,
    processes,
    profile,
    run_options,
    settings,
    visit_options,
)
from ttcrawl.cli.commands.export import format_options
from ttcrawl.errors import DONE
from ttcrawl.output.shell import command_line

SUMMARY = "one crawl by several crawl processes, on one or more machines"
IN_HELP = ("Crawl", 4)
EXAMPLES = (
    ("a crawl by four rings on this machine", "cluster crawl --seeds seeds.txt --rings 4 -d big"),
    ("what each ring is doing", "cluster status big"),
    ("continue after a stop", "cluster resume big"),
    ("visit all pages once more that are due", "cluster recrawl big --once"),
    ("stop it, as Ctrl-C does", "cluster stop big"),
    ("let one more ring join", "cluster join big"),
    ("let ring 2 give its hosts to the others", "cluster leave big --ring 2"),
    ("one crawl of all rings", "cluster gather big -o one"),
    ("the pages of each ring in object storage", "cluster export big --format parquet -o s3://bucket/big"),
)


def options(cluster: argparse.ArgumentParser) -> None:
    actions: Any = cluster.add_subparsers(metavar="ACTION", required=True, help="what is done")
    crawl = part(actions, "crawl", _crawl, "crawl from seeds into a new directory, with several rings")
    crawl.add_argument("seeds", metavar="SEED", nargs="*", help="URLs at which the crawl begins")
    crawl.add_argument("--rings", metavar="N", type=processes, default=2, help="number of rings (default: 2)")
    about = "the directory of the cluster (default: crawl-HOST)"
    crawl.add_argument("-d", dest="directory", metavar="DIR", type=directory, help=about)
    _ray(crawl)
    _detach(crawl)
    run_options(crawl)
    settings(group(crawl, CONFIGURATION))
    profile(group(crawl, CONFIGURATION))
    _resume_options(part(actions, "resume", _resume, "continue the crawl of a cluster that stopped for any reason"))
    recrawl = part(actions, "recrawl", _recrawl, "continue it for ever: its pages are visited again, by [revisit]")
    _resume_options(recrawl)
    visit_options(recrawl)
    status = part(actions, "status", _status, "what a cluster is doing, and each of its rings")
    crawl_directory(status)
    _from_other_machines(status)
    output_form(status, "json")
    about = "stop the crawl of a cluster as Ctrl-C does, and wait until it has ended"
    stop = part(actions, "stop", _stop, about)
    crawl_directory(stop)
    _from_other_machines(stop)
    about = "let one more ring join the crawl, which runs or has stopped"
    join = part(actions, "join", _join, about)
    crawl_directory(join)
    _from_other_machines(join)
    about = "let a ring give its hosts to the others"
    leave = part(actions, "leave", _leave, about)
    crawl_directory(leave)
    _from_other_machines(leave)
    leave.add_argument("--ring", metavar="N", type=int, required=True, help="the number of the ring")
    about = "join the crawl directories of all rings into one, for every command that reads a crawl"
    gather = part(actions, "gather", _gather, about)
    about = "the directory of the cluster, or of each of its rings"
    gather.add_argument("directories", metavar="DIR", nargs="+", type=directory, help=about)
    gather.add_argument(
        "-o", "--out", dest="out", metavar="DIR", type=directory, required=True, help="the directory that is written"
    )
    about = "let each ring write its part of an export where its directory is, or into object storage"
    export = part(actions, "export", _export, about)
    crawl_directory(export)
    about = "where the parts are written: a directory, s3://BUCKET/PREFIX, gs://BUCKET/PREFIX or file:///DIR"
    export.add_argument("-o", "--out", dest="target", metavar="DIR|URL", required=True, help=about)
    format_options(export)


def _resume_options(command: argparse.ArgumentParser) -> None:
    crawl_directory(command)
    command.add_argument("seeds", metavar="SEED", nargs="*", default=[], help="URLs to add to the seeds")
    _ray(command)
    _detach(command)
    run_options(command)
    any_key(group(command, CONFIGURATION))


def _ray(command: argparse.ArgumentParser) -> None:
    about = "run each ring on a machine of the Ray cluster whose head is there, the one with its disk"
    command.add_argument("--ray", metavar="HOST:PORT", default="", help=about)


def _detach(command: argparse.ArgumentParser) -> None:
    about = "with --ray: return as soon as it has begun; it goes on without this command"
    command.add_argument("--detach", action="store_true", help=about)


def _from_other_machines(command: argparse.ArgumentParser) -> None:
    about = "the head of the Ray cluster that crawls into DIR, on a machine of it that has no DIR"
    command.add_argument("--ray", metavar="HOST:PORT", default="", help=about)


def run(args: argparse.Namespace) -> int:
    status: int = args.part(args)
    return status


def _crawl(args: argparse.Namespace) -> int:
    from ttcrawl.cli.configuration import configuration
    from ttcrawl.cli.crawling import of_requests, seeds_of
    from ttcrawl.cluster.crawl import begin
    from ttcrawl.engine.run.session import job_of

    config = configuration(args, of_requests(args))
    job = job_of(seeds_of(args), args.directory, config, args.progress)
    status = begin(job, args.rings, args.ray, detach=args.detach)
    _print_outcome(args, job.directory)
    return status


def _resume(args: argparse.Namespace) -> int:
    from ttcrawl.cli.crawling import changes_of
    from ttcrawl.cluster.crawl import resume

    status = resume(args.directory, changes_of(args), args.progress, args.ray, detach=args.detach)
    _print_outcome(args, args.directory)
    return status


def _recrawl(args: argparse.Namespace) -> int:
    from ttcrawl.cli.crawling import changes_of
    from ttcrawl.cluster.crawl import Visits, resume

    visits = Visits(once=args.once, known=args.known)
    status = resume(args.directory, changes_of(args), args.progress, args.ray, visits, detach=args.detach)
    _print_outcome(args, args.directory, "recrawl")
    return status


def _status(args: argparse.Namespace) -> int:
    from ttcrawl.cluster.commanded import status
    from ttcrawl.report.rings import render

    print(render(status(args.directory, args.ray), args.format))
    return DONE


def _stop(args: argparse.Namespace) -> int:
    from ttcrawl.cluster.commanded import stop
    from ttcrawl.output.display import tell

    if not stop(args.directory, args.ray):
        tell(f"{args.directory} is not being crawled")
    return DONE


def _join(args: argparse.Namespace) -> int:
    from ttcrawl.cluster.change import joining
    from ttcrawl.cluster.commanded import change
    from ttcrawl.output.display import tell

    resume = command_line("cluster", "resume", args.directory)
    ring, moved = change(args.directory, joining, tell, args.ray)
    done = "has joined and owns its hosts" if moved else f"joins when {resume} continues"
    print(f"ring {ring} {done}")
    return DONE


def _leave(args: argparse.Namespace) -> int:
    from ttcrawl.cluster.change import leaving
    from ttcrawl.cluster.commanded import change
    from ttcrawl.output.display import tell

    resume = command_line("cluster", "resume", args.directory)
    _, moved = change(args.directory, leaving(args.ring), tell, args.ray)
    done = "has left: others own its hosts" if moved else f"leaves when {resume} continues"
    print(f"ring {args.ring} {done}")
    return DONE


def _gather(args: argparse.Namespace) -> int:
    from ttcrawl.cluster.gather import gather
    from ttcrawl.output.display import ReadProgress, tell
    from ttcrawl.output.number import counted

    with ReadProgress() as progress:
        rings = gather(args.directories, args.out, progress, tell)
    print(f"{args.out}: one crawl of {counted(rings, 'ring')}; {command_line('report', args.out)}")
    return DONE


def _export(args: argparse.Namespace) -> int:
    from ttcrawl.cli.commands.export import export_options
    from ttcrawl.export.parts import export_parts
    from ttcrawl.output.display import ReadProgress, tell

    with ReadProgress() as progress:
        written = export_parts(args.directory, export_options(args, None), args.target, progress)
    for path in written:
        tell(f"wrote {path}")
    return DONE


def _print_outcome(args: argparse.Namespace, directory: Path, verb: str = "resume") -> None:
    if args.quiet or args.detach:
        return
    from ttcrawl.cli.crawling import visited_line
    from ttcrawl.cluster.status import cluster_status
    from ttcrawl.output.display import tell
    from ttcrawl.report.rings import render
    from ttcrawl.report.summary import GO_ON

    summary = cluster_status(directory)
    if args.progress != "json":
        print(render(summary, "text"), flush=True)
    if summary.state == "visited":
        tell(visited_line(summary.queued, command_line("cluster", "resume", directory)))
    elif summary.state != "done":
        option, more = GO_ON.get(summary.state, ("", ""))
        command = command_line("cluster", verb, directory) + option
        tell(f"stopped ({summary.state}) with {summary.queued:,} queued; {command} continues{more}")
