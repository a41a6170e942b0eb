"""The scripted match on other servers."""
