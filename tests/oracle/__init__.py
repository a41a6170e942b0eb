"""Second readings of the rule sheets: slow, plain, sharing no code with the server."""
