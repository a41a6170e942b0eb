"""A reviewed match in words: one decision in a line, the races, and the whole as a page."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from statistics import median
from typing import Any, Final, NamedTuple

from clocktowers_tui.games.face import Advice, Face, advised
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.games.spoken import sentence
from clocktowers_tui.games.standings import ranked
from clocktowers_tui.history.review import (
    ALWAYS,
    Reviewed,
    by_bot,
    course,
    hundredths,
    is_mistake,
    judged,
    mistakes,
    own,
    plies_of_mistakes,
    raced,
    reasons,
    to_a_tenth,
    told_loss,
    turning_point,
    worst_first,
    worst_of_others,
)
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.text.fitting import MARKED, plotted
from clocktowers_tui.text.i18n import _, decimal, language, ngettext, pgettext
from clocktowers_tui.text.spelling import spelt
from protocol.ids import Seat
from protocol.recording import POINT, Finding, Judged, Raced, Weighed

# The races of a reviewed match in words: what was there, and what the player did.


class Line(NamedTuple):
    """Of the page; it may name a mistake."""

    text: str
    one: Finding | None = None


_LISTED_OF_RACES: Final = 3
"""What the Wheel offered in a race, at most."""


def raced_in_words(face: Face, one: Raced) -> Sequence[str]:
    """What was there, and what came of it; then less."""
    found, did = _was_there(face, one), _did(face, one)
    if one.hit:
        return [f"{did} {better_in_words(face, one.view, one.came)}", did]
    if not found:
        nothing = _nothing(face, one)
        return [f"{nothing} {did}", nothing]
    there = _("You could have shot {pattern}").format(pattern=found[0])
    n = len(found) - 1
    more = ngettext("or made {n} other pattern", "or made {n} other patterns", n).format(n=n)
    whole = f"{there}, {more}." if n else f"{there}."
    return [f"{whole} {did}", f"{there}. {did}", whole, f"{there}."]


def _races(face: Face, review: Reviewed) -> Iterator[Line]:
    """The page: mistakes first."""
    mistaken = worst_first(review)
    for one in [*mistaken, *(one for one in raced(review) if not is_mistake(one))]:
        assert isinstance(one, Raced)
        yield Line("")
        yield Line(race_in_words(face, one), one if is_mistake(one) else None)
        yield from (Line(f"  {said}") for said in _race(face, one))


def _race(face: Face, one: Raced) -> Iterator[str]:
    if (late_ms := one.seen_ms - one.began_ms) > 0 and face.hurries(one.view):
        said = _("You see the card {s}\N{NO-BREAK SPACE}s after the race begins")
        yield said.format(s=_s(late_ms))
    there = _was_there(face, one)
    said = _("The best: {pattern}") if is_mistake(one) else _("It wins more: {pattern}")
    yield from (said.format(pattern=one) for one in there[:1])
    yield from there[1:_LISTED_OF_RACES]
    if len(there) > _LISTED_OF_RACES:
        yield _("{n} more").format(n=len(there) - _LISTED_OF_RACES)
    if not there:
        yield _nothing(face, one)


def _was_there(face: Face, one: Raced) -> Sequence[str]:
    """What the player could have made; after a hit only what was better."""
    return face.was_there(one.view, one.came if one.hit else None)


def better_in_words(face: Face, view: Any, came: Any) -> str:
    """The best that was there in the race of this view, if it was better than what came of a
    shot."""
    found = face.was_there(view, came)
    return _("The best: {pattern}").format(pattern=found[0]) if found else _("Nothing was better.")


def _nothing(face: Face, one: Raced) -> str:
    return _("Nothing was better.") if one.hit else face.was_nothing(one.view)


def race_in_words(face: Face, one: Raced) -> str:
    """Where it ended, as the board says that, and what the player did."""
    said = _("Round {round}, turn {turn}: {did}")
    return said.format(round=face.round(one.view), turn=face.turn(one.view), did=_did(face, one))


def _sums(face: Face, found: Sequence[Raced]) -> Iterator[str]:
    with_one = [one for one in found if face.was_there(one.view)]
    cards = ngettext("{n} card to shoot with", "{n} cards to shoot with", len(found))
    there = ngettext(
        "{n} of them could make a pattern", "{n} of them could make a pattern", len(with_one)
    )
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
        return _("You do not shoot.")
    clicked = one.place is not None and one.place < 0
    if (ms := _reaction_ms(face, one)) is not None:
        did = (
            _("After {s}\N{NO-BREAK SPACE}s you click.")
            if clicked
            else _("After {s}\N{NO-BREAK SPACE}s you shoot.")
        )
        did = did.format(s=_s(ms))
    else:
        did = _("You click.") if clicked else _("You shoot.")
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


_BAR: Final = 10
"""Cells of the bar that says how far a review is."""


class Explained(NamedTuple):
    """A mistake in words: why it was one, what was played with what it brings at once, and what
    would have been better, as a hint says it; `aimed`: what that is for is said in `why`."""

    why: Sequence[str]
    played: str
    better: Advice
    aimed: bool


_KEPT: Final = 200
_explained: Final[dict[tuple[int, str, str], tuple[Judged, Face, Explained]]] = {}
"""The newest, by finding, player and language: it takes a while to work one out."""


def explained(face: Face, review: Reviewed, one: Judged) -> Explained:
    """Of another's mistake the reason is the first alone, as they read it."""
    key = (id(one), review.name, language())
    known = _explained.get(key)
    if known is None or known[1] is not face:
        if len(_explained) > _KEPT:
            _explained.clear()
        known = _explained[key] = (one, face, _explain(face, review, one))
    return known[2]


