-- Matches of days that nobody is at: their server has no table for them until somebody comes, or
-- `due_at`, in seconds since 1970 (NULL: nothing happens before). `due`: whose turn it is, by
-- identity; `owners`: the address and identity of each seat's owner, as msgpack. While the match is
-- `awake` the row has nothing but the `chat`: what was said at the table, as msgpack.
CREATE TABLE asleep (
    match INTEGER PRIMARY KEY REFERENCES match (number),
    code TEXT NOT NULL,
    matches INTEGER NOT NULL,
    due_at INTEGER,
    due BLOB NOT NULL,
    owners BLOB NOT NULL,
    chat BLOB NOT NULL,
    awake INTEGER NOT NULL DEFAULT 0
) STRICT;
