"""Attacks on a real server, while matches go on beside them."""
