-- As in SQLite.
CREATE TABLE deal (
    id TEXT NOT NULL PRIMARY KEY,
    kept_at BIGINT NOT NULL,
    kept BYTEA NOT NULL
);
