-- As in SQLite.
CREATE TABLE deal (
    id TEXT NOT NULL PRIMARY KEY,
    kept BYTEA NOT NULL
);
