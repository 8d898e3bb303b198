"""Whole answers as bytes: a head, sometimes an odd one, and a body in some framing and coding."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.fuzz.soak import hostile, real
from tests.fuzz.soak.mutated import mutated, mutated_zip

Made = tuple[bytes, str]


def real_file(chance: random.Random) -> Made:
    body, mime = real.any_file(chance)
    return mutated(body, chance), mime


def document(chance: random.Random) -> Made:
    body, mime = real.document(chance)
    return (mutated_zip if body.startswith(b"PK") else mutated)(body, chance), mime


def image(chance: random.Random) -> Made:
    body, mime = real.image(chance)
    return mutated(body, chance), mime


def page(chance: random.Random) -> Made:
    return mutated(hostile.page(chance).encode("utf-8", "surrogatepass"), chance), "text/html"


def recoded(chance: random.Random) -> Made:
    body, mime = real_file(chance) if chance.random() < 0.5 else page(chance)
    body, charset = real.recoded(body[:50_000], chance)
    return body, f"{mime}; charset={charset}"


def listing(chance: random.Random) -> Made:
    text, mime = chance.choice((hostile.feed, lambda chance: (hostile.sitemap(chance), "text/xml")))(chance)
    return mutated(text.encode("utf-8", "surrogatepass"), chance), mime


def noise(chance: random.Random) -> Made:
    return chance.randbytes(int(2 ** chance.uniform(0, 14))), chance.choice(
        ("application/octet-stream", "text/html", "text/plain")
    )


def same(chance: random.Random) -> Made:
    """What several URLs answer."""
    return hostile.page(random.Random(chance.randrange(3))).encode("utf-8", "surrogatepass"), "text/html"


#: Kinds of answers and how often they are made.
KINDS: dict[str, tuple[Callable[[random.Random], Made], int]] = {
    "file": (real_file, 8),
    "page": (page, 8),
    "recoded": (recoded, 3),
    "listing": (listing, 3),
    "document": (document, 2),
    "image": (image, 2),
    "same": (same, 3),
    "noise": (noise, 1),
}
STATUSES = (
    *(b"200 OK",) * 30,
    b"404 Not Found",
    b"410 Gone",
    b"302 Found",
    b"301",
    b"308 \xff\0\r",
    b"304 x",
    b"206 P",
    b"500 E",
    b"299 ",
    b"599 x",
)


def answer(kind: str, chance: random.Random) -> bytes:
    """One answer, byte for byte."""
    body, mime = KINDS[kind][0](chance)
    return framed(body, mime, chance)


def listed(kind: str, chance: random.Random) -> bytes:
    """A robots.txt or a sitemap."""
    made = hostile.robots(chance) if kind == "robots" else hostile.sitemap(chance)
    body = made.encode("utf-8", "surrogatepass")
    return framed(mutated(body, chance) if chance.random() < 0.5 else body, "text/plain", chance, odd=0.1)


def framed(body: bytes, mime: str, chance: random.Random, odd: float = 0.3) -> bytes:
    status = chance.choice(STATUSES) if chance.random() < odd else b"200 OK"
    fields = [f"Content-Type: {mime}".encode()] if chance.random() > odd / 3 else []
    if chance.random() < odd / 2:
        coding = chance.choice(list(real.CODINGS))
        body = real.CODINGS[coding](body)
        body = mutated(body, chance) if chance.random() < 0.3 else body
        fields.append(f"Content-Encoding: {coding}".encode())
    if chance.random() < odd:
        fields += [hostile.field(chance) for _ in range(chance.randint(1, 8))]
    if status[:1] == b"3":
        fields.append(b"Location: " + hostile.value(chance).replace("\n", "").encode("utf-8", "surrogatepass")[:3000])
    framing = chance.random()
    if framing < 0.1:
        fields.append(b"Transfer-Encoding: chunked")
        body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body) if body else b"0\r\n\r\n"
    elif framing < 0.8:
        fields.append(b"Content-Length: %d" % len(body))
    elif framing < 0.85:
        fields.append(b"Content-Length: " + hostile.number(chance).encode())
    chance.shuffle(fields)
    head = b"HTTP/1.1 %b\r\n" % status + b"".join(each + b"\r\n" for each in fields) + b"Connection: close\r\n\r\n"
    if chance.random() < odd / 20:
        head = mutated(head, chance)
    return head + body


def web(seed: int, size: int) -> dict[str, bytes]:
    """Name -> answer: N.http is that of http://a.test/N, robots-N.http the robots.txt of another host."""
    chance = random.Random(seed)
    kinds, weights = list(KINDS), [often for _, often in KINDS.values()]
    answers = {
        f"{n}.http": answer(chance.choices(kinds, weights)[0], random.Random(f"{seed} {n}")) for n in range(size)
    }
    for kind in ("robots", "sitemap"):
        for n in range(3):
            answers[f"{kind}-{n}.http"] = listed(kind, random.Random(f"{seed} {kind} {n}"))
    return answers
