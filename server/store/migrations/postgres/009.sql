-- The epoch in which `still` was written: a node that does not know of it may have played since.
ALTER TABLE match ADD COLUMN still_epoch BIGINT;
