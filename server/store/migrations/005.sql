-- Matches of days that nobody is at: their server has no table for them until somebody comes, or
-- `due_at`, in seconds since 1970 (NULL: nothing happens before). `due`: whose turn it is, by
-- identity; `chat`: what was said at the table, as msgpack.
CREATE TABLE asleep (
    match INTEGER PRIMARY KEY REFERENCES match (number),
    code TEXT NOT NULL,
    matches INTEGER NOT NULL,
    due_at INTEGER,
    due BLOB NOT NULL,
    chat BLOB NOT NULL
) STRICT;
