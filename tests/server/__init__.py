"""The server's files, one test module each."""
