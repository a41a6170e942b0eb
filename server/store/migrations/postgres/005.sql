-- What callers have at each node; their limits hold for the sum (`server/nodes/counting.py`).
CREATE TABLE counted (
    node BIGINT PRIMARY KEY REFERENCES node (number) ON DELETE CASCADE,
    counts BYTEA NOT NULL
);
