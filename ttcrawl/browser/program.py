"""Which program is the browser, and how it is started."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from ttcrawl.browser.steps import SUBMIT, check_secrets, compile_post, compile_use
from ttcrawl.config import Browser, Config
from ttcrawl.errors import UsageError, require

if TYPE_CHECKING:
    from playwright import sync_api

#: Names of the program in PATH.
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

#: Seconds until the browser must have started.
START = 20.0

#: The proxy of the browser: port 9 (discard) of an address that no name leads to, because all look-ups fail.
NOWHERE: sync_api.ProxySettings = {"server": "http://127.0.0.1:9", "bypass": "<-loopback>"}

#: Nothing leaves the browser except through the fetch process. What is not intercepted (WebSockets, WebRTC, shared
#: workers, the browser's own services) finds no name, no proxy and no UDP.
OFFLINE = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    # the name of the switch depends on the version
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-first-run",
    "--no-pings",
    "--metrics-recording-only",
)

#: Switches of Playwright that let a page open windows and change its address without end.
DEFENCES_OFF = ["--disable-popup-blocking", "--disable-ipc-flooding-protection"]

#: Features of Chromium that it must not have. It obeys the last list only, so this one repeats Playwright's.
FEATURES_OFF = (
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "TcpPortRandomizationWin",
    "ThirdPartyStoragePartitioning",
    "msEdgeUpdateLaunchServicesPreferredVersion",
    "msForceBrowserSignIn",
    # Ours. Each context has a window without a screen, which loads two pages for the menu of its address bar: 0.6 s of
    # a processor; the page itself takes 0.2 s.
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxPopup",
    # a process for the next page of a context, which has one page
    "SpareRendererForSitePerProcess",
)

#: What Chromium, and Playwright of it, say if its sandbox does not work.
NO_SANDBOX = ("No usable sandbox", "Chromium sandboxing failed", "Failed to move to new namespace")
NO_SANDBOX_AS_ROOT = "Running as root without --no-sandbox"

#: Megabytes of JavaScript objects of a page; above it V8 ends the page's process.
HEAP = 512


def check(config: Config, *, inline: bool) -> None:
    """Raises UsageError if a crawl that needs a browser cannot have one; `inline`: it has one process."""
    if inline:
        raise UsageError(f"[browser] use = {config.browser.use} needs processes: crawl without --inline")
    compile_use(config.browser.use)
    compile_post(config.browser.post)
    program(config.browser)
    check_secrets(config.browser.steps, os.environ)
    if config.fetch.cookies == "no" and any(f" {SUBMIT} " in line.text for line in config.browser.steps):
        raise UsageError(
            "[browser] steps: submit sends a form, and [fetch] cookies = no forgets the cookies that it brings: set"
            " cookies = kept"
        )


def program(browser: Browser) -> str:
    """Return the path of the browser. Raises UsageError if it, or the library that drives it, is not installed."""
    require("playwright")
    if browser.program:
        if os.access(browser.program, os.X_OK) and os.path.isfile(browser.program):
            return browser.program
        raise UsageError(f"[browser] program = {browser.program} is not a program")
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        raise UsageError(
            f"[browser] use = {browser.use} needs Chromium or Chrome: install it (Debian: apt install chromium), or"
            " set [browser] program"
        )
    return path


def launch(chromium: sync_api.BrowserType, browser: Browser) -> sync_api.Browser:
    """Start the browser. Raises UsageError as `program` does, and playwright's Error: see `no_sandbox`."""
    return chromium.launch(
        executable_path=program(browser),
        chromium_sandbox=sandboxed(browser),
        proxy=NOWHERE,
        ignore_default_args=DEFENCES_OFF,
        args=[*OFFLINE, f"--disable-features={','.join(FEATURES_OFF)}", f"--js-flags=--max-old-space-size={HEAP}"],
        timeout=1000 * START,
    )


def sandboxed(browser: Browser) -> bool:
    """Whether Chromium gets its sandbox, with which it does not start as root."""
    return browser.sandbox == "yes" or (browser.sandbox == "auto" and os.geteuid() != 0)


def no_sandbox(output: str) -> str:
    """Return why Chromium has not started with its sandbox and what to do, "" if its output has another cause."""
    if NO_SANDBOX_AS_ROOT in output:
        return "Chromium has no sandbox as root: run ttcrawl as another user, or set [browser] sandbox = auto"
    if any(each in output for each in NO_SANDBOX):
        return (
            "the sandbox of Chromium does not work here: permit user namespaces, or set [browser] sandbox = no where a"
            " container or a user of its own confines the crawl (docs/browser.md, Installation)"
        )
    return ""
