"""How long a request takes, and how many bytes it brings: as recorded, or drawn from what its host took."""

from __future__ import annotations

import random
from statistics import median

from ttcrawl.lab.record import RecordedWeb
from ttcrawl.web.url import host, key

#: Of a request in a record without requests, seconds.
USUAL = 0.1


class Times:
    """With a generator of chance, each request takes the time of a recorded request to its host, drawn at random
    (bootstrap); without one, a URL takes its own, and a URL that was not requested the median of its host."""

    def __init__(self, web: RecordedWeb, chance: random.Random | None) -> None:
        self._chance = chance
        self._own = web.requests
        of_hosts: dict[str, list[float]] = {}
        for each in web.urls.values():
            if (known := web.requests.get(each.key)) is not None:
                of_hosts.setdefault(each.host, []).append(known[0])
        self._of_hosts = of_hosts
        self._medians = {name: median(seconds) for name, seconds in of_hosts.items()}
        self._usual = median(self._medians.values()) if self._medians else USUAL

    def of(self, url: str) -> tuple[float, int]:
        """Return the seconds of a request and the bytes of its answer."""
        own, name = self._own.get(key(url)), host(url)
        if self._chance is not None and name in self._of_hosts:
            return self._chance.choice(self._of_hosts[name]), own[1] if own else 0
        return own if own is not None else (self._medians.get(name, self._usual), 0)
