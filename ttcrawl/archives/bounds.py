"""How far an import goes: links are recorded, and no URL is queued, because nothing is requested. Pure."""

from __future__ import annotations

from ttcrawl.config import Config
from ttcrawl.frontier.bounds import Bounds, bounds
from ttcrawl.store.rows import UrlPath
from ttcrawl.vocabulary.reason import NOT_IN_ARCHIVE, Code


class ArchiveBounds(Bounds, frozen=True, kw_only=True):
    """Every URL waits for a record with its answer, in this import or a later one."""

    def refusal(self, url: str, path: UrlPath) -> tuple[Code, str]:
        reason, rule = self.limit(url, path)
        return (reason, rule) if reason else (NOT_IN_ARCHIVE, "")

    def replaces(self, reason: Code, earlier: Code) -> bool:
        return super().replaces(reason, earlier) or (reason == NOT_IN_ARCHIVE and self.depends_on_path(earlier))


def archive_bounds(config: Config) -> ArchiveBounds:
    """Return the bounds of an import; no scope holds, because no URL is requested."""
    limits = bounds(config, None, None, None)
    return ArchiveBounds(**{name: getattr(limits, name) for name in ArchiveBounds.__struct_fields__})
