"""The site, the crawls of it that commands work on, and their options."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.crawls.crawling import options_for
from tests.support.crawls.postgresql import Postgresql
from tests.support.crawls.preforked import run
from tests.support.web.site import Web

CONFIG = """
[crawl]
fetchers = 2
parsers = 2
[politeness]
delay = 0.02
address_delay = 0
backoff = 1
[fetch]
retries = 1
retry_wait = 0.3
[store]
warc_size = 60000
[duplicates]
soft_404 = 30
[revisit]
interval = 1
longest = 60
shortest = 1
"""

Words = list[object]


@dataclass(slots=True)
class Ground:
    """The site, and crawls of it that are made once and copied."""

    web: Web
    directory: Path
    server: Postgresql | None  # None: not installed
    _bases: dict[str, Path] = field(default_factory=dict)

    def crawl(self, directory: Path, *more: object) -> Words:
        """A crawl of three hosts, with these seeds and options besides."""
        config = self.directory / "config.ini"
        config.write_text(CONFIG)
        seeds = [self.web.url(host, "/") for host in ("a.test", "b.test", "c.test")]
        options = [*options_for(self.web), "-c", config, "--files", "--progress", "none"]
        return ["crawl", *seeds, "-d", directory, *options, *more]

    def base(self, name: str, *more: object, before: tuple[str, ...] = ()) -> Path:
        """A crawl with these options, which is made at the first call. `before`: what is before the command."""
        if name not in self._bases:
            directory = self.directory / f"base-{name}"
            ended = run(*before, *self.crawl(directory, *more), timeout=300)
            assert ended.returncode in (0, 3), ended.stderr
            self._bases[name] = directory
        return self._bases[name]

    def copy(self, name: str, *more: object) -> Callable[[Path], None]:
        """What makes a copy of a base in a new directory."""

        def prepare(directory: Path) -> None:
            shutil.copytree(self.base(name, *more), directory / "c", copy_function=shutil.copy2)

        return prepare
