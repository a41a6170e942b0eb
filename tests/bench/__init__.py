"""The measuring programs, tried on something short."""
