"""Codes travel, sentences do not: each code of the protocol gets its sentence here."""
