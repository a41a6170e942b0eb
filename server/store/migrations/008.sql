-- Days off are kept with the person, as `away`; they stood among the deals, by identity in hex. The
-- first byte of a row, 0x80 and its number of fields (up to 8), counts one more.
INSERT INTO person (identity, kept)
SELECT unhex(substr(id, 10)), CAST(x'81a461776179' || kept AS BLOB)
FROM deal WHERE id LIKE 'vacation %'
ON CONFLICT (identity) DO UPDATE SET
    kept = CAST(unhex(CAST(hex(substr(person.kept, 1, 1)) + 1 AS TEXT))
        || substr(person.kept, 2) || substr(excluded.kept, 2) AS BLOB);
DELETE FROM deal WHERE id LIKE 'vacation %';
