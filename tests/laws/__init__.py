"""What holds for every game, every board, every key."""