def _explain(face: Face, review: Reviewed, one: Judged) -> Explained:
    """Without reasons that have not a third of the points of the first."""
    names = review.names
    found = reasons(face, names, one)
    why = [cost.said for cost in found if 3 * cost.points >= found[0].points]
    if one.seat != review.seat:
        said = _("What {name} reads: {said}").replace("{name}", names[one.seat])
        why = [said.replace("{said}", why) for why in why[:1]]
    did = face.advice(one.view, one.action, names)
    brings = did.brings if did is not None else ""
    played = ", ".join(filter(None, (face.choice(one.view, one.action), brings)))
    return Explained(why, played, _best(face, names, one), any(cost.aims for cost in found))


def _best(face: Face, names: Sequence[str], one: Judged) -> Advice:
    """The better move, as a hint says it."""
    return face.advice(one.view, one.best, names) or Advice(face.choice(one.view, one.best), "")


def found_in_words(face: Face, review: Reviewed, one: Finding) -> Sequence[Sequence[str]]:
    """A finding, for one row, then the same shorter; of a mistake also what is better, first with
    figures and its reason, then with its reason."""
    if isinstance(one, Raced):
        return [raced_in_words(face, one)]
    if is_mistake(one) and not one.by_bot:
        found = explained(face, review, one)
        return [[*_what_it_cost(review, one, found)], _better(face, one, found)]
    says = [
        _("Played: {played} ({worth}). Nothing is clearly better."),
        _("Played: {played}. Nothing is clearly better."),
        _("Nothing is clearly better ({worth})."),
    ]
    if one.by_bot:
        says = [_("A bot played for {name}: {played} ({worth})."), _("A bot played ({worth}).")]
    parts = {
        "name": review.names[one.seat],
        "played": face.choice(one.view, one.action),
        "worth": _worth(one, one.played),
    }
    return [[said.format_map(parts) for said in says]]


def verdicts_in_words(face: Face, review: Reviewed, one: Finding) -> Iterator[str]:
    """The same as one text, then with less: of a mistake the figures go first, then what was
    played; the reasons last."""
    says, *better = found_in_words(face, review, one)
    if not better:
        yield from says
    for some in (best[n : n + 2] for best in better for n in (0, 2)):
        for said in says:
            for best in some:
                yield from (f"{said}\n{best}", f"{said.rstrip('.')}. {best}")


def _what_it_cost(review: Reviewed, one: Judged, found: Explained) -> Iterator[str]:
    """Sentences, the longest first: what was lost, what was played, and why. A reason is worth more
    than the move, which the board shows as well."""
    cost, said = _cost(review, one), found.why
    whole = f"{cost}. {_did_play(found)}."
    yield from (" ".join([whole, *said[:n]]) for n in range(len(said), 1, -1))
    for why in said:
        yield from (f"{whole} {why}", f"{cost}. {why}")
    yield from (whole, f"{cost}.")


