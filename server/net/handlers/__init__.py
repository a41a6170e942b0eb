"""What the server does with each message: one function for each, in files by subject."""
