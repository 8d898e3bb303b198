"""Which key of config.ini stands behind a reason of the ledger. Pure."""

from __future__ import annotations

from collections.abc import Callable

from ttcrawl.config import Config


def ruling(config: Config) -> Callable[[str], str]:
    """A function from a reason to the key that brought it about, "" where none did.

    >>> ruling(Config())("trap: path")
    '[traps] max_segments = 20'
    """
    scope, traps, fetch = config.scope, config.traps, config.fetch
    keys = {
        **{f"scope: {mode}": f"[scope] scope = {mode}" for mode in ("host", "domain", "list")},
        "scope: length": f"[scope] max_url = {scope.max_url}",
        "redirects": f"[scope] max_redirects = {scope.max_redirects}",
        "depth": f"[crawl] max_depth = {config.crawl.max_depth}",
        "outside content": f"[links] follow = {config.links.follow}",
        "kind": f"[links] kinds = {config.links.kinds}",
        "nofollow": f"[links] nofollow = {config.links.nofollow}",
        "duplicate": f"[duplicates] follow = {'yes' if config.duplicates.follow else 'no'}",
        "trap: repeated segments": f"[traps] repeats = {traps.repeats}",
        "trap: path": f"[traps] max_segments = {traps.max_segments}",
        "trap: query": f"[traps] max_parameters = {traps.max_parameters}",
        "trap: calendar": f"[traps] years_ahead = {traps.years_ahead}",
        "trap: permuted query": f"[traps] permutations = {traps.permutations}",
        "trap: same content": f"[traps] same_content = {traps.same_content}",
        "trap: same bytes": f"[traps] same_bytes = {traps.same_bytes}",
        "trap: urls": f"[traps] urls_per_page = {traps.urls_per_page}",
        "trap: host": f"[traps] pages_per_host = {traps.pages_per_host}",
        "too large": f"[fetch] max_body = {fetch.max_body}",
        "type": f"[fetch] types = {fetch.types}",
        "bomb": f"[fetch] max_decoded = {fetch.max_decoded}, max_ratio = {fetch.max_ratio}",
        "blocked address": f"[safety] allow = {config.safety.allow}".rstrip(),
    }
    return lambda reason: keys.get(reason, "")
