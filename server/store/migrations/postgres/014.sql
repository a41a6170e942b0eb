-- Days off are kept with the person, as `away`; they stood among the deals, by identity in hex. The
-- first byte of a row, 0x80 and its number of fields (up to 8), counts one more.
INSERT INTO person (identity, kept)
SELECT decode(substr(id, 10), 'hex'), '\x81a461776179'::bytea || kept
FROM deal WHERE id LIKE 'vacation %'
ON CONFLICT (identity) DO UPDATE SET
    kept = set_byte(person.kept, 0, get_byte(person.kept, 0) + 1) || substr(excluded.kept, 2);
DELETE FROM deal WHERE id LIKE 'vacation %';
