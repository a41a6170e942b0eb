"""Whole matches as text: what happened, and what each seat was sent."""
