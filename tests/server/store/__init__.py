"""The journal's contract, for every store."""
