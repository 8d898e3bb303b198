"""A transport that goes through a proxy."""

from tests.fetch.transports import new_transport
from ttcrawl.config import read


def transport_to(proxy, **keys):
    settings = {"fetch.proxy": proxy, "fetch.connect_timeout": "1", **{f"fetch.{k}": v for k, v in keys.items()}}
    config = read(None, list(settings.items()))
    granted = frozenset({("a.test", "127.0.0.1"), ("b.test", "127.0.0.1"), ("stall.test", "127.0.0.1")})
    return new_transport(config, granted, lambda host: ["::1", "127.0.0.1"] if host == "a.test" else ["127.0.0.1"])
