"""What a player can do, with a screen or in plain mode."""
