"""A match: one game being played, kept in the journal before anybody is told."""
