-- An entry stands first in `log`, in the order in which entries came: a commit writes a page or two,
-- of however many matches it is. Later many are settled together, each with its match.
ALTER TABLE entry RENAME TO settled;

-- Which keys a match has seen, the server remembers, or looks through its entries.
DROP INDEX entry_key;

CREATE TABLE log (
    match INTEGER NOT NULL,
    version INTEGER NOT NULL,
    seat INTEGER,
    key BLOB NOT NULL,
    at_ms INTEGER NOT NULL,
    action BLOB NOT NULL,
    lags BLOB NOT NULL,
    link BLOB NOT NULL
) STRICT;

CREATE VIEW entry AS
    SELECT match, version, seat, key, at_ms, action, lags, link FROM settled
    UNION ALL SELECT match, version, seat, key, at_ms, action, lags, link FROM log;
