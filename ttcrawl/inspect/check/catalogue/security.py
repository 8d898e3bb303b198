"""Transport, and what browsers are told to refuse."""

from __future__ import annotations

from ttcrawl.inspect.check.catalogue.kind import NOTICE, WARNING, Kind

KINDS = (
    Kind(
        "security",
        "mixed-content",
        WARNING,
        "Mixed content",
        "https pages that load over http",
        "Browsers block it, or anyone on the line can change it.",
        "https://developer.mozilla.org/en-US/docs/Web/Security/Mixed_content",
    ),
    Kind(
        "security",
        "http-form",
        WARNING,
        "Forms over http",
        "forms that send over http from an https page, or a password from an http page",
        "Anyone on the line reads what is entered.",
        "https://developer.mozilla.org/en-US/docs/Web/Security/Practical_implementation_guides/TLS",
    ),
    Kind(
        "security",
        "missing-hsts",
        NOTICE,
        "Hosts without HSTS",
        "https hosts without the header Strict-Transport-Security",
        "The first request may go over http, where it can be read and redirected.",
        "https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Strict-Transport-Security",
    ),
    Kind(
        "security",
        "missing-csp",
        NOTICE,
        "Hosts without a Content-Security-Policy",
        "hosts with pages without a Content-Security-Policy",
        "An injected script is executed.",
        "https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CSP",
    ),
    Kind(
        "security",
        "missing-nosniff",
        NOTICE,
        "Hosts without nosniff",
        "hosts with pages without the header X-Content-Type-Options: nosniff",
        "Browsers may take a file for a script.",
        "https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/X-Content-Type-Options",
    ),
    Kind(
        "security",
        "certificate",
        WARNING,
        "Certificates that end",
        "hosts whose certificate ends within 30 days",
        "After that day, browsers show a warning in place of the site.",
        "https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.5",
    ),
)
