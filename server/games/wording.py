"""Refusals and options in English, for people who read verifier output and logs."""

from collections.abc import Mapping
from typing import Any

from protocol.refusal import Refusal


def first_seats(seats: int) -> str:
    """The values of the option `first_seat`: by lot, or one of the seats."""
    return "none or 0" if seats == 1 else f"none or 0 to {seats - 1}"


def worded(refusal: Refusal, sentences: Mapping[str, str], named: Mapping[str, Any]) -> str:
    """The sentence of its code, or the code itself; `named`: parameters by the names that a record
    has for them."""
    sentence = sentences.get(refusal.code)
    if sentence is None:
        return refusal.code.replace("_", " ")
    return sentence.format_map({**refusal.params, **named})
