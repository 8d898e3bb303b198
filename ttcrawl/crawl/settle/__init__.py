"""How an outcome changes the state of a URL and its host; part of the crawl process, whose state it is given."""

from ttcrawl.crawl.settle.flight import Flight
from ttcrawl.crawl.settle.hosts import HostSettler
from ttcrawl.crawl.settle.judge import Judge
from ttcrawl.crawl.settle.probes import ProbeSettler
from ttcrawl.crawl.settle.reading import Reading
from ttcrawl.crawl.settle.told import Told
from ttcrawl.crawl.settle.urls import UrlSettler
from ttcrawl.crawl.settle.visits import Visits

__all__ = ["Flight", "HostSettler", "Judge", "ProbeSettler", "Reading", "Told", "UrlSettler", "Visits"]
