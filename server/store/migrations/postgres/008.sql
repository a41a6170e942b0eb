-- Since when nobody is at the table of a match that goes on: the node that claims it waits no longer
-- than the one before would have.
ALTER TABLE match ADD COLUMN still TIMESTAMPTZ;
