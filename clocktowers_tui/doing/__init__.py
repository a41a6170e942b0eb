"""What the client does for its player, with a screen or in plain mode."""
