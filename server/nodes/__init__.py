"""Several servers on one database, called nodes: who lives, who plays which match."""
