-- What the ring must know again after a restart.

-- One row for each Record. `body` is the Record as it was opened, `ending` its state once it ended. `number` is ours alone.
CREATE TABLE records (
    number     INTEGER PRIMARY KEY,
    gateway    TEXT NOT NULL,
    id         TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    state      TEXT NOT NULL,
    ended_at   INTEGER,
    v          INTEGER NOT NULL,
    body       TEXT NOT NULL,
    ending     TEXT,
    UNIQUE (gateway, id, created_at)
) STRICT;

CREATE INDEX records_by_creation ON records (created_at, id);

-- Small whatever the number of ended Records: a start reads the pending ones by it.
CREATE INDEX records_pending ON records (created_at, id) WHERE state = 'pending';

-- For forgetting.
CREATE INDEX records_by_end ON records (ended_at) WHERE ended_at IS NOT NULL;

-- Answers that came after the end, in the order they came.
CREATE TABLE late (
    number INTEGER PRIMARY KEY,
    record INTEGER NOT NULL REFERENCES records (number) ON DELETE CASCADE,
    v      INTEGER NOT NULL,
    body   TEXT NOT NULL
) STRICT;

CREATE INDEX late_by_record ON late (record);

-- What the relay remembers; bodies are the relay's own.
CREATE TABLE relay (
    kind TEXT NOT NULL,
    key  TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;

-- `number` grows with every put: an identity belongs to the person put last.
CREATE TABLE people (
    number INTEGER PRIMARY KEY,
    id     TEXT NOT NULL UNIQUE,
    v      INTEGER NOT NULL,
    body   TEXT NOT NULL
) STRICT;

CREATE TABLE tokens (
    id   TEXT NOT NULL PRIMARY KEY,
    hash BLOB NOT NULL,
    v    INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Always empty: written and emptied in one transaction to find out whether saving works.
CREATE TABLE trial (
    bytes BLOB NOT NULL
) STRICT;
