"""Mirrors `server/games/wild_wild_pattern`."""
