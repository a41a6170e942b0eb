"""Whether a server is well, for the programs that watch it: figures, health checks, the service
manager."""
