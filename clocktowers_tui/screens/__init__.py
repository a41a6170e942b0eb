"""Home, connect, lobby, table, match and the others: the player sees one at a time."""
