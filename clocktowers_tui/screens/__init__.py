"""Home, connect, lobby, table, match: what is seen, one at a time."""
