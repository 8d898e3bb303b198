"""Twenty thousand pages of documentation: none fails; a sample is counted anew, with html5lib and no line of ours."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path
from xml.etree.ElementTree import Element

import html5lib
import pytest

from tests.real.installed import SAMPLE, pages
from ttcrawl.parse.links.extract import extract
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.web.charset.detect import to_utf8

SAMPLE_SIZE = 150_000  # bytes: html5lib takes a second for two of these
#: What few pages have: up to a third of the sample is of them.
RARE = re.compile(
    rb"(?i)<object|<frame|<noframes|<param|background=|longdesc=|<iframe|onchange=|http-equiv=.?refresh|<embed|<video|srcset|<area|onclick=.?[a-z.]*location"
)
URL = "http://docs.example/dir/page.html"
WANTED = Wanted(landmarks=True, anchors=True)

pytestmark = pytest.mark.slow
__all__ = ["pages"]  # the fixture


@pytest.mark.timeout(900)
@pytest.mark.long
def test_no_page_fails(pages: list[Path]) -> None:
    kinds, parts, served = Counter[int](), Counter[int](), Counter[tuple[str, str]]()
    for path in pages:
        page = extract(to_utf8(path.read_bytes(), "")[0], URL, wanted=WANTED)
        served[page.parser, page.error] += 1
        kinds.update(page.kinds)
        parts.update(page.landmarks)
        assert len(page.hrefs) == len(page.kinds) == len(page.landmarks) == len(page.anchors)
    assert served == {("lexbor", ""): len(pages)}
    assert kinds[ord("a")] > 50 * len(pages) and set(b"acnpsSglroG") <= set(kinds), kinds
    assert set(b"-nmfa") <= set(parts), parts


@pytest.mark.timeout(900)
def test_a_sample_is_counted_anew(pages: list[Path]) -> None:
    chance = random.Random("kinds")
    small = [path for path in pages if path.stat().st_size < SAMPLE_SIZE]
    rare = [path for path in small if RARE.search(path.read_bytes())]
    sample = {*chance.sample(rare, min(len(rare), SAMPLE // 3)), *chance.sample(small, SAMPLE)}
    compared = Counter[str]()
    for path in sample:
        html = to_utf8(path.read_bytes(), "")[0]
        ours = Counter(extract(html, URL, wanted=WANTED).kinds.decode())
        tree = html5lib.parse(html.decode(), namespaceHTMLElements=False)
        assert ours == counted(tree), path
        compared += ours
    assert compared.total() > 50 * SAMPLE and set("acnpsSglro") <= set(compared), compared


RELS = (
    *(("canonical", "c"), ("next", "n"), ("prev", "p"), ("previous", "p"), ("stylesheet", "s"), ("icon", "k")),
    *((f"apple-touch-icon{more}", "k") for more in ("", "-precomposed")),
    *(("mask-icon", "k"), ("alternate", "t")),
)
SIMPLE = {
    **{("frame", "src"): "f", ("iframe", "src"): "i", ("img", "src"): "g", ("script", "src"): "S"},
    **{("video", "src"): "v", ("video", "poster"): "v", ("audio", "src"): "v", ("track", "src"): "v"},
    **{("object", "data"): "o", ("embed", "src"): "o"},
    **{("img", "lowsrc"): "g", ("img", "dynsrc"): "v", ("bgsound", "src"): "v"},
    **{(tag, "longdesc"): "D" for tag in ("img", "frame", "iframe")},
    **{(tag, "background"): "g" for tag in ("body", "table", "thead", "tbody", "tfoot", "tr", "td", "th")},
}
GOES = re.compile(
    r"""^\W*(?:window\.|document\.|self\.|top\.|parent\.)*
    (?:location(?:\.href)?\s*=\s*|location\.assign\(|location\.replace\(|window\.open\()
    \s*(?:'[^'"]+'|"[^'"]+")\s*(?:[;,)}]|$)""",
    re.VERBOSE,
)


def counted(tree: Element) -> Counter[str]:
    """The links of a page by kind; of scripts and styles only what is plain enough for these few lines."""
    found = Counter[str]()
    for element in tree.iter():
        if not isinstance(element.tag, str):
            continue
        tag, get = element.tag.rpartition("}")[2], element.get
        for (name, attribute), letter in SIMPLE.items():
            found[letter] += tag == name == element.tag and bool(get(attribute))
        if tag == "a":
            links = [value for key, value in element.items() if key.rpartition("}")[2] == "href"][:1]
            found["a"] += len(links)
            if links and links[0].startswith("javascript:"):
                found["J"] += GOES.match(links[0].removeprefix("javascript:")) is not None
        elif tag == "area":
            found["m"] += get("href") is not None
        elif tag == "link" and get("href"):
            rels = (get("rel") or "").lower().split()
            letter = next((letter for rel, letter in RELS if rel in rels), "l")
            feed = letter == "t" and re.match(r"application/(rss\+xml|atom\+xml|feed\+json)", get("type", ""))
            found["F" if feed else letter] += bool(rels)
        elif tag == "meta" and get("http-equiv", "").lower() == "refresh":
            found["r"] += re.match(r"(?i)\s*[\d.]+\s*[;,\s]\s*(url\s*=)?\s*\S", get("content", "")) is not None
        elif tag == "form" and get("method", "get").lower() == "get":
            controls = [each for each in element.iter() if each.tag in ("input", "select", "textarea", "button")]
            types = [each.get("type", "submit" if each.tag == "button" else "text").lower() for each in controls]
            free = {"hidden", "submit", "image", "reset", "button"}
            plain = all(each.tag in ("input", "button") for each in controls) and set(types) <= free
            found["G"] += plain and not {"submit", "image"}.isdisjoint(types)
        elif tag == "param":
            named = get("name", "").lower() in ("movie", "src", "url", "filename") or get("valuetype") == "ref"
            found["o"] += bool(named and get("value"))
        elif tag in ("noframes", "noembed", "iframe"):
            inside = (
                html5lib.parse(element.text or "", namespaceHTMLElements=False) if "<" in (element.text or "") else []
            )
            found += counted(inside) if len(inside) else Counter()
        elif tag == "style":
            found["u"] += in_css(element.text or "")
        elif tag == "script" and get("type") == "application/ld+json":
            found["j"] += re.sub(r'"@(context|type)": *"[^"]*"', "", json.dumps(json.loads(element.text or ""))).count(
                '"http'
            )
        found["g"] += len([each for each in get("srcset", "").split(",") if each.strip()]) if tag == "img" else 0
        found["u"] += in_css(get("style", ""))
        found["J"] += GOES.match(get("onclick", "")) is not None
    return +found


def in_css(css: str) -> int:
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    return len(re.findall(r"""(?<![\w-])url\(\s*["']?[^#"'\s)]|@import\s*["']""", css))
