-- How many tables each node has; NULL: it takes no new ones, or is too old to say.
ALTER TABLE node ADD COLUMN tables INTEGER;
