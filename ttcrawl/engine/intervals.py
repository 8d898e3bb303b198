"""The intervals of the main loop, seconds."""

from __future__ import annotations

#: Longest sleep of the main loop, seconds: how soon it sees a Ctrl-C or a limit of time.
TICK = 0.2

#: Shortest time between two snapshots for those who watch, seconds.
LOOK = 0.1

#: Longest time between commits while something is in flight, seconds: `ttcrawl status` reads it.
HEARTBEAT = 1.0

#: Smallest correction of the clock that is reported, seconds.
AHEAD = 10.0

#: A request is handed out this long before its moment, seconds: the time of a message and of preparing a request.
#: The fetch process sends no packet before the moment itself.
LEAD = 1.5e-3
