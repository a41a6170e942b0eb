"""What a result says of other matches: those of before, and those at this table."""

from clocktowers_tui.state.looking_back import LookedBack
from clocktowers_tui.state.store import State
from clocktowers_tui.text.i18n import _


def numbers_in_words(looked: LookedBack | None, state: State) -> list[str]:
    """A line each. `looked`: of this match, None = it is not kept yet."""
    said = [evening_in_words(state)]
    if looked is not None:
        practice = _("This was practice: only your first try counts.") if looked.practice else ""
        if looked.practice and looked.played_for:
            practice = _("A bot finished this match for you: it does not count.")
        elif looked.by_bot:
            practice = _("A bot played some of your moves: this match does not count.")
        said += [looked.numbers, practice, *looked.deal]
    return [line for line in said if line]


def evening_in_words(state: State) -> str:
    """Who has won how often here; "" before the second match, and for somebody who has not been
    here since the first."""
    evening, table = state.evening, state.table
    if table is None or evening.matches < 2 or evening.matches != table.info.matches:
        return ""
    won = ", ".join(f"{name} {count}" for name, count in evening.won)
    return _("Wins at this table: {names}").format(names=won)
