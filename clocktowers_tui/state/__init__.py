"""What the client believes: frozen values and pure functions that make the next ones."""
