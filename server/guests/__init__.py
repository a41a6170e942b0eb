"""Guests: people without a program of their own, for whom a door runs a closed client."""
