"""Mirrors `protocol/games/wild_wild_pattern`."""
