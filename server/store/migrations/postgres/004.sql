-- A node that keeps a deal looks at all matches that play or have played it.
CREATE INDEX match_of_deal ON match (deal) WHERE deal <> '';
DROP INDEX match_deal;
