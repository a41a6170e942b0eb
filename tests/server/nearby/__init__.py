"""The local network is told of a server, and hears it, in namespaces of its own."""
