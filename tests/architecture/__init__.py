"""What the whole tree keeps to: who imports whom, what no file may hold."""
