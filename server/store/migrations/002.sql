-- By how much the network was measured to be late, each seat's: a msgpack list of milliseconds,
-- empty when all are 0.
ALTER TABLE entry ADD COLUMN lags BLOB NOT NULL DEFAULT x'';
