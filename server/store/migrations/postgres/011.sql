-- Matches of days that nobody is at: their server has no table for them until somebody comes, or
-- `due_at`, in seconds since 1970 (NULL: nothing happens before). `due`: whose turn it is, by
-- identity; `owners`: the address and identity of each seat's owner, as msgpack. While the match is
-- `awake` the row has nothing but the `chat`: what was said at the table, as msgpack.
CREATE TABLE asleep (
    match BIGINT PRIMARY KEY,
    code TEXT NOT NULL,
    matches INTEGER NOT NULL,
    due_at BIGINT,
    due BYTEA NOT NULL,
    owners BYTEA NOT NULL,
    chat BYTEA NOT NULL,
    awake INTEGER NOT NULL DEFAULT 0
);
