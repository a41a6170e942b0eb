-- Several servers, called nodes, on one database. All times are the database's.

-- A server that runs as a node: each start is a row of its own, with a number that never comes again.
-- `id`: its name. `lock`: the second half of the advisory lock that its session holds. `seen`: when it
-- last said that it lives, which counts for `lease`. `stopping`: an operator wants it to stop.
CREATE TABLE node (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT NOT NULL,
    address TEXT NOT NULL DEFAULT '',
    lock BIGINT NOT NULL,
    began TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    seen TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    lease INTERVAL NOT NULL,
    stopping BOOLEAN NOT NULL DEFAULT false
) WITH (fillfactor = 50);

-- The nodes that live: a crash lets go of the lock at once, a machine that hangs or has vanished loses
-- its lease. 790723 is the class of the locks (`server/nodes/directory.py`).
CREATE VIEW living AS
    SELECT number, id, address, began, seen, stopping FROM node
    WHERE seen + lease > clock_timestamp() AND lock IN (
        SELECT objid::bigint FROM pg_locks
        WHERE locktype = 'advisory' AND classid = 790723 AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    );

-- `owner`: the node that plays the match; none: whichever claims it. `deal`: tables that play one deal
-- stay together; '' is a deal of its own.
ALTER TABLE match ADD COLUMN owner BIGINT REFERENCES node (number);
ALTER TABLE match ADD COLUMN deal TEXT NOT NULL DEFAULT '';
CREATE INDEX match_owner ON match (owner) WHERE owner IS NOT NULL;
CREATE INDEX match_free ON match (number) WHERE held = 1 AND owner IS NULL;
CREATE INDEX match_deal ON match (deal) WHERE held = 1 AND deal <> '';

-- The codes of tables, and which node has each. `row`: what the lobby shows of the table; nothing for a
-- hidden one, and for a code that waits for a table. `version`: grows with each change at that node.
-- `gone`: since when there is no such table. These rows and those of `name` end with their node's row;
-- until then, join `living`.
CREATE TABLE open_table (
    code TEXT PRIMARY KEY,
    node BIGINT NOT NULL REFERENCES node (number) ON DELETE CASCADE,
    row BYTEA NOT NULL,
    version BIGINT NOT NULL,
    gone TIMESTAMPTZ
) WITH (fillfactor = 50);
CREATE INDEX open_table_node ON open_table (node, version);

-- The names that people have at each node, as keys that are alike for names that look alike.
CREATE TABLE name (
    key TEXT NOT NULL,
    node BIGINT NOT NULL REFERENCES node (number) ON DELETE CASCADE,
    PRIMARY KEY (key, node)
);
CREATE INDEX name_node ON name (node);

-- The files that all nodes share: keys, bans, invitations. `version` grows with each change.
CREATE TABLE kept (
    name TEXT PRIMARY KEY,
    version BIGINT NOT NULL,
    content BYTEA NOT NULL
);
