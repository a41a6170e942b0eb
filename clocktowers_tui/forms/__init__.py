"""Filling in a table to play at."""