def _did_play(found: Explained) -> str:
    return _("Played: {what}").format(what=found.played)


def _better(face: Face, one: Judged, found: Explained, own: Judged | None = None) -> Sequence[str]:
    """What would have been better, and why, first with both figures. `own`: as in
    `tried_in_words`."""
    best = found.better
    if found.aimed:
        best = Advice(face.choice(one.view, one.best), "")
    says = [advised(best), ", ".join(filter(None, (best.what, best.brings))), best.what]
    figures, unit = _("{better}, as played {worth} ± {luck}"), own or one
    if unit.ply == one.ply and unit.action != one.action:
        figures = _("{better}, this move {worth}, in the match {own}")
    luck = str(max(1, hundredths(one.error)))
    luck = decimal(max(0.1, one.error / POINT)) if one.in_points else luck
    worths = {"worth": _figure(unit, one.played), "own": _figure(unit, unit.played)}
    figures = figures.format(better=_worth(unit, one.better), luck=luck, **worths)
    figures = spelt(figures.replace("± ", "±\N{NO-BREAK SPACE}"))
    return [_("Better: {best}").format(best=best) for best in (f"{says[0]}; {figures}", *says)]


def tried_in_words(one: Judged, own: Judged | None, keymap: Keymap) -> Sequence[str]:
    """Of a move that was tried again: what it is worth, and not what is better; then how to go on.
    `own`: the move of the match, in whose unit all is told; None where that is not judged."""
    worth = _worth(own or one, one.played, whole=own is None)
    said, how = (
        _("{worth} Nothing is clearly better."),
        _("{again}: try again, {back}: to the replay"),
    )
    if own is not None and own.ply == one.ply:
        as_then = own.action == one.action
        both = _("{worth}, as in the match") if as_then else _("{worth}; in the match: {own}")
        worth = both.format(worth=worth, own=_figure(own, own.played))
        if own.action != own.best == one.action:
            said = _("You found the better move. {worth}")
    unit = own or one
    best = unit.better if unit.lost and unit.ply == one.ply else one.better
    if one.lost:
        said = _("{worth} Something is clearly better.")
        how = _("{again}: try again, {back}: the answer")
    elif told_above(unit, best, one.played) > 0:
        said, hardly = "{worth}", _("{worth}; the best {best}: hardly a difference")
        worth = hardly.format(worth=worth, best=_figure(unit, best))
    elif unit.ply != one.ply:
        said = _("{worth} From here on nothing is clearly better.")
    keys = {"again": keymap.name(actions.TAKE_BACK), "back": keymap.name(actions.BACK)}
    return [said.format(worth=sentence(worth)), how.format(**keys)]


def told_above(unit: Judged, best: Weighed, played: Weighed) -> int:
    """By how much the one is told to be above the other, in the unit of this decision."""
    if played.wins is None or best.wins is None or unit.in_points:
        return to_a_tenth(best.lead) - to_a_tenth(played.lead)
    return hundredths(best.wins) - hundredths(played.wins)


def answer_in_words(face: Face, names: Sequence[str], one: Judged, own: Judged | None) -> str:
    """What is better than a move that was tried; "" = nothing. `own`: as in `tried_in_words`."""
    if not one.lost:
        return ""
    found = Explained((), "", _best(face, names, one), aimed=False)
    return _better(face, one, found, own)[0]


def no_other_mistake_in_words(plies: Sequence[int], at: int) -> str:
    """Of those at these plies; `at`: where the player is, at one of them."""
    said = _("This is mistake {n} of {all}, the last known in this direction.")
    return said.format(n=plies.index(at) + 1, all=len(plies))


def progress_in_words(review: Reviewed, *, slow: bool = False) -> str:
    """How far it is with what is the player's own; `slow`: nothing was found for a while."""
    if review.share >= ALWAYS:
        return _("Your decisions are judged; the others’ follow.")
    said = _("The review is still being made: {share}.")
    if slow:
        said = _("The review waits at {share}: other programs keep the machine busy.")
    return said.format(share=percent_in_words(review.share))


