"""What a player's finished matches say together, in words."""

from collections import Counter
from collections.abc import Iterable

from clocktowers_tui.games.face import Face
from clocktowers_tui.history.matches import Kept
from clocktowers_tui.history.numbers import Compared
from clocktowers_tui.history.record import Seated
from clocktowers_tui.phrases.tables import level_in_words
from clocktowers_tui.text.i18n import _, ngettext, pgettext
from protocol.text import clean


def compared_in_words(numbers: Compared, face: Face) -> str:
    """This match beside the best before it."""
    this, best = face.score(numbers.this), face.score(numbers.best)
    if numbers.this > numbers.best:
        return _("Your best: {this}. Before it: {best}.").format(this=this, best=best)
    return _("Your best {best}, this {this}.").format(best=best, this=this)


def kind_in_words(one: Kept, face: Face) -> str:
    """Against whom, and by which rules, as far as they are not the usual ones. `one`: a match that
    the player has played."""
    others = [seat for at, seat in enumerate(one.head.seats) if at != one.me]
    people = sum(not seat.level for seat in others)
    said = [ngettext("{n} person", "{n} people", people).format(n=people)] if people else []
    said += bots_in_words(others)
    against = " + ".join(said) or pgettext("a finished match", "alone")
    rules = face.options_in_words(one.head.options)
    return against if rules == face.options_in_words({}) else f"{against}; {clean(rules)}"


def bots_in_words(seats: Iterable[Seated]) -> list[str]:
    """How many there are of each level."""
    levels = Counter(seat.level for seat in seats if seat.level)
    return [
        ngettext("{n} bot, {level}", "{n} bots, {level}", count).format(
            n=count, level=level_in_words(clean(level))
        )
        for level, count in levels.items()
    ]
