"""What the hook for pages added to a page: tables of their own, because few crawls have it."""

TABLES = (
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
