"""Applications of front-end frameworks, built from packages of npm: one shop, written in React, Vue and Svelte.

Each has lists, items and a page whose script is loaded when it is needed. A router makes the pages (history API), and
their text comes from JSON. No link leads to what begins with /decoy/: a route, data, and the target of a button.
"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.web.site import ANY, Answer

SOURCES = Path(__file__).parent / "frameworks"
NAMES = {"react": "React, React Router", "vue": "Vue, Vue Router", "svelte": "SvelteKit"}

HOST = "a.test"
#: The numbers of the items of each list.
LISTS = {1: (1, 2), 2: (3, 4)}
TEXTS = {number: f"Item {number} is made of {number * 7} pieces of oak." for each in LISTS.values() for number in each}
#: Of the page whose script is loaded when it is needed.
ABOUT = "Founded in 1902."
PAGES = {"/", "/about", *(f"/list/{page}" for page in LISTS), *(f"/item/{number}" for number in TEXTS)}

TYPES = {".html": "text/html", ".js": "text/javascript", ".json": "application/json", ".css": "text/css"}

INSTALL = ("install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock")

#: Seconds for packages that a registry sends slowly.
PATIENCE = 300

needs_npm = pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed")


def built(name, directory):
    """Build an application in an empty directory; return where its files are. Raises CalledProcessError."""
    shutil.copytree(SOURCES / name, directory, dirs_exist_ok=True)
    npm(directory, *INSTALL)
    npm(directory, "run", "build")
    return directory / "build"


def npm(directory, *command):
    subprocess.run(("npm", *command), cwd=directory, check=True, capture_output=True, text=True, timeout=PATIENCE)


def static(files):
    """An application as a server of static files has it, for which every unknown path is index.html."""
    return {
        (HOST, ANY): _file(".html", (files / "index.html").read_bytes()),
        (HOST, "/robots.txt"): Answer(status=404),
        **{
            (HOST, f"/{path.relative_to(files).as_posix()}"): _file(path.suffix, path.read_bytes())
            for path in files.rglob("*")
            if path.suffix in TYPES and path.name != "index.html"
        },
    }


def served(files):
    """The shop, and its data."""
    return {
        **static(files),
        **{
            (HOST, f"/data/list/{page}.json"): _data(
                items=[{"id": number, "name": f"Item {number}"} for number in numbers],
                next=page + 1 if page + 1 in LISTS else None,
            )
            for page, numbers in LISTS.items()
        },
        **{
            (HOST, f"/data/item/{number}.json"): _data(name=f"Item {number}", text=text)
            for number, text in TEXTS.items()
        },
    }


def _file(suffix, body):
    return Answer(body=body, headers=(("Content-Type", TYPES[suffix]),))


def _data(**fields):
    return _file(".json", json.dumps(fields).encode())
