"""The spider that stands for Scrapy in docs.py and in comparison/: follow every link of the seeds' hosts, keep nothing.

    python scrapy_spider.py LOG HOST:PORT:ADDRESS... [SETTING=VALUE...]

Run by the interpreter of .venv-bench, where Scrapy lives; it imports nothing of this project.
"""

from __future__ import annotations

import sys

from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
from scrapy.resolver import dnscache
from scrapy.spiders import CrawlSpider, Rule

SETTINGS = {
    "ROBOTSTXT_OBEY": True,
    "DOWNLOAD_DELAY": 0,
    "CONCURRENT_REQUESTS": 32,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
    "AUTOTHROTTLE_ENABLED": False,
    "HTTPCACHE_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "LOG_LEVEL": "INFO",
}


class Everything(CrawlSpider):
    name = "everything"
    rules = (
        # deny_extensions: ttcrawl fetches what a link names whatever it is called, so Scrapy does too.
        Rule(
            LinkExtractor(tags=("a", "area", "frame", "iframe"), attrs=("href", "src"), deny_extensions=[]), follow=True
        ),
    )


def main(log_file: str, *words: str) -> None:
    settings = dict(word.split("=", 1) for word in words if "=" in word)
    resolve = [word for word in words if "=" not in word]
    seeds = []
    for entry in resolve:
        host, port, address = entry.split(":")
        dnscache[host] = address  # what Scrapy's resolver looks at first
        seeds.append(f"http://{host}:{port}/")
    process = CrawlerProcess({**SETTINGS, **settings, "LOG_FILE": log_file})
    process.crawl(Everything, start_urls=seeds, allowed_domains=[entry.split(":")[0] for entry in resolve])
    process.start()


if __name__ == "__main__":
    main(*sys.argv[1:])
