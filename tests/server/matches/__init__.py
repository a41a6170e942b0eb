"""Matches, without sockets."""
