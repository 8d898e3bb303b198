"""Import of a file like those of Common Crawl: python -m benchmarks.imports [--records N] [--set KEY=VALUE]

A file of 35,000 pages has 1.3 GB: 71 KB a page unpacked, 75 links, five languages, a host for three pages. It is
generated, the same for the same number. Printed are the processor time of all processes and of each role, the wall time
and the peak of their memory.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import random
import sys
import tempfile
import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

from isal import isal_zlib

from benchmarks.measure import finished

#: Seconds that the import may take.
TIMEOUT = 7200.0

#: Language -> the letters of its words.
LETTERS = {
    "en": "etaoinshrdlucmfwyp",
    "de": "enisratdhulcgmobäöü",
    "ru": "оеаинтсрвлкмдпуяыьгзбчйхжш",
    "ja": "あいうえおかきくけこさしすせそ日本語東京人大",
    "fr": "esaitnrulodcmpéèv",
}
DOMAINS = ("com", "de", "org", "ru", "jp", "fr", "net")
BEGIN = datetime(2024, 2, 20)


class Pages:
    """Pages of as many URLs; the number decides each page."""

    def __init__(self, records: int) -> None:
        self._random = rand = random.Random(1)
        self._records = records
        self._words = {
            language: ["".join(rand.choices(letters, k=rand.randint(2, 10))) for _ in range(4000)]
            for language, letters in LETTERS.items()
        }
        self._hosts = [f"www.site{number}.{rand.choice(DOMAINS)}" for number in range(max(1, records // 3))]
        self._texts = {each: [self._text(each, rand.randint(40, 160)) for _ in range(600)] for each in LETTERS}

    def page(self, number: int) -> tuple[str, str, bytes]:
        """Return (URL, host, body)."""
        rand, language = self._random, self._random.choice(list(LETTERS))
        host = rand.choice(self._hosts)
        links = [self._link(language, host, index) for index in range(max(5, int(rand.expovariate(1 / 75))))]
        half = len(links) // 2
        blocks = "".join(
            f'<div class="block b{index}" id="x{rand.getrandbits(32):x}"><p style="margin:0 auto">'
            f"{rand.choice(self._texts[language])}</p></div>\n"
            for index in range(rand.randint(10, 60))
        )
        script = base64.b64encode(rand.randbytes(int(rand.expovariate(1 / 13_500)))).decode()
        body = (
            f"<!DOCTYPE html><html lang={language}><head><meta charset=utf-8><title>{self._text(language, 6)}</title>"
            f"<script>{script}</script></head><body><nav><ul>{''.join(links[:half])}</ul></nav><main>{blocks}</main>"
            f"<footer>{''.join(links[half:])}</footer></body></html>"
        )
        return f"https://{host}/{rand.choice(self._words['en'])}/{number}", host, body.encode()

    def _link(self, language: str, host: str, index: int) -> str:
        rand, words = self._random, self._words["en"]
        target = host if rand.random() < 0.85 else rand.choice(self._hosts)
        if rand.random() < 0.5:
            path = rand.choice(words[:30])
        else:
            path = f"{rand.choice(words)}/{rand.randint(0, self._records * 3)}"
        text, title = self._text(language, 3), self._text(language, 2)
        return f'<li class="menu-item item-{index}"><a href="https://{target}/{path}" title="{title}">{text}</a></li>\n'

    def _text(self, language: str, words: int) -> str:
        return " ".join(self._random.choices(self._words[language], k=words))


def write(path: Path, records: int) -> None:
    """Write the requests and responses as gzip members, as Common Crawl does."""
    pages, names = Pages(records), random.Random(2)
    with open(path, "wb") as out:
        out.write(member({"WARC-Type": "warcinfo", "WARC-Date": date(0)}, names, b"software: Nutch 1.6 (CC)\r\n"))
        for number in range(records):
            url, host, body = pages.page(number)
            fields = {"WARC-Date": date(number), "WARC-IP-Address": "192.0.2.1", "WARC-Target-URI": url}
            sent = f"GET {url} HTTP/1.1\r\nUser-Agent: CCBot/2.0\r\nHost: {host}\r\n\r\n".encode()
            out.write(member({"WARC-Type": "request", **fields}, names, sent))
            head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=UTF-8\r\nContent-Length: {len(body)}\r\n\r\n"
            block = head.encode() + body
            digests = {"WARC-Payload-Digest": digest(body), "WARC-Block-Digest": digest(block)}
            out.write(member({"WARC-Type": "response", **fields, **digests}, names, block))


def member(fields: Mapping[str, str], names: random.Random, block: bytes) -> bytes:
    kind = fields["WARC-Type"]
    named = {"WARC-Record-ID": f"<urn:uuid:{uuid.UUID(int=names.getrandbits(128))}>"}
    about = "application/warc-fields" if kind == "warcinfo" else f"application/http; msgtype={kind}"
    every = {**fields, **named, "Content-Type": about, "Content-Length": str(len(block))}
    head = "".join(f"{name}: {value}\r\n" for name, value in every.items())
    return bytes(isal_zlib.compress(b"WARC/1.0\r\n" + head.encode() + b"\r\n" + block + b"\r\n\r\n", 2, 31))


def date(number: int) -> str:
    return (BEGIN + timedelta(seconds=number)).strftime("%Y-%m-%dT%H:%M:%SZ")


def digest(data: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(data, usedforsecurity=False).digest()).decode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split(":", 1)[0])
    parser.add_argument("--records", type=int, default=35_000)
    parser.add_argument("--set", action="append", default=[], metavar="SECTION.KEY=VALUE")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(path := folder / "pages.warc.gz", args.records)
        options = ["-q", *(word for each in args.set for word in ("--set", each))]
        command = [sys.executable, "-m", "ttcrawl", "import", str(path), "-d", str(folder / "crawl"), *options]
        measured = finished(command, folder / "output", TIMEOUT)
        size = path.stat().st_size
    roles = ", ".join(f"{role} {seconds:.1f}" for role, seconds in sorted(measured.roles.items()))
    print(f"{args.records:,} records, {size / 1e6:,.0f} MB: {measured.cpu:.1f} s of processor time ({roles}),")
    print(f"{measured.cpu / args.records * 1000:.2f} ms a record; {measured.wall:.1f} s in all;")
    print(f"memory of all processes, peak: {max(size for _, size in measured.memory) / 1e6:,.0f} MB")


if __name__ == "__main__":
    main()
