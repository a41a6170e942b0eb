"""Bots and their workers."""
