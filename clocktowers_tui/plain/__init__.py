"""Plain mode: the same games by sentences and short commands, line by line, without a screen."""
