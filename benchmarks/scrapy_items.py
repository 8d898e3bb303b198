"""The spider beside `ttcrawl extract`: items of a shop, with Scrapy's HTTP cache.

    python scrapy_items.py CACHE SEED ITEMS.jsonl

Run by the interpreter of .venv-bench, where Scrapy lives; it imports nothing of this project.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from scrapy import Spider
from scrapy.crawler import CrawlerProcess


class Shop(Spider):  # type: ignore[misc]
    name = "shop"

    def parse(self, response: Any) -> Iterator[Any]:
        price = response.css(".price::text").get()
        if price:
            yield {"name": response.css("title::text").get(), "price": float(price.strip("€ "))}
        yield from response.follow_all(css="a")


def main(cache: str, seed: str, items: str) -> None:
    settings = {
        "HTTPCACHE_ENABLED": True,
        "HTTPCACHE_DIR": cache,
        "ROBOTSTXT_OBEY": False,
        "DOWNLOAD_DELAY": 0,
        "CONCURRENT_REQUESTS": 32,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "WARNING",
        "FEEDS": {items: {"format": "jsonlines", "overwrite": True}},
    }
    process = CrawlerProcess(settings)
    process.crawl(Shop, start_urls=[seed])
    process.start()


if __name__ == "__main__":
    main(*sys.argv[1:])
