"""Clocks to choose from for a table, and how clocks read."""

from collections.abc import Mapping
from typing import Final, assert_never

from clocktowers_tui.config.settings import Draft
from clocktowers_tui.text.i18n import _
from protocol.clock import Bank, Clock, PerTurn, Running
from protocol.ids import Seat

NONE: Final = ""
CLOCKS: Final[Mapping[str, Clock | None]] = {
    NONE: None,
    "30": PerTurn(30),
    "60": PerTurn(60),
    "120": PerTurn(120),
    "5+10": Bank(300, 10),
    "10+15": Bank(600, 15),
    "20+30": Bank(1200, 30),
}
"""By the name under which a draft keeps a clock."""

SHORT_S: Final = 10
"""From here on the client tells a player that time runs out."""


def clock_of(draft: Draft) -> str:
    """The name of a draft's clock; `NONE` when no clock has that name any more."""
    return draft.clock if draft.clock in CLOCKS else NONE


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
    """What the player has left during another's turn; "" where there is nothing to tell."""
    if clock is None or seat is None or clock.seat == seat or seat >= len(clock.banks_ms):
        return ""
    return _("you {time}").format(time=time_left(clock.banks_ms[seat] // 1000))
