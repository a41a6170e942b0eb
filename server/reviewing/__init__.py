"""A match that is over, judged for its players."""
