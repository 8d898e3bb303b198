"""What is crawled, where and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path

from ttcrawl.config import Config
from ttcrawl.engine.environment import Look
from ttcrawl.engine.peers import Membership
from ttcrawl.engine.recrawl.recrawls import Recrawl
from ttcrawl.frozen import frozen
from ttcrawl.output.crawl_progress import Form, Progress
from ttcrawl.output.goal import Goal
from ttcrawl.vocabulary.reason import Code
from ttcrawl.web.address import Pairs


@frozen
class Job:
    """The seeds, directory and configuration of a crawl."""

    seeds: tuple[str, ...]  # canonical
    directory: Path
    config: Config
    progress: Form = "auto"
    inline: bool = False
    #: Non-public addresses that may be contacted. None: the seeds' addresses, because a user named them. Seeds from
    #: pages permit no address, and all of them may be errors.
    permitted: Pairs | None = None
    refused: Mapping[str, tuple[Code, str]] = field(default_factory=dict)  # seeds that a hook refuses -> reason, rule
    held_back: Sequence[str] = ()  # see ttcrawl.engine.topic.recall
    temporary: bool = False  # its directory is removed by the command that crawls: a user cannot continue it
    sitemaps: bool = False  # the seeds are sitemaps, of any form
    recrawl: Recrawl | None = None  # URLs are visited again
    membership: Membership | None = None  # in a cluster; the seeds are the cluster's


def progress_of(form: Form, config: Config, directory: Path, also: Sequence[Look] = ()) -> Progress:
    """The display of a crawl, with where it ends as far as that is known when it begins."""
    listed = config.links.kinds.split() == ["sitemap"]
    goal = Goal(pages=config.crawl.max_pages, seconds=config.crawl.max_time, listed=listed)
    return Progress(form, also=also, goal=goal, directory=directory)
