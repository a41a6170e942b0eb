"""Mirrors `protocol/games`."""
