"""Peers on sockets: accept, read, pace, dispatch to handlers, write."""
