"""How fast the rules and the server are, and what a match costs: `clocktowers-server bench`."""
