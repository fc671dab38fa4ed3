PRAGMA application_id = 1634954098;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
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
INSERT INTO records VALUES(1,'local','pending',1,900001,'pending',NULL,1,'{"key":{"gateway":"local","id":"pending","created_at":1},"ask":{"questions":[{"questionId":"target","header":"Release","question":"Where should this release go?","options":[{"label":"Staging"},{"label":"Production"}],"multiSelect":false,"isOther":true,"isSecret":false},{"questionId":"when","header":"","question":"Wann? 今すぐ? ‮\u0000👩‍🚀 \"''\\","url":"https://example.org/?a=1&b=2","options":[],"multiSelect":false,"isOther":false,"isSecret":true,"constraint":{"type":"text","minLength":1,"maxLength":10,"format":"date-time"},"placeholder":"2026-11-30T12:00:00Z","default":["now"]},{"questionId":"share","header":"","question":"How much?","options":[],"multiSelect":false,"isOther":false,"isSecret":false,"constraint":{"type":"number","minimum":0.1,"maximum":1e+300}}],"wait":900000,"origin":{"agentId":"agent","sessionKey":"session","runId":"run","label":"label"},"creator":{"person":"owner","token":"token","binding":"run","scopes":["questions.answer"]},"answerers":["owner","ops"],"places":["ops-room"],"needs_surface":true,"when_unanswered":{"default":{"target":["Staging"]}},"terminal_proof":"proof"},"expires_at":900001,"state":{"status":"pending"}}',NULL);
INSERT INTO records VALUES(2,'local','ended',2,900002,'expired',5,1,'{"key":{"gateway":"local","id":"ended","created_at":2},"ask":{"questions":[{"questionId":"target","header":"Release","question":"Where should this release go?","options":[{"label":"Staging"},{"label":"Production"}],"multiSelect":false,"isOther":true,"isSecret":false}],"wait":900000,"origin":{},"creator":{"person":"owner","token":null,"binding":"run","scopes":["questions.answer"]},"answerers":[],"places":[],"needs_surface":false,"when_unanswered":"fail"},"expires_at":900002,"state":{"status":"pending"}}','{"status":"expired","at":5}');
CREATE TABLE late (
    number INTEGER PRIMARY KEY,
    record INTEGER NOT NULL REFERENCES records (number) ON DELETE CASCADE,
    v      INTEGER NOT NULL,
    body   TEXT NOT NULL
) STRICT;
INSERT INTO late VALUES(1,2,1,'{"answers":{"target":["Production"]},"notes":{"target":"but carefully"},"words":"Production, but carefully","by":{"person":"owner","identity":{"surface":"telegram","user":"42"},"place":{"account":{"surface":"telegram","name":"main"},"conversation":"-100123/7"},"way":"control"},"by_name":"The Owner","at":6,"resolution":"resolution-6"}');
CREATE TABLE relay (
    kind TEXT NOT NULL,
    key  TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
INSERT INTO relay VALUES('prompt','here','{"shown":true}');
CREATE TABLE people (
    number INTEGER PRIMARY KEY,
    id     TEXT NOT NULL UNIQUE,
    v      INTEGER NOT NULL,
    body   TEXT NOT NULL
) STRICT;
INSERT INTO people VALUES(1,'owner',1,'{"id":"owner","display_name":"The owner","scopes":["questions.answer","sessions.write"],"identities":[{"surface":"telegram","user":"1"}]}');
CREATE TABLE tokens (
    id   TEXT NOT NULL PRIMARY KEY,
    hash BLOB NOT NULL,
    v    INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO tokens VALUES('token',X'0707070707070707070707070707070707070707070707070707070707070707',1,'{"id":"token","person":"owner","scopes":["operator.questions"],"label":"for the build","created_at":1}');
CREATE TABLE trial (
    bytes BLOB NOT NULL
) STRICT;
CREATE INDEX records_by_creation ON records (created_at, id);
CREATE INDEX records_pending ON records (created_at, id) WHERE state = 'pending';
CREATE INDEX records_by_end ON records (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX late_by_record ON late (record);
COMMIT;
