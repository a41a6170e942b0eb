-- `link`: the hash of the header, and of each entry with the link before it; empty in matches that
-- are older than this step.
-- `began_at`, `ended_at`: seconds since 1970; NULL while it has not ended.
ALTER TABLE match ADD COLUMN link BLOB NOT NULL DEFAULT x'';
ALTER TABLE match ADD COLUMN began_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE match ADD COLUMN ended_at INTEGER;
ALTER TABLE entry ADD COLUMN link BLOB NOT NULL DEFAULT x'';

UPDATE match SET began_at = CAST(strftime('%s', 'now') AS INTEGER);
UPDATE match SET ended_at = began_at WHERE outcome IS NOT NULL;

-- The columns in the order of the key: with another order SQLite 3.40 takes a table WITHOUT ROWID
-- for damaged (`PRAGMA quick_check`).
CREATE TABLE opener (
    match INTEGER NOT NULL REFERENCES match (number),
    seat INTEGER NOT NULL,
    place INTEGER NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (match, seat, place)
) STRICT, WITHOUT ROWID;
INSERT INTO opener SELECT match, seat, place, hash FROM token;
DROP TABLE token;
ALTER TABLE opener RENAME TO token;
