"""Reads a refusal's parameters from the wire: they may be missing or of another type."""

from protocol.errors import Refusal


def number(refusal: Refusal, name: str) -> int:
    """The parameter, or 0 when there is no such number."""
    value = refusal.params.get(name)
    return value if isinstance(value, int) else 0
