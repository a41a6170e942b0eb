"""What a move and a match cost the server: `python -m bench.load`."""
