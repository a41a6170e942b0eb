"""Everything between Textual and the terminal."""
