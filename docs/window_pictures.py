"""Pictures of the window for README and manual, from the demo crawl.

python docs/window_pictures.py            draws them into build/pictures, and says how much differs from the last ones
python docs/window_pictures.py --write    replaces the last ones
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from PIL import Image, ImageChops
from playwright.sync_api import sync_playwright

from ttcrawl.browser.program import program, sandboxed
from ttcrawl.config import Browser

DOCS = Path(__file__).parent
CRAWL = "demo-crawl/obeyed"  # relative: the screens show it
DRAWN = DOCS.parent / "build" / "pictures"
SIZE = {"width": 1100, "height": 760}

#: (name, colours) -> the path of a screen.
SCREENS = {("now", "light"): "/obeyed/", ("urls", "dark"): "/obeyed/urls"}


def draw(address: str) -> list[Path]:
    """The files that were drawn."""
    settings, origin, paths = Browser(use="yes"), address.partition("/?")[0], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program(settings), chromium_sandbox=sandboxed(settings))
        for (name, scheme), path in SCREENS.items():
            page = browser.new_context(color_scheme=scheme, viewport=SIZE).new_page()
            page.goto(address)
            page.wait_for_selector("main")
            page.goto(origin + path)
            page.wait_for_selector("head > meta[http-equiv=refresh]", state="detached")
            paths.append(DRAWN / f"window-{name}-{scheme}.png")
            page.screenshot(path=paths[-1])
            Image.open(paths[-1]).quantize(dither=Image.Dither.NONE).save(paths[-1], optimize=True)
        browser.close()
    return paths


def difference(one: Path, other: Path) -> str:
    """How many of the pixels differ."""
    if not other.exists():
        return "is new"
    images = [Image.open(each).convert("L") for each in (one, other)]
    if images[0].size != images[1].size:
        return f"has {images[0].size} pixels instead of {images[1].size}"
    changed = ImageChops.difference(*images).point(lambda value: 255 * (value > 24))
    return (
        f"{changed.histogram()[255] / (changed.width * changed.height):.1%} of the pixels differ from the last picture"
    )


def main() -> None:
    DRAWN.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "ttcrawl", "view", CRAWL]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=DOCS.parent) as window:
        assert window.stdout
        try:
            paths = draw(window.stdout.readline().strip())
        finally:
            window.terminate()
    for path in paths:
        print(f"{path.name}: {difference(path, DOCS / path.name)}")
        if "--write" in sys.argv[1:]:
            path.replace(DOCS / path.name)


if __name__ == "__main__":
    main()
