"""Two crawls of the same site: every table of what was fetched and read, with URLs in place of ids."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

from tests.support.crawls.crawling import query

#: Left out: times, positions in the archive, patterns, and parse contexts, of which only being 0 counts.
EVERYTHING = {
    "urls": "SELECT url, state, reason, depth, redirects, off_domain, off_topic, rank, sitemap, requisite FROM url"
    " ORDER BY url",
    "topic": "SELECT u.url, relevant, topic.score, probability, topic.by, classes, terms FROM topic"
    " JOIN url u ON u.id = topic.url ORDER BY 1",
    "pages": "SELECT u.url, status, type, declared_type, charset, declared_charset, charset_from, length, title,"
    " digest, etag, last_modified, location, server, robots, parser, parse_error, links, content_links,"
    " same_page_links, recorded_links, not_http, schemes FROM page JOIN url u ON u.id = page.url ORDER BY 1",
    "links": "SELECT u.url, targets, kinds, regions, landmarks, anchors FROM outlinks JOIN url u ON u.id = source"
    " ORDER BY 1",
    "metadata": "SELECT u.url, m.description, keywords, author, published, modified, headings, language,"
    " declared_language, confidence, canonical, open_graph, words, main_words FROM metadata m"
    " JOIN url u ON u.id = m.url ORDER BY 1",
    "text": "SELECT u.url, size, text, main_size, main FROM text JOIN url u ON u.id = text.url ORDER BY 1",
    "fingerprints": "SELECT u.url, parse_context = 0, bytes, text, bands, signature, shingles FROM fingerprint"
    " JOIN url u ON u.id = fingerprint.url ORDER BY 1",
    "duplicates": "SELECT u.url, exact.url, same, near.url, similarity FROM duplicate"
    " JOIN url u ON u.id = duplicate.url LEFT JOIN url exact ON exact.id = duplicate_of"
    " LEFT JOIN url near ON near.id = near_duplicate_of ORDER BY 1",
    "buckets": "SELECT bucket.key, u.url FROM bucket JOIN fingerprint USING (n) JOIN url u ON u.id = fingerprint.url"
    " ORDER BY 1",
    "probes": "SELECT host, status, probe.reason FROM probe JOIN site ON site.id = site ORDER BY 1, 2",
    "soft 404s": "SELECT u.url, similarity FROM soft_404 JOIN url u ON u.id = soft_404.url ORDER BY 1",
    "hosts": "SELECT host, soft_404, fetched, requested, robots FROM site ORDER BY 1",
    "images": "SELECT u.url, i.type, name, size, width, height, saved, error FROM image i"
    " JOIN url u ON u.id = i.url ORDER BY 1",
    "documents": "SELECT u.url, d.type, name, size, pages, converter, saved, error FROM document d"
    " JOIN url u ON u.id = d.url ORDER BY 1",
    "unsettled": "SELECT count(*) FROM unsettled",
    "unread": "SELECT count(*) FROM unread",
}


def everything(directory: Path) -> dict[str, list[tuple[Any, ...]]]:
    tables = {name: query(directory, sql) for name, sql in EVERYTHING.items()}
    # isal does not always pack the same text into the same bytes
    tables["text"] = [tuple(map(_unpacked, row)) for row in tables["text"]]
    return tables


def _unpacked(value: Any) -> Any:
    return zlib.decompress(value) if isinstance(value, bytes) else value
