"""Matches of the same game on other servers: how theirs compare with ours."""
