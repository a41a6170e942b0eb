"""Architetti Attenti on the server; the rules page is the source of every number here."""
