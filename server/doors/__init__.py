"""How callers come in: one port for all of them, and a door for each way of speaking."""
