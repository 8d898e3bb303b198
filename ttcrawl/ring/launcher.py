"""What the crawl process wants of a ring."""

from __future__ import annotations

from typing import Any, Protocol

from ttcrawl.ring.messages import Request, Twin


class Launcher(Protocol):
    """The ring of processes, or the inline one."""

    def ready(self) -> None: ...

    def room(self) -> bool: ...

    def launch(self, request: Request) -> None: ...

    def read(self, token: int, twin: Twin | None) -> None: ...

    def receive(self, timeout: float) -> list[Any]: ...

    def archived(self) -> dict[str, int]: ...

    def under_way(self) -> list[tuple[str, str, float]]: ...

    def close(self) -> None: ...
