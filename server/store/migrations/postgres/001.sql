-- The shape's number: how many of these steps this database has taken.
CREATE TABLE shape (version INTEGER NOT NULL);
INSERT INTO shape VALUES (0);

-- As in SQLite, and beside it what an append looks at.
-- `epoch`: how often a server has claimed the match; what an earlier one still sends is refused.
-- `version`: that of its newest entry. `bytes`: about what its entries take.
CREATE TABLE match (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    rules_version INTEGER NOT NULL,
    options BYTEA NOT NULL,
    seats INTEGER NOT NULL,
    seed BYTEA NOT NULL,
    "table" BYTEA NOT NULL,
    outcome BYTEA,
    held SMALLINT NOT NULL DEFAULT 1,
    link BYTEA NOT NULL,
    began_at BIGINT NOT NULL,
    ended_at BIGINT,
    epoch BIGINT NOT NULL DEFAULT 0,
    version INTEGER NOT NULL DEFAULT 0,
    bytes BIGINT NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

CREATE INDEX match_held ON match (number) WHERE held = 1;

-- No reference to `match`: the statement that writes an entry has just changed the match's row.
CREATE TABLE entry (
    match BIGINT NOT NULL,
    version INTEGER NOT NULL,
    seat SMALLINT,
    key BYTEA NOT NULL,
    at_ms BIGINT NOT NULL,
    action BYTEA NOT NULL,
    lags BYTEA NOT NULL,
    link BYTEA NOT NULL,
    epoch BIGINT NOT NULL,
    PRIMARY KEY (match, version),
    UNIQUE (match, seat, key)
);

CREATE TABLE token (
    match BIGINT NOT NULL REFERENCES match (number),
    seat SMALLINT NOT NULL,
    place INTEGER NOT NULL,
    hash BYTEA NOT NULL,
    PRIMARY KEY (match, seat, place)
);
