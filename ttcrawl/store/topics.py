"""How relevant a page is to the subject of the crawl: tables of their own, because few crawls have one."""

TABLES = (
    """-- how relevant a page is to the subject ([topic])
CREATE TABLE topic (
    url         INTEGER PRIMARY KEY REFERENCES url (id),
    relevant    INTEGER NOT NULL,              -- 1 or 0
    score       REAL NOT NULL,                 -- points of the kept classes, margin of the model, or of the hook
    probability REAL,                          -- by the model; NULL: it did not decide
    "by"        TEXT NOT NULL,                 -- what decided: 'terms', 'model', 'hook', 'site', 'language', 'country'
    classes     TEXT NOT NULL,                 -- JSON object: class -> points, of the kept classes
    terms       TEXT NOT NULL                  -- JSON array of the matched terms, 50 at most; or words of the model
)""",
    "CREATE TABLE earlier_topic AS SELECT 0.0 AS time, * FROM topic WHERE 0",
    """-- how much the words at the links of a page promise, if that decides what is fetched first ([frontier] priority)
CREATE TABLE link_score (
    url    INTEGER PRIMARY KEY REFERENCES url (id),
    scores BLOB NOT NULL                       -- a byte for each link in table `outlinks`, times 5: 0 to 1000
)""",
    "CREATE TABLE earlier_link_score AS SELECT 0.0 AS time, * FROM link_score WHERE 0",
)
