"""The hosts of a soak: those of tests.soak.weeks, whose pages change, and hostile ones."""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass, replace
from functools import cached_property
from ipaddress import IPv4Address

from tests.soak.kept import Settings
from tests.soak.weeks.web import EXCLUDED, Host, generated, truth
from tests.support.web.greedy_hosts import greedy
from tests.support.web.site import Answer

#: (host, path)
Key = tuple[str, str]

#: Seconds from one change of a page to the next, in intervals between two visits. 0: it never changes.
PERIODS = (0, 1.5, 3, 6, 12)

FIRST_HOSTILE = IPv4Address("127.200.0.1")


@dataclass(frozen=True)
class Hosts:
    settings: Settings

    @cached_property
    def answers(self) -> dict[Key, Answer | list[Answer]]:
        """What is served: nothing by the hosts that are dead."""
        found = dict(self._generated.at_first())
        for number in range(self.settings.hostile):
            found |= greedy(number)
        return found

    @cached_property
    def addresses(self) -> dict[str, str]:
        """Of all hosts, the dead ones too."""
        hostile = dict.fromkeys(host for number in range(self.settings.hostile) for host, _ in greedy(number))
        known = {each.name: each.address for each in self._generated.hosts}
        return known | {host: str(FIRST_HOSTILE + number) for number, host in enumerate(hostile)}

    @cached_property
    def honest(self) -> dict[str, Host]:
        return {each.name: each for each in self._generated.of_health("well")}

    def delay(self, host: str) -> float:
        """Seconds that are due between two requests to a host."""
        return self.honest[host].delay or self.settings.delay if host in self.honest else self.settings.delay

    @cached_property
    def truth(self) -> dict[Key, tuple[str, str]]:
        """URL of an honest host -> its state and reason, when all were requested."""
        everywhere = {path: set(self.addresses) for path in EXCLUDED}
        return {key: each for key, each in truth(self._generated, everywhere).items() if key[0] in self.honest}

    @cached_property
    def _generated(self):
        return generated(self.settings.hosts, self.settings.delay)

    # -- editions of a page: they follow from the moment, so servers that are started again show the same -------------

    @cached_property
    def changing(self) -> list[Key]:
        pages = [key for key in self.answers if key[1].startswith("/p/") and key[1] != "/p/2"]
        return [key for key in pages if key[0] in self.honest and self._period(key)]

    def edition(self, key: Key, moment: float) -> int:
        return math.floor((moment - self.settings.begun) / self._period(key) + _draw(key) / 1e3 % 1)

    def next_change(self, key: Key, moment: float) -> float:
        number = self.edition(key, moment) + 1
        return self.settings.begun + (number - _draw(key) / 1e3 % 1) * self._period(key)

    def shown(self, key: Key, edition: int) -> Answer:
        """A third of the pages have no validator."""
        answer = self.answers[key]
        assert isinstance(answer, Answer)
        words = " ".join(f"w{_draw(key):x}e{edition}n{number}" for number in range(40))
        body = answer.body.replace(b"</title>", b", edition %d</title>" % edition, 1)
        body = body.replace(b"<ul>", f"<p>{words}\n<ul>".encode(), 1)
        if _draw(key) % 3 == 0:
            return replace(answer, body=body)
        return replace(answer, body=body, headers=(("ETag", f'"{edition}"'),), conditional=True)

    def _period(self, key: Key) -> float:
        return self.settings.interval * PERIODS[_draw(key) % len(PERIODS)]


def _draw(key: Key) -> int:
    return zlib.crc32("".join(key).encode())
