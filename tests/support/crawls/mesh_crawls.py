"""Crawls of a mesh, and what they must find there."""

import subprocess

from tests.support.crawls.crawling import command, options_for

HOSTS = [f"h{n}.test" for n in range(6)]


def truth(web, pages):
    """URL -> state and reason of a complete crawl of a mesh."""
    states = {}
    for (host, path), answer in pages.items():
        if path == "/robots.txt" or path == "/private/only":
            continue
        state = "moved" if answer.status == 301 else "fetched"
        known = ("refused", "robots.txt") if path.startswith("/private/") else (state, f"http {answer.status}")
        states[web.url(host, path)] = known
    return states


def running(web, directory, *options):
    return subprocess.Popen(
        command("crawl", web.url(HOSTS[0], "/"), "-d", directory, *options_for(web), "--progress", "json", *options),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
