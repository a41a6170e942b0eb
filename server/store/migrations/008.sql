-- Days off are kept with the person, as `away`; they stood among the deals, by identity in hex.
INSERT INTO person (identity, kept)
SELECT unhex(substr(id, 10)), CAST(x'81a461776179' || kept AS BLOB)
FROM deal WHERE id LIKE 'vacation %'
ON CONFLICT (identity) DO UPDATE SET
    kept = CAST(x'89' || substr(person.kept, 2) || substr(excluded.kept, 2) AS BLOB);
DELETE FROM deal WHERE id LIKE 'vacation %';
