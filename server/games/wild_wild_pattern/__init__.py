"""The rules of Wild Wild Pattern, its view, its records and its bots."""
