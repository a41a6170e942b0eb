-- The node that has a table of days which has not begun; NULL: none, or this is a deal.
ALTER TABLE deal ADD COLUMN IF NOT EXISTS owner BIGINT;
CREATE INDEX IF NOT EXISTS asleep_code ON asleep (code);
