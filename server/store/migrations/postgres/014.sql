-- Days off are kept with the person, as `away`; they stood among the deals, by identity in hex.
INSERT INTO person (identity, kept)
SELECT decode(substr(id, 10), 'hex'), '\x81a461776179'::bytea || kept
FROM deal WHERE id LIKE 'vacation %'
ON CONFLICT (identity) DO UPDATE SET
    kept = '\x89'::bytea || substr(person.kept, 2) || substr(excluded.kept, 2);
DELETE FROM deal WHERE id LIKE 'vacation %';
