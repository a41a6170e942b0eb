"""What a stranger's machine meets first: the set-up and the wheel."""
