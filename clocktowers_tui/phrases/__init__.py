"""Codes travel, sentences don't: here each code of the protocol gets its sentence."""
