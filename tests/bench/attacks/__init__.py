"""Attacks on a real server, and the matches beside them."""
