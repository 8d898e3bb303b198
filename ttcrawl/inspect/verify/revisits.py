"""Checks revisit records against the records with their bytes, after all files are read.

A record of the profile identical-payload-digest refers to a response. One of the profile server-not-modified confirms
the response of its own URL, or the one to which the record of its URL refers because the bodies are identical. Rows do
not name the records of 304s, of repeated visits, and of pages that were requested again. So all
records are compared.
"""

from __future__ import annotations

from xxhash import xxh3_64_intdigest, xxh3_128_digest

from ttcrawl.inspect.verify.findings import Findings
from ttcrawl.inspect.verify.warc_record import Record
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.deletions import RECORD
from ttcrawl.store.warc_records import NOT_MODIFIED, date, labelled_sha1

NOWHERE = "page: its bytes are missing"
FOREIGN = "page: its bytes are not its response"
UNKNOWN_ORIGINAL = "archive: a revisit record refers to a response that is missing"
UNKNOWN_ANSWER = "archive: a 304 refers to a response that is missing"
OTHER_ANSWER = "archive: a 304 refers to the response of another URL"

#: `spoken_of`: the URLs to whose bytes pages refer, and these bytes, perhaps the bytes of an earlier answer; `held`:
#: sound records of such URLs; `reference`: the references of sound revisit records of pages; `sent`: URL and date of
#: each response, hashed; `copy`: the revisit records with identical bytes whose response does not come before them,
#: with its hash. If a server may have answered 304 (`has_304` has a row): `identical`: the URL of each revisit record
#: with identical bytes, and what it refers to, hashed; `unmodified`: the other revisit records, with both hashes.
#: Without the types of columns, SQLite compares them with those of other tables by scans.
TEMPORARY = """
    CREATE TEMP TABLE has_304 AS
        SELECT 1 FROM visit WHERE status = 304 AND kind = 'page' UNION ALL SELECT 1 FROM resource LIMIT 1;
    CREATE TEMP TABLE sent (hash INTEGER PRIMARY KEY);
    CREATE TEMP TABLE copy (file, start, end, sent);
    CREATE TEMP TABLE identical (hash INTEGER PRIMARY KEY);
    CREATE TEMP TABLE unmodified (file, start, end, own, sent, identical);
    CREATE TEMP TABLE spoken_of (url INTEGER, body BLOB, PRIMARY KEY (url, body)) WITHOUT ROWID;
    CREATE TEMP TABLE held (url INTEGER, body BLOB, target, date, digest, length, PRIMARY KEY (url, body, date))
        WITHOUT ROWID;
    CREATE TEMP TABLE reference (url INTEGER PRIMARY KEY, target, date, digest);
    INSERT OR IGNORE INTO spoken_of SELECT payload, digest FROM page WHERE payload IS NOT NULL AND digest IS NOT NULL;
    INSERT OR IGNORE INTO place SELECT file, offset, url, time FROM earlier_page WHERE file != '';
"""

#: Revisits whose bytes are missing, or differ from the record or the page. A URL may have shown them more than once.
WRONG = """
    SELECT page.url, url.url, page.payload NOT IN (SELECT url FROM held)
    FROM reference JOIN page USING (url) JOIN url ON url.id = page.url
    WHERE NOT EXISTS (
        SELECT 1 FROM held WHERE held.url = page.payload AND held.body = page.digest AND held.length = page.length
        AND (held.target, held.date, held.digest) IS (reference.target, reference.date, reference.digest))
"""

#: Pages to fetch again together with the pages in `misplaced`.
WITH_THEM = "INSERT OR IGNORE INTO misplaced SELECT url FROM page WHERE payload IN (SELECT url FROM misplaced)"

#: Revisit records whose response is missing, without those that an interrupted purge is about to remove, too.
_WITHOUT_ORIGINAL = f"""
    SELECT file, start, end FROM copy WHERE sent NOT IN (SELECT hash FROM sent)
    AND NOT EXISTS (SELECT 1 FROM leftover WHERE kind = '{RECORD}' AND leftover.file = copy.file
                    AND offset >= start AND offset < end)
"""

#: 304s whose response is missing, or belongs to another URL.
_UNFOUNDED = """
    SELECT file, start, end, sent NOT IN (SELECT hash FROM sent) AS lost FROM unmodified
    WHERE lost OR NOT (own OR identical IN (SELECT hash FROM identical))
"""


def note(db: View, record: Record, where: tuple[str, int, int]) -> None:
    """Store what is compared of a sound record; `where`: its file, the start of its request, its end."""
    if record.kind == "response":
        db.execute("INSERT OR IGNORE INTO sent VALUES (?)", (_hash(record.url, record.date),))
    elif record.kind == "revisit" and record.target:  # without one it refers to nothing
        sent = _hash(record.target, record.target_date)
        identical = _hash(record.url, record.target, record.target_date)
        if record.profile == NOT_MODIFIED:
            own = record.url == record.target
            db.execute("INSERT INTO unmodified VALUES (?, ?, ?, ?, ?, ?)", (*where, own, sent, identical))
        else:
            lacks = "INSERT INTO copy SELECT ?1, ?2, ?3, ?4 WHERE ?4 NOT IN (SELECT hash FROM sent)"
            db.execute(lacks, (*where, sent))
            db.execute("INSERT OR IGNORE INTO identical SELECT ? FROM has_304", (identical,))


def note_imported(db: View, id: int, url: str, body: bytes) -> None:
    """Store what is compared of an answer in an imported file: revisit records of this crawl may refer to it."""
    started, digest = "SELECT time FROM answer WHERE url = ? AND digest = ?", xxh3_128_digest(body)
    for (time,) in db.execute(started, (id, digest)).fetchall():
        facts = (id, digest, url, date(time), labelled_sha1(body), len(body))
        db.execute("INSERT OR IGNORE INTO held VALUES (?, ?, ?, ?, ?, ?)", facts)
        db.execute("INSERT OR IGNORE INTO sent VALUES (?)", (_hash(url, date(time)),))


def _hash(*texts: str) -> int:
    """A 64-bit signed integer."""
    return xxh3_64_intdigest("\n".join(texts).encode("utf-8", "surrogatepass")) - (1 << 63)


def check(db: View, findings: Findings) -> None:
    """Runs inside the guard of `archive.check`."""
    for id, url, lost in db.execute(WRONG).fetchall():
        findings.add(NOWHERE if lost else FOREIGN, url)
        db.execute("INSERT OR IGNORE INTO misplaced VALUES (?)", (id,))
    for file, start, end in db.execute(_WITHOUT_ORIGINAL).fetchall():
        findings.add(UNKNOWN_ORIGINAL, f"{file} at {start}")
        db.execute("INSERT INTO torn VALUES (?, ?, ?)", (file, start, end))
    for file, start, end, lost in db.execute(_UNFOUNDED).fetchall():
        findings.add(UNKNOWN_ANSWER if lost else OTHER_ANSWER, f"{file} at {start}")
        db.execute("INSERT INTO torn VALUES (?, ?, ?)", (file, start, end))
