"""The state of a crawl in words."""

from dataclasses import replace

import pytest

from tests.library.sample_crawl import make
from ttcrawl.snapshot.sentences import sentences
from ttcrawl.snapshot.status import status

#: State, and fields of status and pace -> the sentences.
CASES = {
    "done": ({"state": "done", "queued": 0}, {}, ["no URL is queued."]),
    "killed": (
        {"state": "killed", "queued": 1, "hosts_queued": 1},
        {},
        ["all that it had committed is there, and ttcrawl resume continues.", "1 URL is queued on 1 host."],
    ),
    "a limit": ({"state": "max_pages", "queued": 0}, {}, ["by the limit max_pages."]),
    "failed": ({"state": "failed: no space left on device", "queued": 0}, {}, ["no space left on device."]),
    "begun": (
        {"state": "running", "process": "7", "queued": 2},
        {"requests_per_second": None, "pages_per_second": None, "waiting": {}, "seconds_left": None},
        ["it has begun.", "When it ends is unknown: it has no rate yet."],
    ),
    "silent": (
        {"state": "running", "process": "7", "queued": 0},
        {"requests_per_second": 0.0, "pages_per_second": 0.0, "waiting": {}},
        ["no request in the last minute.", "Nothing is queued: it ends when the requests in flight are done."],
    ),
    "waiting": (
        {"state": "running", "process": "7", "queued": 3000},
        {
            "requests_per_second": 12.34,
            "pages_per_second": 10.0,
            "waiting": {"robots.txt first": 1200, "backed off": 3},
            "backed_off_until": 1800003725.0,
            "seconds_left": 4000.0,
            "bound": "a.test: 9 URLs, 1 s each",
        },
        [
            "12.3 requests and 10.0 pages a second in the last minute.",
            "Hosts with queued URLs: 1,200 whose robots.txt is read first; 3 backed off until 09:02:05 UTC.",
            "It ends in 1:06:40 at the earliest, if it discovers no more URLs (a.test: 9 URLs, 1 s each).",
        ],
    ),
}


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    directory = tmp_path_factory.mktemp("sentences") / "crawl"
    make(directory)
    return status(directory, 0, now=1800000000.0)


@pytest.mark.parametrize("name", CASES)
def test_sentences(sample, name):
    fields, of_pace, expected = CASES[name]
    assert sentences(replace(sample, **fields, pace=replace(sample.pace, **of_pace))) == expected
