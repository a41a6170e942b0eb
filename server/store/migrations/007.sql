-- Where people want to be told that it is their turn, and of which turns they were, as msgpack
-- (`server.tables.telling`). `identity`: as the journal has those of seats.
CREATE TABLE person (
    identity BLOB PRIMARY KEY,
    kept BLOB NOT NULL
) STRICT;
