"""The same match on other servers: how theirs compare with ours."""
