"""The crawler that stands for Crawlee in docs.py: follow every link of the seeds' hosts, keep nothing.

    python crawlee_crawler.py PROXY SEED...

Run by the interpreter of .venv-bench, where Crawlee lives; it imports nothing of this project. The documentation server
is its proxy, because Crawlee takes no addresses for host names.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import timedelta

from crawlee import ConcurrencySettings
from crawlee.crawlers import ParselCrawler, ParselCrawlingContext
from crawlee.proxy_configuration import ProxyConfiguration
from crawlee.storage_clients import MemoryStorageClient


async def main(proxy: str, *seeds: str) -> None:
    crawler = ParselCrawler(
        storage_client=MemoryStorageClient(),
        proxy_configuration=ProxyConfiguration(proxy_urls=[proxy]),
        concurrency_settings=ConcurrencySettings(min_concurrency=16, desired_concurrency=32, max_concurrency=32),
        respect_robots_txt_file=True,
        use_session_pool=False,
        max_request_retries=0,
        request_handler_timeout=timedelta(seconds=60),
        configure_logging=False,
    )

    @crawler.router.default_handler
    async def follow(context: ParselCrawlingContext) -> None:
        await context.enqueue_links(strategy="same-hostname")

    await crawler.run(list(seeds))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