def stopped_in_words(review: Reviewed, keymap: Keymap) -> str:
    """The same where it has ended by itself, and nothing goes on."""
    said = _("The review has stopped at {share}: {key} goes on with it.")
    key = keymap.name(actions.REVIEW)
    return said.format(share=percent_in_words(review.share), key=key)


def bar_in_words(review: Reviewed, *, slow: bool = False) -> str:
    """The same, as a bar."""
    done = _BAR * review.share // ALWAYS
    bar = spelt("█" * done + "·" * (_BAR - done))
    what = _("Review waits") if slow else pgettext("in a replay", "Review")
    return " ".join([what, bar, percent_in_words(review.share)])


def sum_in_words(face: Face, review: Reviewed, at: int, wide: bool) -> str:
    """How many mistakes the player has made; the number of the one at this ply, and whether it is
    the biggest; `wide`: else also where the biggest is."""
    count, lost = len(plies := plies_of_mistakes(review)), mistakes(review)
    if at in plies:
        biggest = count > 1 and lost and at == lost[0].ply
        said = _("the biggest mistake, {n}/{all}") if biggest else _("mistake {n}/{all}")
        return said.format(n=plies.index(at) + 1, all=count)
    if wide and lost:
        said = ngettext(
            "{n} mistake, in turn {turn}", "{n} mistakes, the biggest in turn {turn}", count
        )
        return said.format(n=count, turn=face.turn(lost[0].view))
    return ngettext("{n} mistake", "{n} mistakes", count).format(n=count)


def done_in_words(review: Reviewed, keymap: Keymap, at: int) -> Sequence[str]:
    """That it is whole, and how to go on from this ply; then the same shorter."""
    count = sum(map(is_mistake, own(review)))
    if not count:
        says = [_("Review: {none}. {key}: all of it")]
    else:
        says = [
            ngettext(
                "Review: {n} mistake. {mistake}: {which}, {again}: try again, {key}: all of it",
                "Review: {n} mistakes. {mistake}: {which}, {again}: try again, {key}: all of it",
                count,
            ),
            ngettext(
                "Review: {n} mistake. {mistake}: {which}, {key}: all of it",
                "Review: {n} mistakes. {mistake}: {which}, {key}: all of it",
                count,
            ),
        ]
    keys = {"mistake": actions.MISTAKE, "again": actions.TRY, "key": actions.REVIEW}
    names = {name: keymap.name(key) for name, key in keys.items()}
    there = at in plies_of_mistakes(review) or not mistakes(review)
    next_one = _("the next") if there else _("the biggest")
    names["which"] = next_one if count > 1 else _("go there")
    return [said.format(n=count, none=no_mistake_in_words(review), **names) for said in says]


def no_mistake_in_words(review: Reviewed) -> str:
    """That there is no mistake, and whether a race could have brought more."""
    face, others = FACES[review.begun.game], (one for one in raced(review) if not is_mistake(one))
    more = any(_was_there(face, one) for one in others)
    return _("no mistake, but you could have won more") if more else _("no mistake")


def mistakes_found_in_words(review: Reviewed) -> str:
    """The same for a listener."""
    count = sum(map(is_mistake, own(review)))
    if not count:
        none = _("Review: {none}. Type review for all of it.").format(
            none=no_mistake_in_words(review)
        )
        return none if review.whole else progress_in_words(review)
    said = ngettext(
        "{n} mistake was found: mistake goes there.",
        "{n} mistakes were found: mistake goes to the next, review tells the biggest.",
        count,
    )
    return said.format(n=count)


def review_in_words(face: Face, review: Reviewed, columns: int) -> Iterator[Line]:
    """The page. `columns`: for the graph, 0 = none; sentences may be longer."""
    yield from map(Line, _verdict(face, review))
    if not face.in_turns:
        yield from _races(face, review)
        return
    if lost := mistakes(review):
        yield Line(spelt(_("±: the number may be off by so much.")))
    if review.whole and not review.alone and (lost or turning_point(review)):
        yield Line(_turning_point(face, review))
    costly = _("Mistakes, the biggest first:")
    in_points = costly if review.alone else _("Mistakes in points, as these cost hardly any wins:")
    for unit, some in groupby(lost, key=lambda one: one.in_points):
        yield from (Line(""), Line(in_points if unit else costly))
        for one in some:
            yield from _loss(face, review, one)
    for one in worst_of_others(review) if review.whole else ():
        yield Line("")
        yield from _loss(face, review, one)
    if plot := [*_graph(review, columns)] if columns else []:
        title = _("Wins to expect after each decision, of 100:")
        title = _("Expected points after each decision:") if review.alone else title
        yield from map(Line, ("", title, *plot))


