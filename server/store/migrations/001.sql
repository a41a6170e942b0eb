-- A match.
-- `outcome`: NULL while it is played; empty when it was broken off.
-- `held`: 1 until its table has let go of it; until then a server that starts restores it.
CREATE TABLE match (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    rules_version INTEGER NOT NULL,
    options BLOB NOT NULL,
    seats INTEGER NOT NULL,
    seed BLOB NOT NULL,
    "table" BLOB NOT NULL,
    outcome BLOB,
    held INTEGER NOT NULL DEFAULT 1
) STRICT;

CREATE INDEX match_held ON match (number) WHERE held = 1;

-- What happened in it. The clock's own entries have no seat and an empty key.
-- `lags`: by how much the network was measured to be late, for each seat: a msgpack list of
-- milliseconds, empty when all are 0.
CREATE TABLE entry (
    match INTEGER NOT NULL REFERENCES match (number),
    version INTEGER NOT NULL,
    seat INTEGER,
    key BLOB NOT NULL,
    at_ms INTEGER NOT NULL,
    action BLOB NOT NULL,
    lags BLOB NOT NULL,
    PRIMARY KEY (match, version)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX entry_key ON entry (match, seat, key) WHERE seat IS NOT NULL;

-- What opens a seat: SHA-256 of tokens. None of a match that is not held.
CREATE TABLE token (
    match INTEGER NOT NULL REFERENCES match (number),
    seat INTEGER NOT NULL,
    hash BLOB NOT NULL,
    place INTEGER NOT NULL,
    PRIMARY KEY (match, seat, place)
) STRICT, WITHOUT ROWID;
