-- Deals that several tables play, as long as one of them is not done. `kept`: what those tables and
-- their people make of it, as msgpack (`server.tables.record`). `kept_at`: seconds since 1970.
CREATE TABLE deal (
    id TEXT NOT NULL PRIMARY KEY,
    kept_at INTEGER NOT NULL,
    kept BLOB NOT NULL
) STRICT;
