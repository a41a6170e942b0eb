"""How fast the rules and the server are, and what a match costs: `python -m bench.load`."""
