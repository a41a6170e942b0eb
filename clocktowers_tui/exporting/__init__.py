"""Matches that are over, written for others: as records, notation and pictures."""
