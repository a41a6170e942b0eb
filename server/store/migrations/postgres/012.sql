-- What a seat's player says of a match that is over, for those who see its record.
CREATE TABLE said (
    match BIGINT NOT NULL,
    seat SMALLINT NOT NULL,
    kept BYTEA NOT NULL,
    PRIMARY KEY (match, seat)
);
