"""How long the seats of a match may think: a table's setting, and the clock as it runs."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct


class PerTurn(Struct, frozen=True, tag_field="kind", tag="turn", forbid_unknown_fields=True):
    """So many seconds for each turn, however many actions it has."""

    turn_s: Annotated[int, Meta(ge=1, le=3600)]


class Bank(Struct, frozen=True, tag_field="kind", tag="bank", forbid_unknown_fields=True):
    """So many seconds for all turns of a match together, and some more with the beginning of each
    turn."""

    bank_s: Annotated[int, Meta(ge=1, le=7200)]
    increment_s: Annotated[int, Meta(ge=0, le=600)] = 0


Clock: TypeAlias = PerTurn | Bank


class Running(Struct, frozen=True, array_like=True, gc=False):
    """The clock at the moment of sending: `seat` is to act and has `left_ms`. `banks_ms`: what
    every seat has left, by seat; empty where there are no banks."""

    seat: int
    left_ms: int
    banks_ms: tuple[int, ...] = ()
