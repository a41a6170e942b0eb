"""What goes over the line to a terminal, and whether it is what Textual means."""
