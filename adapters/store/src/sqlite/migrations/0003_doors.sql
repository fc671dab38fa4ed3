-- Strangers who wait to be let in, each with a code that opens nothing by itself.
CREATE TABLE pairings (
    code TEXT NOT NULL PRIMARY KEY,
    v    INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Invites that were not used yet; of the secret part only the hash.
CREATE TABLE invites (
    id   TEXT NOT NULL PRIMARY KEY,
    hash BLOB NOT NULL,
    v    INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
