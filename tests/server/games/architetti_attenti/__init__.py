"""Mirrors `server/games/architetti_attenti`."""
