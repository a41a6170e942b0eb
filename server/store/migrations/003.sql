-- Deals that several tables play, as long as one of them is not done. `kept`: what those tables and
-- their people make of it, as msgpack (`server.tables.record`).
CREATE TABLE deal (
    id TEXT NOT NULL PRIMARY KEY,
    kept BLOB NOT NULL
) STRICT;
