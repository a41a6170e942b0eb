"""Mirrors `protocol/games/architetti_attenti`."""
