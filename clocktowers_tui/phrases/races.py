"""The races of a reviewed match in words: what was there, and what the player did."""

from collections.abc import Iterator, Sequence
from statistics import median
from typing import Final

from clocktowers_tui.games.face import Face
from clocktowers_tui.games.spoken import sentence
from clocktowers_tui.history.review import Reviewed, by_bot, raced
from clocktowers_tui.text.i18n import _, decimal, ngettext
from protocol.ids import Seat
from protocol.recording import Raced
from protocol.text import clean

_LISTED: Final = 3
"""What the Wheel offered in a race, at most."""


def whose_match_in_words(face: Face, review: Reviewed) -> str:
    """Whose match it was, and how it ended."""
    begun = review.begun
    scored = zip(begun.names, begun.scores, strict=True)
    result = ", ".join(f"{clean(name)} {face.score(score)}" for name, score in scored)
    return _("{name}'s match ({result})").format(name=review.name, result=result)


def by_bot_in_words(review: Reviewed, n: int) -> str:
    """That so many decisions, or cards, were none of the player's."""
    said = ngettext(
        "A bot played {n} time for {name}: that is not counted here.",
        "A bot played {n} times for {name}: that is not counted here.",
        n,
    )
    return said.format(n=n, name=review.name)


def raced_in_words(face: Face, one: Raced) -> Sequence[str]:
    """What was there, and what came of it; then less: of a shot that counted rather what came of
    it."""
    found, did = face.was_there(one.view), _did(face, one)
    if not found:
        nothing = _("No pattern was there.")
        return [f"{nothing} {did}", nothing]
    there = _("There: {pattern}").format(pattern=found[0])
    more = _("{n} more").format(n=len(found) - 1)
    whole = f"{there}, {more}." if len(found) > 1 else f"{there}."
    return [f"{whole} {did}", f"{there}. {did}", *([did] if one.came else []), whole, there]


def races_in_words(face: Face, review: Reviewed) -> Iterator[str]:
    """The page."""
    found = raced(review)
    yield whose_match_in_words(face, review)
    yield from _sums(face, found)
    if n := by_bot(review):
        yield by_bot_in_words(review, n)
    for number, one in enumerate(found, 1):
        yield ""
        yield race_in_words(face, number, one)
        if (late_ms := one.seen_ms - one.began_ms) > 0:
            yield "  " + _("you saw the card {s}\N{NO-BREAK SPACE}s after the others").format(
                s=_s(late_ms)
            )
        there = face.was_there(one.view)
        yield from (f"  {line}" for line in there[:_LISTED])
        if len(there) > _LISTED:
            yield "  " + _("{n} more").format(n=len(there) - _LISTED)
        if not there:
            yield "  " + _("No pattern was there.")


def race_in_words(face: Face, number: int, one: Raced) -> str:
    """Where it ended, and what the player did. `number`: from 1 on."""
    said = _("Race {n} (move {ply}): {did}")
    return said.format(n=number, ply=one.ply, did=_did(face, one))


def _sums(face: Face, found: Sequence[Raced]) -> Iterator[str]:
    with_one = [one for one in found if face.was_there(one.view)]
    cards = ngettext("{n} card to shoot with", "{n} cards to shoot with", len(found))
    there = ngettext("for {n} a pattern was there", "for {n} a pattern was there", len(with_one))
    hit = sum(one.hit for one in with_one)
    shot = ngettext("{n} of them hit", "{n} of them hit", hit)
    parts = [cards.format(n=len(found)), there.format(n=len(with_one)), shot.format(n=hit)]
    yield ", ".join(parts) + "."
    if tried := [ms for one in found if (ms := _reaction_ms(face, one)) is not None]:
        said = _("You shot or clicked once, after {s}\N{NO-BREAK SPACE}s.")
        if len(tried) > 1:
            said = _("You shot or clicked {n} times, half of them within {s}\N{NO-BREAK SPACE}s.")
        yield said.format(n=len(tried), s=_s(median(tried)))


def _did(face: Face, one: Raced) -> str:
    """With the time it took, where anybody hurries; and what came of a shot."""
    if one.tried_ms is None:
        return _("You did not shoot.")
    clicked = one.place is not None and one.place < 0
    did = _("You clicked.") if clicked else _("You shot.")
    if (ms := _reaction_ms(face, one)) is not None:
        did = (
            _("You clicked after {s}\N{NO-BREAK SPACE}s.")
            if clicked
            else _("You shot after {s}\N{NO-BREAK SPACE}s.")
        )
        did = did.format(s=_s(ms))
    return did if clicked else f"{did} {_came(face, one)}"


def _came(face: Face, one: Raced) -> str:
    """Of a shot, as the log said it."""
    if one.came is None:
        return _("Somebody was quicker.")
    seat = one.came.seat
    return sentence(face.phrase(one.came, [""] * (seat + 1), Seat(seat)))


def _reaction_ms(face: Face, one: Raced) -> int | None:
    """From the moment at which all saw their cards; None: nobody hurried."""
    if one.tried_ms is None or not face.hurries(one.view):
        return None
    return one.tried_ms - one.began_ms


def _s(ms: float) -> str:
    return decimal(ms / 1000)
