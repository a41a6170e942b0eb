"""What a player's finished matches say together, in words."""

from clocktowers_tui.games.face import Face
from clocktowers_tui.history.numbers import Compared
from clocktowers_tui.text.i18n import _


def compared_in_words(numbers: Compared, face: Face) -> str:
    """This match beside the best before it."""
    this, best = face.score(numbers.this), face.score(numbers.best)
    if numbers.this > numbers.best:
        return _("Your best: {this}. Before it: {best}.").format(this=this, best=best)
    return _("Your best {best}, this {this}.").format(best=best, this=this)
