"""One playing of a game: who is sent what, in which order, and what is kept first."""