def told_in_order(review: Reviewed) -> Sequence[Finding]:
    """The player's mistakes, then the worst of each other seat."""
    return [*worst_first(review), *worst_of_others(review)]


def heard_in_words(face: Face, review: Reviewed, n: int) -> Iterator[str]:
    """The page for a listener, one mistake at a time: that of this number, the worst first; before
    the first the verdict."""
    if not n:
        yield from _verdict(face, review)
    for one in told_in_order(review)[n : n + 1]:
        if isinstance(one, Raced):
            yield race_in_words(face, one)
            yield better_in_words(face, one.view, None)
        else:
            yield from _heard(face, review, one)


def heard_at(face: Face, review: Reviewed, ply: int) -> Iterator[str]:
    """What was found at this ply, which is said with it, for a listener; of other players only
    mistakes."""
    for one in (each for each in review.findings if each.ply == ply):
        if isinstance(one, Judged) and is_mistake(one) and not one.by_bot:
            yield from [*_heard(face, review, one)][1:]
        elif one.seat == review.seat:
            yield found_in_words(face, review, one)[0][0]


def _heard(face: Face, review: Reviewed, one: Judged) -> Iterator[str]:
    """When what was played; what that costs, and why; what was better."""
    said = _("In turn {turn}, {name} played: {what}.")
    if one.seat == review.seat:
        said = _("In turn {turn} you played: {what}.")
    what, name = face.choice(one.view, one.action), review.names[one.seat]
    yield said.format(turn=face.turn(one.view), name=name, what=what)
    found, cost = explained(face, review, one), _cost(review, one)
    if one.in_points and not review.alone:
        cost = _("{cost}, but hardly any wins").format(cost=cost)
    yield " ".join([f"{cost}.", *found.why])
    yield _better(face, one, found)[0]


def _verdict(face: Face, review: Reviewed) -> Iterator[str]:
    """Whose match it was, how it ended, and how the player did."""
    scored = zip(review.names, review.begun.scores, strict=True)
    result = ", ".join(f"{name} {face.score(score)}" for name, score in scored)
    yield _("Match of {name} ({result})").format(name=review.name, result=result)
    yield from _ahead(face, review)
    if review.whole or own(review):
        yield from [_sum(face, review)] if face.in_turns else _sums(face, raced(review))
    if judged(review) and not review.alone:
        said = _(
            "75 wins of 100: if bots played on for all from that move 100 times, you would win 75."
        )
        yield said
    if n := by_bot(review):
        said = ngettext(
            "A bot played {n} time for {name}: that is not counted here.",
            "A bot played {n} times for {name}: that is not counted here.",
            n,
        )
        yield said.format(n=n, name=review.name)


def _ahead(face: Face, review: Reviewed) -> Iterator[str]:
    """What put the winner ahead: of the player, or the player of the next."""
    begun, scores = review.begun, review.begun.scores
    if begun.view is None or review.alone or len(begun.winners) > 1:
        return
    first, second, *_others = ranked(begun.outcome)
    second = second if first == review.seat else review.seat
    if scores[first] > scores[second]:
        yield from face.ahead(begun.view, begun.outcome, review.names, review.seat, (first, second))


def _sum(face: Face, review: Reviewed) -> str:
    count, decided = len(lost := mistakes(review)), len(judged(review))
    if review.share < ALWAYS:
        found = ngettext("{n} mistake", "{n} mistakes", count).format(n=count)
        said = _("{n} of {all} of your decisions are judged, {mistakes} so far.")
        known = sum(one.seat == review.seat for one in review.findings)
        return said.format(n=known, all=review.begun.seats.count(review.seat), mistakes=found)
    decisions = ngettext("{n} decision", "{n} decisions", decided).format(n=decided)
    if not count:
        return _("{decisions}: none was a clear mistake.").format(decisions=decisions)
    said = ngettext(
        "{decisions}: {n} mistake, in turn {turn}",
        "{decisions}: {n} mistakes, the biggest in turn {turn}",
        count,
    )
    said = said.format(decisions=decisions, n=count, turn=face.turn(lost[0].view))
    return "; ".join(filter(None, (said, _together(review, lost)))) + "."


