-- The node that has a table of days which has not begun; NULL: none, or this is a deal.
ALTER TABLE deal ADD COLUMN owner BIGINT;
