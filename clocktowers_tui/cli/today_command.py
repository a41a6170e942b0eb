"""`clocktowers today --result`: the newest result of a deal of the day, to paste."""

from clocktowers_tui.cli.history_command import NotThere, guarded
from clocktowers_tui.games.registry import title_of
from clocktowers_tui.history import matches
from clocktowers_tui.history.numbers import deals
from clocktowers_tui.phrases.history import daily_in_words
from clocktowers_tui.text.i18n import _


def print_result(game: str) -> int:
    """The exit code: 0, or 2 after a sentence on stderr."""

    def show() -> None:
        counted = deals(matches.newest_first(), game)
        if not counted:
            said = _("you have finished no deal of the day of {game} yet")
            raise NotThere(said.format(game=title_of(game)))
        print("\n".join(daily_in_words(counted[max(counted)], counted)), flush=True)

    return guarded(show)
