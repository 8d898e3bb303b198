"""Values of keys that other keys imply. Pure.

Applied to its own result, each function changes nothing, so a crawl continues under the config.ini that it used.
"""

from __future__ import annotations

from dataclasses import replace

from ttcrawl.config.links import Links
from ttcrawl.config.sections import Config
from ttcrawl.config.urls import EXTENSIONS, PROGRAMS
from ttcrawl.vocabulary.kind import KINDS

#: Kinds of links that [files] save follows.
FILES = ("image", "media", "object")


def with_implied(config: Config) -> Config:
    config = _with_files(config) if config.files.save else config
    if config.browser.on:  # each thread has a browser of its own
        config = replace(config, crawl=replace(config.crawl, threads=min(config.crawl.threads, config.browser.pages)))
    if config.frontier.best_first:  # the words at links decide
        config = replace(config, links=replace(config.links, anchors=True))
    return replace(config, links=_with_requisites(config.links)) if config.links.page_requisites else config


def _with_files(config: Config) -> Config:
    """Download files, follow images, media and objects; of the default extensions refuse only programs and fonts."""
    kinds = config.links.kinds.replace(",", " ").split()
    kinds += [kind for kind in FILES if kind not in kinds]
    extensions = PROGRAMS if config.scope.extensions == EXTENSIONS else config.scope.extensions
    return replace(
        config,
        links=replace(config.links, kinds=" ".join(kinds)),
        scope=replace(config.scope, extensions=extensions),
        files=replace(config.files, download=True),
    )


def _with_requisites(links: Links) -> Links:
    """Record the kinds of page requisites: the links of a page show what belongs to it.

    >>> _with_requisites(Links(kinds="anchor frame iframe", recorded="css")).recorded
    'css icon stylesheet script image media object'
    """
    names = f"{links.kinds} {links.recorded}".replace(",", " ").split()
    more = [kind.name for kind in KINDS if kind.requisite and kind.name not in names]
    return replace(links, recorded=" ".join((links.recorded, *more)).strip())
