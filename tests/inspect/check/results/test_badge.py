"""The badge is a picture that says the worst level in words, with enough contrast to be read."""

import xml.etree.ElementTree as ET

import pytest

from tests.inspect.check.results.report import broken, report
from ttcrawl.inspect.check.kinds import MISSING_TITLE, REDIRECT, Problem
from ttcrawl.inspect.check.results.badge import AMBER, GRAY, GREEN, RED, as_badge
from ttcrawl.inspect.check.rules import Rules

SVG = "{http://www.w3.org/2000/svg}"
WARNING = Problem(kind=MISSING_TITLE, url="http://a.test/t")
NOTICE = Problem(kind=REDIRECT, url="http://a.test/r")


@pytest.mark.parametrize(
    ("problems", "text", "color"),
    [
        ((), "passing", GREEN),
        ((NOTICE,), "passing", GREEN),
        ((NOTICE, WARNING), "1 warning", AMBER),
        ((NOTICE, WARNING, broken("/x"), broken("/y")), "2 errors", RED),
        (tuple(broken(f"/{n}") for n in range(2_611)), "2,611 errors", RED),
    ],
)
def test_badge(problems, text, color):
    root = ET.fromstring(as_badge(report(*problems), Rules()))
    assert root.find(f"{SVG}title").text == f"site check: {text}" and root.get("role") == "img"
    boxes, words = root.findall(f"{SVG}rect"), root.findall(f"{SVG}text")
    assert [each.text for each in words] == ["site check", text]
    assert [each.get("fill") for each in boxes] == [GRAY, color]
    edges = [(int(each.get("x")), int(each.get("x")) + int(each.get("width"))) for each in boxes]
    assert edges[0][0] == 0 and edges[0][1] == edges[1][0] and edges[1][1] == int(root.get("width"))
    for (left, right), each in zip(edges, words, strict=True):
        assert left < int(each.get("x")) and int(each.get("x")) + int(each.get("textLength")) < right


def luminance(color):
    """WCAG 2.2, relative luminance."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("color", [GRAY, GREEN, AMBER, RED])
def test_white_letters_can_be_read(color):
    assert 1.05 / (luminance(color) + 0.05) >= 4.5
