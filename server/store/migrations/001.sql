-- A match and what happened in it. `head` is the version of its newest entry.
-- `outcome`: NULL while it is played; empty when it was broken off.
CREATE TABLE match (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    rules_version INTEGER NOT NULL,
    options BLOB NOT NULL,
    seats INTEGER NOT NULL,
    seed BLOB NOT NULL,
    head INTEGER NOT NULL DEFAULT 0,
    outcome BLOB
) STRICT;

CREATE INDEX match_unfinished ON match (number) WHERE outcome IS NULL;

-- The clock's own entries have no seat and an empty key.
CREATE TABLE entry (
    match INTEGER NOT NULL REFERENCES match (number),
    version INTEGER NOT NULL,
    seat INTEGER,
    key BLOB NOT NULL,
    at_ms INTEGER NOT NULL,
    action BLOB NOT NULL,
    PRIMARY KEY (match, version)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX entry_key ON entry (match, seat, key) WHERE seat IS NOT NULL;
