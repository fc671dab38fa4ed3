-- Who did what, where and when. Rows are added, never changed.
CREATE TABLE audit (
    number  INTEGER PRIMARY KEY AUTOINCREMENT,
    at      INTEGER NOT NULL,
    person  TEXT,
    gateway TEXT,
    record  TEXT,
    v       INTEGER NOT NULL,
    body    TEXT NOT NULL
) STRICT;

CREATE INDEX audit_by_person ON audit (person) WHERE person IS NOT NULL;

CREATE INDEX audit_by_record ON audit (gateway, record) WHERE record IS NOT NULL;
