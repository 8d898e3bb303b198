"""Tables beside `page` that few crawls fill: what a hook added, scores, records of scripts, and failed steps."""

FIELDS = (
    """-- what the hook for pages added to a page
CREATE TABLE fields (
    url    INTEGER PRIMARY KEY REFERENCES url (id),
    fields TEXT NOT NULL,                      -- a JSON object; '': none
    score  REAL                                -- NULL: none
)""",
    """CREATE VIEW field AS
    SELECT url, each.key AS name, each.value AS value
    FROM fields, json_each(iif(fields.fields = '', '{}', fields.fields)) AS each""",
    "CREATE TABLE earlier_fields AS SELECT 0.0 AS time, * FROM fields WHERE 0",
)

TOPIC = (
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

RESOURCE = (
    """-- the records with the answers to the requests of a page's scripts, which pages may share, with its document
-- after scripts, and with its screenshot or PDF
CREATE TABLE resource (
    page   INTEGER NOT NULL REFERENCES url (id),
    file   TEXT NOT NULL,                      -- in warc/
    offset INTEGER NOT NULL,
    size   INTEGER NOT NULL,
    PRIMARY KEY (page, file, offset)
) WITHOUT ROWID""",
    "CREATE INDEX resource_record ON resource (file, offset)",
)

FAILED_STEPS = (
    """-- the steps that failed on a page in the browser ([browser] steps), of its latest answer with such steps
CREATE TABLE failed_steps (
    url   INTEGER PRIMARY KEY REFERENCES url (id),
    time  REAL NOT NULL,                       -- of the answer, as in `page`
    steps TEXT NOT NULL                        -- a JSON array: each step and why it failed
)""",
)
