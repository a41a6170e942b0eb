"""Clocks in words."""

from typing import Final, assert_never

from clocktowers_tui.text.i18n import _
from protocol.ids import Seat
from protocol.table import Bank, Clock, PerTurn, Running

SHORT_S: Final = 10
"""With so little left the player is told that time runs out."""


def clock_in_words(clock: Clock | None) -> str:
    """How long a player may think."""
    match clock:
        case None:
            return _("no clock")
        case PerTurn(turn_s=turn_s):
            return _("{time} a turn").format(time=_time(turn_s))
        case Bank(bank_s=bank_s, increment_s=0):
            return _("{time} a match").format(time=_time(bank_s))
        case Bank(bank_s=bank_s, increment_s=more_s):
            said = _("{time} and {more} a turn")
            return said.format(time=_time(bank_s), more=_time(more_s))
    assert_never(clock)


def _time(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    if not rest:
        return _("{n} min").format(n=minutes)
    return _("{n} s").format(n=seconds)


def time_left(left_s: int) -> str:
    """Minutes and seconds."""
    minutes, seconds = divmod(left_s, 60)
    return f"{minutes}:{seconds:02}"


def bank_in_words(clock: Running | None, seat: Seat | None) -> str:
    """What the player has left while it is another's turn; "" when there is nothing to tell."""
    if clock is None or seat is None or clock.seat == seat or seat >= len(clock.banks_ms):
        return ""
    return _("you {time}").format(time=time_left(clock.banks_ms[seat] // 1000))
