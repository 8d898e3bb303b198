"""The links of a page as the tables have them."""

import pytest

from tests.support.crawls.any_messages import sample
from ttcrawl.config import Config
from ttcrawl.config.compiled import compile_canon, compile_scope
from ttcrawl.parse.links.extract import no_page
from ttcrawl.parse.links.follow import Follower
from ttcrawl.ring.messages import Request
from ttcrawl.vocabulary.region import RECORDED

pytestmark = pytest.mark.usefixtures("reader")

URL = "http://a.test/"
ANCHOR, IMAGE = b"ag"


def follow(kind, anchors):
    config = Config()
    follower = Follower(config, compile_scope(config.scope, [URL]), compile_canon(config.url))
    hrefs = [f"/{number}" for number in range(len(anchors))]
    request = sample(Request, url=URL, depth=1, requisite=0)
    return follower.follow(request, no_page(URL, hrefs, kind, anchors), nofollow=False)


@pytest.mark.parametrize(
    ("anchors", "stored"),
    [
        (("a", 'b"\\/', "\u00e9\u65e5\U0001f600"), '["a","b\\"\\\\/","\u00e9\u65e5\U0001f600"]'),
        (("\0\x1f\n\x7f\u2028",), '["\\u0000\\u001f\\n\x7f\u2028"]'),
        (("a\ud83d", "\ud83d\ude00"), '["a\ufffd","\U0001f600"]'),  # surrogates, of escapes in scripts
    ],
)
def test_texts_of_links_are_json(anchors, stored):
    assert follow(ANCHOR, anchors).outlinks.anchors == stored


def test_kinds_that_are_only_recorded_have_their_letter():
    regions = {kind: follow(kind, ("a", "b")).outlinks.regions for kind in (ANCHOR, IMAGE)}
    assert regions == {ANCHOR: b"cc", IMAGE: bytes([RECORDED, RECORDED])}
