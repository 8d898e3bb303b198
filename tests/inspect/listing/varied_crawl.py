"""A crawl whose URLs have every state, reason, status, type, language and mark, in many combinations."""

from contextlib import closing
from pathlib import Path

from tests.support.crawls.crawl_db import insert, new_db
from ttcrawl.web.url import key

STATES = ("fetched", "fetched", "moved", "failed", "refused", "queued", "deleted")
REASONS = {
    "fetched": ("http 200", "http 404", 'a "b", c'),
    "moved": ("http 301",),
    "failed": ("dns", "timeout: read"),
    "refused": ("scope: host", "robots.txt"),
    "queued": ("",),
    "deleted": ("deleted",),
}


def varied(directory: Path, urls: int) -> Path:
    with closing(new_db(directory)) as db, db:
        (directory / "config.ini").touch()
        db.execute("INSERT INTO crawl VALUES ('started', '1e9'), ('seeds', 'http://h0.test/document-0')")
        hosts = [(n + 1, f"h{n}.test", f"h{n}.test") for n in range(4)]
        db.executemany(insert(db, "site", "id", "host", "domain"), hosts)
        add_url = insert(db, "url", "id", "key", "url", "site", "state", "reason", "depth", discovered=1.0)
        add_page = insert(db, "page", "url", "status", "type", "title", time=2.0, length=10)
        for n in range(1, urls + 1):
            url = f"http://h{n % 4}.test/document-{n}{'?x=[1]' if n % 5 == 0 else ''}"
            state = STATES[n % len(STATES)]
            reason = REASONS[state][n % len(REASONS[state])]
            db.execute(add_url, (n, key(url), url, n % 4 + 1, state, reason, None if n % 11 == 0 else n % 6))
            if state in ("fetched", "moved"):
                status = 301 if state == "moved" else 404 if reason == "http 404" else 200
                title = ("Titel (a OR b)", "", "<b>*</b>")[n % 3]
                db.execute(add_page, (n, status, ("text/html", "image/png", "")[n % 3], title))
                if n % 2:
                    words = insert(db, "metadata", "url", "language", headings="[]", open_graph="{}", words=5)
                    db.execute(words, (n, ("en", "de", "")[n % 3]))
                if n % 8 == 0:
                    db.execute("INSERT INTO duplicate VALUES (?, ?, ?, NULL, 1)", (n, 1, ("near", "bytes")[n % 3 == 0]))
                if n % 9 == 0:
                    db.execute("INSERT INTO soft_404 VALUES (?, 1, 1)", (n,))
        db.execute("INSERT INTO by_key SELECT key, id FROM url")
        db.execute("INSERT INTO crawl SELECT 'indexed', max(id) FROM url")
    return directory
