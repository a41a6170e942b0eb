"""What the player keeps: settings, look, colours; and where logs go."""
