"""A window over crawl directories: the server that `ttcrawl view` starts, in a thread of the test."""

import http.client
import os
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlencode

import pytest
import uvicorn

from ttcrawl.browser.program import program
from ttcrawl.config import Browser
from ttcrawl.errors import UsageError
from ttcrawl.window.application import Settings, application
from ttcrawl.window.safety import Safety
from ttcrawl.window.serving import listen, safety_of
from ttcrawl.window.viewed import viewed


@dataclass(frozen=True)
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self):
        return self.body.decode()


@dataclass(frozen=True)
class Window:
    port: int
    safety: Safety

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.port}"

    def address(self, path="/"):
        """What a browser without the cookie opens."""
        return f"{self.origin}{path}{'&' if '?' in path else '?'}token={self.safety.token}"

    def get(self, path, **headers):
        """The answer to somebody with the cookie; headers with _ for -, None for none."""
        return self.request("GET", path, headers=headers)

    def post(self, path, form, **headers):
        """The answer to a form of the window."""
        body = urlencode({"form_token": self.safety.form, **form}, doseq=True)
        own = {"content_type": "application/x-www-form-urlencoded", "origin": self.origin}
        return self.request("POST", path, body, headers=own | headers)

    def request(self, method, path, body=None, headers=None):
        own = {"cookie": f"{self.safety.cookie_name}={self.safety.cookie}"}
        named = {name.replace("_", "-"): value for name, value in (own | (headers or {})).items() if value is not None}
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        try:
            connection.request(method, path, body, named)
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        finally:
            connection.close()


@contextmanager
def window(*directories, **settings):
    """`settings`: as of Settings."""
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    safety = safety_of(port, public=settings.get("public_search", False))
    app = application(viewed(directories), safety, Settings(**settings))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off", server_header=False))
    app.state.ends = lambda: server.should_exit
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield Window(port, safety)
    finally:
        server.should_exit = True
        thread.join()
        app.state.listings.close()


@contextmanager
def chromium(*switches):
    """The system's Chromium, driven by Playwright; the test is skipped where either is missing."""
    api = pytest.importorskip("playwright.sync_api")
    try:
        path, sandbox = program(Browser(use="yes")), os.geteuid() != 0
    except UsageError as error:
        pytest.skip(str(error))
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, chromium_sandbox=sandbox, args=[*switches])
        try:
            yield browser
        finally:
            browser.close()


class Watched:
    """A page of a browser, and what must not happen in it: errors, failed requests, requests elsewhere."""

    def __init__(self, browser, each, **options):
        self._context, self._each = browser.new_context(**options), each
        self.trouble = []
        self.page = self._opened()
        self.page.goto(each.address("/"))
        self.page.wait_for_selector("main")

    def _opened(self):
        page = self._context.new_page()
        page.on("console", lambda message: message.type == "error" and self.trouble.append(message.text))
        page.on("pageerror", lambda error: self.trouble.append(str(error)))
        page.on("dialog", lambda dialog: self.trouble.append(dialog.message))
        page.on("request", lambda request: self._on_request(request.url))
        return page

    def emptied(self):
        """The tab without its last page. It stays: Chromium sometimes never answers that it has closed one."""
        self.page.goto("about:blank")
        return self.page

    def _on_request(self, url):
        if not url.startswith((f"{self._each.origin}/", "data:", "about:")):
            self.trouble.append(f"a request to {url}")
