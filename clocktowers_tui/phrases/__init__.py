"""Codes travel, sentences do not: each code of the protocol gets its sentence here."""


class NotDone(Exception):
    """What was asked for is not done; the text is a sentence that says why."""
