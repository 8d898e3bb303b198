"""The report is readable in both schemes, by the contrasts of WCAG 2.2, as Chromium draws it too."""

import re
import shutil
from pathlib import Path

import pytest

from tests.support.contrast import contrast
from tests.support.crawls.crawling import crawl
from tests.support.web.site import Answer, Web, page
from ttcrawl.cli import main
from ttcrawl.report.html.colours import FIGURES, OF_PAGE, PAGE, TILES, with_variables
from ttcrawl.report.html.style import STYLE
from ttcrawl.report.plots import chapters, lsh, style

PLOTS = Path(style.__file__).parent

#: Variable -> the least contrast to the background.
LEAST = {"text": 4.5, "soft": 4.5, "link": 4.5, "visited": 4.5, "mark": 3.0}
#: What stands on something else than the background: the curve, its last point and its mark, and text on a shade.
ON_OTHERS = [("f0072b2", "t0", 3.0), ("soft", "t0", 3.0), ("text", "shade", 4.5)]
DECORATION = {"back", "line", "shade"} | {f"t{number}" for number in range(len(TILES))}


def test_contrast_is_that_of_the_standard():
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)


def colours(scheme):
    """Variable -> its colour, as the style defines it."""
    light, dark = re.findall(r":root {((?: --\w+: #[0-9a-f]{6};)+) }", STYLE)
    return dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", (light, dark)[scheme]))


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_every_colour_of_the_page_and_its_figures(scheme):
    of = colours(scheme)
    least = {name: LEAST.get(name, 3.0) for name in of.keys() - DECORATION}
    pairs = [(name, "back", ratio) for name, ratio in least.items()]
    pairs += [*ON_OTHERS, *(("text", f"t{number}", 4.5) for number in range(len(TILES)))]
    low = [
        (one, other, contrast(of[one], of[other]))
        for one, other, ratio in pairs
        if contrast(of[one], of[other]) < ratio
    ]
    assert low == []
    assert PAGE.keys() == LEAST.keys() | {"back", "line", "shade"}


def test_every_colour_that_is_used_has_a_value_in_both_schemes():
    """An unknown variable is black."""
    used = set(re.findall(r"var\(--(\w+)\)", STYLE))
    assert used <= colours(0).keys() == colours(1).keys() and used >= LEAST.keys()


def test_every_colour_of_a_figure_has_one_in_the_report():
    used = {look[0] for look in style.LOOKS} | {style.DARK, style.REFERENCE, style.SHADE, style.STYLE["grid.color"]}
    used |= {*chapters.COLOURS, chapters.OTHERS, lsh.LIGHT}
    assert {each.lower() for each in used} | {"#000000", "#ffffff"} == FIGURES.keys() | OF_PAGE.keys()
    written = {each for path in PLOTS.glob("*.py") for each in re.findall(r"#[0-9a-fA-F]{6}\b", path.read_text())}
    assert {each.lower() for each in written} <= FIGURES.keys() | OF_PAGE.keys()


def test_a_colour_without_a_variable_stays_as_it_is():
    assert with_variables('<path style="fill: #123456"/>') == '<path style="fill: #123456"/>'


def test_hatches_follow_the_scheme_too():
    assert with_variables('<rect fill="#e69f00"/>') == '<rect style="fill: var(--fe69f00)"/>'


SITE = {("a.test", f"/{n}" if n else "/"): Answer(body=page("/", "/1", "/2", "/gone", title="T")) for n in range(3)}

#: The contrast of each text and shape to what is behind it: [what, foreground, background, whether it is text].
MEASURE = """() => {
  const rgb = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const hex = text => "#" + rgb(text).slice(0, 3).map(part => Math.round(part).toString(16).padStart(2, "0")).join("");
  const behind = element => {
    for (let each = element; each; each = each.parentElement) {
      const colour = rgb(getComputedStyle(each).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return hex(getComputedStyle(each).backgroundColor);
    }
    return "none";
  };
  const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || parent.closest("script, style, svg")) continue;
    found.push([parent.tagName, hex(getComputedStyle(parent).color), behind(parent), true]);
  }
  for (const shape of document.querySelectorAll("svg path, svg use, svg rect"))
    for (const paint of ["fill", "stroke"]) {
      const colour = getComputedStyle(shape)[paint];
      if (!shape.closest("clipPath, defs, pattern") && colour.startsWith("rgb"))
        found.push([paint, hex(colour), behind(shape.closest("svg")), false]);
    }
  return found;
}"""

#: What a program that reads the page to its user needs; each must be empty.
STRUCTURE = """() => {
  const wrong = [], all = query => [...document.querySelectorAll(query)];
  const check = (name, holds) => { if (!holds) wrong.push(name); };
  check("lang", document.documentElement.lang === "en");
  check("title", document.title.trim());
  check("one h1", all("h1").length === 1);
  check("one main", all("main").length === 1 && all("main h1").length === 1);
  check("named nav", all("nav").every(each => each.getAttribute("aria-label")));
  check("named tables", all("table").every(each =>
    each.getAttribute("aria-label") || document.getElementById(each.getAttribute("aria-labelledby"))));
  check("scopes", all("th").every(each => ["row", "col", "colgroup"].includes(each.scope)));
  check("named figures", all("svg").every(each => each.role === "img" && each.getAttribute("aria-label")));
  check("unique ids", new Set(all("[id]").map(each => each.id)).size === all("[id]").length);
  let level = 0;
  for (const head of all("h1, h2, h3")) {
    check("order of headings", Number(head.tagName[1]) <= level + 1);
    level = Number(head.tagName[1]);
  }
  check("no sideways scrolling", document.documentElement.scrollWidth <= innerWidth);
  return wrong;
}"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    directory = tmp_path_factory.mktemp("report")
    with Web(SITE) as web:
        crawls = [crawl(web, web.url("a.test", "/"), directory / each, "--no-obey-delay").directory for each in "ab"]
    with pytest.MonkeyPatch.context() as patch, (directory / "report.html").open("w") as out:
        patch.setattr("sys.stdout", out)
        assert main(["report", *map(str, crawls), "--format", "html"]) == 0
    return directory / "report.html"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("chromium") is None, reason="no chromium: apt-get install chromium")
@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_as_drawn(report, scheme, width):
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        drawn = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        drawn.goto(report.as_uri())
        found, wrong = drawn.evaluate(MEASURE), drawn.evaluate(STRUCTURE)
        drawn.emulate_media(media="print", color_scheme=scheme)
        on_paper = drawn.evaluate(MEASURE)
        browser.close()
    decoration = {PAGE[name][side] for name in ("line", "back", "shade") for side in (0, 1)} | {
        each for t in TILES for each in t
    }
    for measured, back in ((found, PAGE["back"][scheme == "dark"]), (on_paper, "#ffffff")):
        assert {each[2] for each in measured} == {back} and {each[3] for each in measured} == {True, False}
        low = [
            each
            for each in measured
            if contrast(each[1], each[2]) < (4.5 if each[3] else 3) and (each[3] or each[1] not in decoration)
        ]
        assert low == []
    assert wrong == []


@pytest.mark.slow
def test_no_colour_of_a_figure_is_fixed(report):
    """A report with figures, whatever the scheme."""
    svgs = re.findall(r"<svg.*?</svg>", report.read_text(), re.DOTALL)
    assert svgs and not re.search(r"(fill|stroke)(: |=\")#[0-9a-f]{6}\b", "".join(svgs))
