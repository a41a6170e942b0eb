"""The local network is told of a server."""