def _together(review: Reviewed, lost: Sequence[Judged]) -> str:
    """What all mistakes come to: points. Wins that they cost would not add up: each costs a part of
    the chance that is left."""
    cost = sum(map(told_loss, lost))
    if review.alone:
        most = decimal((review.ended + cost) / POINT, ".0f")
        return _("{n} of {most} possible points").format(n=review.ended // POINT, most=most)
    if lost[0].in_points:
        return _("{points} lost").format(points=_points(cost))
    return ""


def percent_in_words(thousandths: float) -> str:
    return f"{round(thousandths / 10)}\N{NO-BREAK SPACE}%"


def _turning_point(face: Face, review: Reviewed) -> str:
    if (one := turning_point(review)) is None:
        return _("No turning point: no single mistake decided the match.")
    said = _("Turning point: a mistake of {name} in turn {turn} cost {lost}.")
    if one.seat == review.seat:
        said = _("Turning point: your mistake in turn {turn} cost {lost}.")
    name = review.names[one.seat]
    return said.format(turn=face.turn(one.view), name=name, lost=_lost(one))


def _lost(one: Judged) -> str:
    """Of a mistake: points, or of a hundred matches so many."""
    n = told_loss(one)
    return _points(n) if one.in_points else _wins(n)


def _cost(review: Reviewed, one: Judged) -> str:
    """The same as a sentence, but for its end."""
    said = _("Costs {lost}")
    if one.seat != review.seat:
        said = _("What cost {name} most: {lost}").replace("{name}", review.names[one.seat])
    return said.replace("{lost}", _lost(one))


def _loss(face: Face, review: Reviewed, one: Judged) -> Iterator[Line]:
    found = explained(face, review, one)
    cost, turn = _cost(review, one), face.turn(one.view)
    yield Line("  " + _("{cost}, in turn {turn}").format(cost=cost, turn=turn), one)
    yield Line(f"    {_did_play(found)}")
    if found.why:
        yield Line(f"      {' '.join(found.why)}")
    yield Line(f"    {_better(face, one, found)[0]}")


def _worth(one: Judged, weighed: Weighed, *, whole: bool = False) -> str:
    """In what the decision is judged by; `whole`: also in what it is not."""
    lead = _lead(weighed)
    if weighed.wins is None:
        return lead
    lead = _("{lead} at the end").format(lead=lead)
    wins = _wins(hundredths(weighed.wins))
    return f"{wins}, {lead}" if whole else lead if one.in_points else wins


def _figure(one: Judged, weighed: Weighed) -> str:
    """The same, shorter, beside another."""
    if weighed.wins is None or one.in_points:
        return _lead(weighed)
    return str(hundredths(weighed.wins))


def _lead(weighed: Weighed) -> str:
    """Of a seat alone its points."""
    points = to_a_tenth(weighed.lead)
    said = "{points}" if weighed.wins is None else _("{points} ahead")
    if points < 0:
        said, points = _("{points} behind"), -points
    return said.format(points=_points(points))


def _wins(n: int) -> str:
    return _("{n}\N{NO-BREAK SPACE}wins of 100").format(n=n)


def _points(thousandths: int) -> str:
    return _("{points}\N{NO-BREAK SPACE}points").format(points=decimal(thousandths / POINT))


def _graph(review: Reviewed, columns: int) -> Iterator[str]:
    def words(value: int) -> str:
        return str(round(value / POINT) if review.alone else hundredths(value))

    points, turned = course(review), turning_point(review) if review.whole else None
    values, at = [value for _ply, value in points], None
    if turned is not None and not review.alone:
        at = next((n for n, (ply, _value) in enumerate(points) if ply >= turned.ply), None)
    plot = [*plotted(values, words, columns, cells_each=1, at=at)]
    yield from plot
    if plot and at is not None:
        yield _("{sign}: the turning point").format(sign=spelt(MARKED))
