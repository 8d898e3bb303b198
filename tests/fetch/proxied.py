"""A transport that goes through a proxy."""

import time

from ttcrawl.config import read
from ttcrawl.fetch.http import Transport


def transport_to(proxy, **keys):
    settings = {"fetch.proxy": proxy, "fetch.connect_timeout": "1", **{f"fetch.{k}": v for k, v in keys.items()}}
    config = read(None, list(settings.items()))
    granted = frozenset({("a.test", "127.0.0.1"), ("b.test", "127.0.0.1"), ("stall.test", "127.0.0.1")})
    return Transport(
        config, time.time, granted, lambda host: ["::1", "127.0.0.1"] if host == "a.test" else ["127.0.0.1"]
    )
