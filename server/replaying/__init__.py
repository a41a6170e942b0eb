"""A match's record, shown ply by ply to the client that has it."""
