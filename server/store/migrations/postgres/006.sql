-- What each node would prune: those that live have the same.
ALTER TABLE node ADD COLUMN keep_days INTEGER;
ALTER TABLE node ADD COLUMN journal_mb BIGINT;
