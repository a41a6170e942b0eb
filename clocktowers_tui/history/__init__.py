"""The matches that this player has finished, kept on this machine."""
