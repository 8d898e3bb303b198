"""The crawler that stands for Crawlee in browser.py: every page in Chromium, its text and links after scripts.

    python crawlee_browser.py CHROMIUM HOST ADDRESS OUTPUT SEED

Run by the interpreter of .venv-bench, where Crawlee lives; it imports nothing of this project. Like ttcrawl, it waits
until no request was made for half a second. OUTPUT gets a line of JSON for each page: its URL and its text.
"""

from __future__ import annotations

import asyncio
import json
import sys
from datetime import timedelta
from pathlib import Path

from crawlee import ConcurrencySettings
from crawlee.crawlers import PlaywrightCrawler, PlaywrightCrawlingContext
from crawlee.storage_clients import MemoryStorageClient


async def main(program: str, host: str, address: str, output: str, seed: str) -> None:
    crawler = PlaywrightCrawler(
        storage_client=MemoryStorageClient(),
        concurrency_settings=ConcurrencySettings(min_concurrency=2, desired_concurrency=2, max_concurrency=2),
        browser_type="chromium",
        browser_launch_options={
            "executable_path": program,
            "chromium_sandbox": False,
            "args": [f"--host-resolver-rules=MAP {host} {address}"],
        },
        max_request_retries=0,
        use_session_pool=False,
        request_handler_timeout=timedelta(seconds=60),
        configure_logging=False,
    )
    with Path(output).open("w") as lines:

        @crawler.router.default_handler
        async def follow(context: PlaywrightCrawlingContext) -> None:
            await context.page.wait_for_load_state("networkidle")
            text = await context.page.inner_text("body")
            print(json.dumps([context.request.url, text]), file=lines)
            await context.enqueue_links(strategy="same-hostname")

        await crawler.run([seed])


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
