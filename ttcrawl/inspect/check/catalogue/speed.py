"""What readers wait for."""

from __future__ import annotations

from ttcrawl.inspect.check.catalogue.kind import NOTICE, Kind

KINDS = (
    Kind(
        "speed",
        "heavy-page",
        NOTICE,
        "Heavy pages",
        "pages of more than 1 MB, as received",
        "They take seconds on a phone.",
        "https://developer.chrome.com/docs/lighthouse/performance/total-byte-weight",
    ),
    Kind(
        "speed",
        "heavy-image",
        NOTICE,
        "Heavy images",
        "images of more than 500 KB",
        "Images are most of the weight of pages: a smaller one looks the same.",
        "https://web.dev/learn/performance/image-performance",
    ),
    Kind(
        "speed",
        "image-size",
        NOTICE,
        "Images without width and height",
        "images without the attributes width and height",
        "The text jumps when they have arrived.",
        "https://web.dev/articles/optimize-cls",
    ),
    Kind(
        "speed",
        "uncompressed",
        NOTICE,
        "Hosts without compression",
        "hosts with pages that are sent uncompressed",
        "Text takes a third of the time with gzip.",
        "https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/Compression",
    ),
    Kind(
        "speed",
        "uncached",
        NOTICE,
        "Hosts without caching",
        "hosts whose images, styles or scripts do not say how long they may be kept",
        "Browsers ask for them again and again.",
        "https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/Caching",
    ),
)
