"""Each message, over a socket."""
