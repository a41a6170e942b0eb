"""The line to a server, and the server of one's own when there is nobody else's."""
