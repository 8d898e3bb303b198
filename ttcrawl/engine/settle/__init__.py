"""How an outcome changes the state of a URL and its host; part of the crawl process, which passes its state."""

from ttcrawl.engine.recrawl.another import AnotherAnswer
from ttcrawl.engine.recrawl.settler import RecrawlSettler
from ttcrawl.engine.settle.hosts import HostSettler
from ttcrawl.engine.settle.parse_queue import ParseQueue
from ttcrawl.engine.settle.probes import ProbeSettler
from ttcrawl.engine.settle.soft404_marker import Soft404Marker
from ttcrawl.engine.settle.step_progress import StepProgress
from ttcrawl.engine.settle.urls import UrlSettler
from ttcrawl.engine.settle.visits import Visits

__all__ = [
    "AnotherAnswer",
    "HostSettler",
    "ParseQueue",
    "ProbeSettler",
    "RecrawlSettler",
    "Soft404Marker",
    "StepProgress",
    "UrlSettler",
    "Visits",
]
