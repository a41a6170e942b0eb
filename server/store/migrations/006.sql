-- What a seat's player says of a match that is over, for those who see its record.
CREATE TABLE said (
    match INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    kept BLOB NOT NULL,
    PRIMARY KEY (match, seat)
) STRICT;
