"""The face of Clocktowers: the board, its keys and the words for what happens."""
