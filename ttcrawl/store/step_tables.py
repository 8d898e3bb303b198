"""Which steps of [browser] steps failed on a page: a table of its own, because few crawls have steps."""

TABLES = (
    """-- the steps that failed on a page in the browser ([browser] steps), of its latest answer with such steps
CREATE TABLE failed_steps (
    url   INTEGER PRIMARY KEY REFERENCES url (id),
    time  REAL NOT NULL,                       -- of the answer, as in `page`
    steps TEXT NOT NULL                        -- a JSON array: each step and why it failed
)""",
)

INSERT = "INSERT OR REPLACE INTO failed_steps VALUES (?, ?, ?)"
