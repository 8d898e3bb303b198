"""The crawler that stands for Crawlee in docs.py and comparison/: follow every link of the seeds' hosts, keep nothing.

    python crawlee_crawler.py [--proxy URL] [--delay S] [--timeout S] [--state [--resume]] SEED...

Run by the interpreter of .venv-bench, where Crawlee lives; it imports nothing of this project. In docs.py the server is
its proxy, because Crawlee takes no addresses for host names. `--state` keeps the queue of requests on the disk.
"""

from __future__ import annotations

import argparse
import asyncio
import math
from datetime import timedelta

from crawlee import ConcurrencySettings
from crawlee import service_locator as services
from crawlee.configuration import Configuration
from crawlee.crawlers import ParselCrawler, ParselCrawlingContext
from crawlee.proxy_configuration import ProxyConfiguration
from crawlee.request_loaders import ThrottlingRequestManager
from crawlee.storage_clients import FileSystemStorageClient, MemoryStorageClient
from crawlee.storages import RequestQueue


async def main(options: argparse.Namespace) -> None:
    services.set_configuration(Configuration(purge_on_start=not options.resume))
    services.set_storage_client(FileSystemStorageClient() if options.state else MemoryStorageClient())
    throttled = await _throttled(options.seeds) if options.delay else None
    crawler = ParselCrawler(
        request_manager=throttled,
        navigation_timeout=timedelta(seconds=2 * options.timeout) if options.timeout else None,
        proxy_configuration=ProxyConfiguration(proxy_urls=[options.proxy]) if options.proxy else None,
        concurrency_settings=ConcurrencySettings(min_concurrency=16, desired_concurrency=32, max_concurrency=32),
        respect_robots_txt_file=True,
        use_session_pool=False,
        max_request_retries=1 if options.timeout else 0,
        request_handler_timeout=timedelta(seconds=60),
        configure_logging=False,
    )

    @crawler.router.default_handler
    async def follow(context: ParselCrawlingContext) -> None:
        if throttled:  # a delay of robots.txt was set before, and stays
            throttled.set_crawl_delay(context.request.url, math.ceil(options.delay))
        await context.enqueue_links(strategy="same-hostname")

    await crawler.run(options.seeds)


async def _throttled(seeds: list[str]) -> ThrottlingRequestManager[RequestQueue]:
    queue = await RequestQueue.open()
    return ThrottlingRequestManager(inner=queue, domains=seeds, request_manager_opener=RequestQueue.open)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("seeds", nargs="+")
    parser.add_argument("--proxy", default="")
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--timeout", type=float, default=0.0)
    parser.add_argument("--state", action="store_true")
    parser.add_argument("--resume", action="store_true")
    asyncio.run(main(parser.parse_args()))
