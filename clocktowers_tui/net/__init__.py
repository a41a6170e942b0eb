"""The line to a server, and the server that the client starts when there is no other."""
