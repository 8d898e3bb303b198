"""Items of a site that was fetched before: `ttcrawl extract` beside a Scrapy spider with its HTTP cache.

    python -m benchmarks.extract [PAGES]

Both fetch the same generated shop once, which is not measured. Then both make the same items of it three times in turn,
as after a change of the function. Scrapy is in .venv-bench (`benchmarks.crawlers`).
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).parent.parent
SCRAPY = ROOT / ".venv-bench" / "bin" / "python"
RUNS = 3
TEXT = "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore"
FUNCTION = """
def page(page):
    price = page.tree.css_first(".price") if page.tree else None
    if price:
        return {"name": page.title, "price": float(price.text().strip("€ "))}
"""


def shop(number: int, pages: int) -> str:
    """A page of about 12 KB; number 0 links to all."""
    if not number:
        return "<title>shop</title>" + "".join(f"<a href='/{n}'>{n}</a> " for n in range(1, pages + 1))
    words = random.Random(number)
    text = "".join(f"<p>{' '.join(words.choices(TEXT.split(), k=80))}</p>" for _ in range(22))
    price = f"<span class=price>€ {number / 10:.2f}</span>"
    return f"<!DOCTYPE html><title>Product {number}</title><h1>Product {number}</h1>{price}{text}<a href='/'>shop</a>"


def server(pages: int) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            known = self.path[1:].isdigit() or self.path == "/"
            body = shop(int(self.path[1:] or 0), pages).encode() if known else b"none"
            self.send_response(200 if known else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    return made


def timed(command: Sequence[object], directory: Path) -> float:
    """Wall time of a command, seconds."""
    begun = time.perf_counter()
    subprocess.run([*map(str, command)], cwd=directory, check=True, capture_output=True)
    return time.perf_counter() - begun


def items_in(path: Path) -> set[tuple[str, float]]:
    return {(each["name"], each["price"]) for each in map(json.loads, path.read_text().splitlines())}


def main(pages: int = 500) -> None:
    made = server(pages)
    seed = f"http://127.0.0.1:{made.server_port}/"
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        (directory / "shop.py").write_text(FUNCTION)
        ttcrawl = (sys.executable, "-m", "ttcrawl")
        no_delay = ("--set", "politeness.delay=0", "--set", "agent.contact=bench@example.org")
        spider = (SCRAPY, ROOT / "benchmarks" / "scrapy_items.py", directory / "cache", seed, "scrapy.jsonl")
        timed((*ttcrawl, "crawl", seed, "-d", "crawl", "--progress", "none", *no_delay), directory)
        timed(spider, directory)
        made.shutdown()  # from here on nobody can request anything
        made.server_close()
        extract = (*ttcrawl, "extract", "crawl", "shop.py:page", "--again", "-o", "ttcrawl.jsonl")
        for _ in range(RUNS):
            for who, command in (("ttcrawl extract", extract), ("Scrapy with its cache", spider)):
                print(f"{who:<22} {timed(command, directory):6.2f} s", flush=True)
        ours, others = (items_in(directory / f"{each}.jsonl") for each in ("ttcrawl", "scrapy"))
        print(f"{len(ours):,} items, {'the same' if ours == others else 'NOT the same'}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
