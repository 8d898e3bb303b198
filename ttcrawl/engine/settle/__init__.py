"""How an outcome changes the state of a URL and its host; part of the crawl process, which passes its state."""

from ttcrawl.engine.settle.hosts import HostSettler
from ttcrawl.engine.settle.parse_queue import ParseQueue
from ttcrawl.engine.settle.probes import ProbeSettler
from ttcrawl.engine.settle.soft404_marker import Soft404Marker, Soft404s
from ttcrawl.engine.settle.trap_memory import TrapMemory
from ttcrawl.engine.settle.urls import UrlSettler
from ttcrawl.engine.settle.visits import Visits

__all__ = [
    "HostSettler",
    "ParseQueue",
    "ProbeSettler",
    "Soft404Marker",
    "Soft404s",
    "TrapMemory",
    "UrlSettler",
    "Visits",
]
