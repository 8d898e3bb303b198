"""A site with two near duplicates, each with a link of its own."""

import random

from tests.support.web.site import Answer, page

WORDS = " ".join(random.Random(1).choices([f"word{number}" for number in range(300)], k=150))

HOST = "a.test"


def near(number, *hrefs):
    return Answer(body=page(*hrefs, content=f"<p>{WORDS}</p><p>changed {number}</p>"))


#: /b is nearly /a, and comes after it; /shared is met on it first, and then on a page of the same distance.
SITE = {
    (HOST, "/"): Answer(body=page("/a", "/b", "/c")),
    (HOST, "/a"): near(1, "/of-a"),
    (HOST, "/b"): near(2, "/of-b", "/shared", "/"),
    (HOST, "/c"): Answer(body=page("/shared")),
    **{(HOST, path): Answer(body=page("/", content=path)) for path in ("/of-a", "/of-b", "/shared")},
}

ONE = ("--no-obey-delay", "--set", "politeness.connections=1")
