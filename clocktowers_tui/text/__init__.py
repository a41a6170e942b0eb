"""Text on its way to the screen: translated, cleaned, fitted into cells, laid out, searched."""


class NotDone(Exception):
    """What was asked for is not done; the text is a sentence that says why."""
