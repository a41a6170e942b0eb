"""What keys do: the registry of actions, the names of keys, the player's keymap."""
