"""What becomes of URLs and hosts by what came of an exchange; part of the crawl process, whose state it is given."""

from ttcrawl.settle.flight import Flight
from ttcrawl.settle.hosts import HostSettler
from ttcrawl.settle.judge import Judge
from ttcrawl.settle.probes import ProbeSettler
from ttcrawl.settle.reading import Reading
from ttcrawl.settle.told import Told
from ttcrawl.settle.urls import UrlSettler
from ttcrawl.settle.visits import Visits

__all__ = ["Flight", "HostSettler", "Judge", "ProbeSettler", "Reading", "Told", "UrlSettler", "Visits"]
