"""Tables in words: who sits there, how good the bots are, what is going on."""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.config.settings import Draft
from clocktowers_tui.new_table.drafts import level_of, seats_of
from clocktowers_tui.new_table.offers import levels_of
from clocktowers_tui.text.i18n import N_, _, ngettext
from protocol.table import SeatInfo, SeatKind, TablePhase

_LEVEL_WORDS: Final = {
    "random": N_("random"),
    "learner": N_("learner"),
    "easy": N_("easy"),
    "normal": N_("normal"),
    "hard": N_("hard"),
    "expert": N_("expert"),
}
# What bench.bots measures; docs/playing.md has the numbers.
_LEVELS_TOLD: Final = {
    "random": N_("It does anything that is allowed."),
    "learner": N_("For a first race: it is slow, and often wrong."),
    "easy": N_("For your first matches."),
    "normal": N_("It wins at least four of five matches against easy."),
    "hard": N_("It wins at least four of five matches against normal."),
    "expert": N_("It wins almost four of five matches against hard."),
}
_PHASE_WORDS: Final = {
    TablePhase.WAITING: N_("waiting"),
    TablePhase.PLAYING: N_("playing"),
    TablePhase.ENDED: N_("over"),
}


def drafted_bots_in_words(draft: Draft, game: str, levels: Sequence[str]) -> str:
    """How many bots a draft has and of which levels; a level that all share is named once."""
    known = levels_of(game, levels)
    sat = [level_of(draft, seat, known, solo=True) for seat in range(1, seats_of(draft, game))]
    if not sat:
        return _("alone")
    bots = ngettext("{n} bot", "{n} bots", len(sat)).format(n=len(sat))
    words = [level_in_words(level) for level in (sat if len(set(sat)) > 1 else sat[:1])]
    return f"{bots}, {', '.join(words)}"


def level_in_words(level: str) -> str:
    """A bot's level; a level that this client does not know keeps the server's name for it."""
    return _(_LEVEL_WORDS[level]) if level in _LEVEL_WORDS else level


def about_level_in_words(level: str) -> str:
    """How well its bots play, as a sentence; "" for a level that this client does not know."""
    return _(_LEVELS_TOLD[level]) if level in _LEVELS_TOLD else ""


def phase_in_words(phase: TablePhase) -> str:
    return _(_PHASE_WORDS[phase])


def seat_in_words(seat: SeatInfo) -> str:
    """Who sits there, with the level of a bot."""
    if seat.kind is SeatKind.FREE:
        return _("(free)")
    if seat.kind is SeatKind.HUMAN:
        played_for = seat.timed_out or seat.handed_over
        return _("{name} (a bot plays)").format(name=seat.name) if played_for else seat.name
    if seat.away:
        return _("{name} (away, a bot plays)").format(name=seat.name)
    return _("{name} (bot, {level})").format(name=seat.name, level=level_in_words(seat.level))


def watching_in_words(watchers: int) -> str:
    return ngettext("{n} is watching", "{n} are watching", watchers).format(n=watchers)


def seat_name(names: tuple[str, ...], seat: int) -> str:
    """The player's name, or the seat's number where there is none."""
    return (names[seat] if seat < len(names) else "") or _("Seat {n}").format(n=seat + 1)
