"""The server that holds the matches."""
