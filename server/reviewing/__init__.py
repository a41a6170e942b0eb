"""A match that is over, judged for one of its players."""
