"""What `ttcrawl check` is told to check: a crawl, a folder with the files of a site, a sitemap, or seeds."""

from __future__ import annotations

import argparse
import os
import re
from enum import Enum
from pathlib import Path

from ttcrawl.errors import UsageError
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.regular import is_there
from ttcrawl.vocabulary.kind import KINDS
from ttcrawl.web.scheme import with_scheme
from ttcrawl.web.sitemaps.read import FORMS
from ttcrawl.web.url import canonical

#: Only what a sitemap lists is a page; other links are checked, and not followed.
OF_SITEMAP = (
    ("links.kinds", "sitemap"),
    ("links.recorded", " ".join(kind.name for kind in KINDS if kind.name not in ("sitemap", "text"))),
)

#: A URL of a sitemap, or of an index of sitemaps.
_SITEMAP = re.compile(r"https?://[^/?#]*/[^?#]*(?:\.xml|sitemap[^/?#]*\.txt)(?:\.gz)?(?:[?#].*)?", re.IGNORECASE)


#: The suffix of the file of a page.
_PAGE = re.compile(r"\.x?html?", re.IGNORECASE)


class Target(Enum):
    CRAWL = "the directory of a crawl"
    FOLDER = "a folder with the files of a site"
    SITEMAP = "a sitemap"
    SEEDS = "seeds"


def target_of(args: argparse.Namespace) -> Target:
    """Raises UsageError for options that have no meaning for it."""
    if not (args.seeds or args.seed_files):
        raise UsageError("name a URL, a file with seeds (--seeds FILE), a folder, or the directory of a crawl to check")
    target = target_named(args.seeds[0]) if len(args.seeds) == 1 else Target.SEEDS
    unfit = {"--as": args.mounted} if target is not Target.FOLDER else {}
    if target is Target.CRAWL:
        unfit |= {"-d": args.directory, "-c": args.config, "--max-pages": vars(args)["crawl.max_pages"]}
    if target in (Target.CRAWL, Target.FOLDER):
        unfit["--seeds"] = args.seed_files or None
    if target in (Target.SITEMAP, Target.SEEDS) and args.offline:
        raise UsageError("--offline requests nothing: name the directory of a crawl, or a folder")
    if option := next((each for each, value in unfit.items() if value is not None), ""):
        purpose = "a folder" if option == "--as" else "a new crawl"
        instead = f"{args.seeds[0]} is {target.value}" if args.seeds else f"there are {target.value}"
        raise UsageError(f"{option} is for {purpose}, and {instead}: leave it out")
    return target


def target_named(text: str) -> Target:
    """What one word of the command line is. Raises UsageError for a file that is no sitemap, a directory that is
    neither crawl nor site, and a path to nothing."""
    path = Path(text)
    if os.path.isfile(text):  # also of a URL that is longer than the names of files
        if _PAGE.fullmatch(path.suffix):  # its URLs are links to other sites, of which nobody asked for a check
            raise UsageError(f"{text} is a page, not a sitemap: name the folder with the files of its site")
        return Target.SITEMAP
    if not os.path.isdir(text):
        if _is_path(text):
            raise UsageError(f"{text} does not exist: name a folder, the directory of a crawl, a sitemap or a URL")
        return Target.SITEMAP if _SITEMAP.fullmatch(text) else Target.SEEDS
    if is_there(path / "crawl.db"):
        return Target.CRAWL
    if any(path.rglob("*.htm*")) or any(path.rglob("*.xhtml")):
        return Target.FOLDER
    raise UsageError(f"{path} is not a crawl directory, and no folder with HTML files: name one of them, or a URL")


def _is_path(text: str) -> bool:
    """Whether a word that names no file is rather the path of one than a host: `build/htm` beside a folder `build`."""
    first, slash, _ = text.partition("/")
    if "://" in text:
        return False
    return first in ("", ".", "..", "~") or (os.path.exists(first) if slash else not with_scheme(text, canonical))


def has_listing(db: View) -> bool:
    """Whether a crawl has read a sitemap, or a file with seeds, that lists anything."""
    forms = ", ".join(f"'{form}'" for form in FORMS)
    listed = f"SELECT 1 FROM page JOIN outlinks ON source = page.url WHERE parser IN ({forms}) LIMIT 1"
    return db.execute(listed).fetchone() is not None
