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
    worst_of_others,
)
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.text.fitting import MARKED, plotted
from clocktowers_tui.text.i18n import _, decimal, ngettext, pgettext
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
    """The page."""
    for one in raced(review):
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
    said = _("Round {round}, turn {turn} (move {ply}): {did}")
    at = {"round": face.round(one.view), "turn": face.turn(one.view)}
    return said.format(**at, ply=one.ply, did=_did(face, one))


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


_LISTED: Final = 10
"""The largest losses."""
_CLOSE: Final = 14
"""A match is close where a point is one win of so many, or more."""
_BAR: Final = 10
"""Cells of the bar that says how far a review is."""


def found_in_words(face: Face, review: Reviewed, one: Finding) -> Sequence[Sequence[str]]:
    """A finding, for one row, then the same shorter; of a mistake also what is better, first with
    figures and its reason, then with its reason."""
    if isinstance(one, Raced):
        return [raced_in_words(face, one)]
    if is_mistake(one) and not one.by_bot:
        return [[*_what_it_cost(face, review, one)], _better(face, review.names, one)]
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


def _what_it_cost(face: Face, review: Reviewed, one: Judged) -> Iterator[str]:
    """Sentences, the longest first: what was lost, what was played, and what that costs. A reason
    is worth more than the move, which the board shows as well."""
    lost = _cost(one)
    played = _("played: {what}").format(what=_played(face, review.names, one))
    whole = f"{lost}, {played}"
    said = _reasons(face, review, one)
    yield " ".join([f"{_in_both(one, lost)}, {played}.", *said])
    yield from (f"{whole}. {' '.join(said[:n])}" for n in range(len(said), 1, -1))
    for why in said:
        yield from (f"{whole}. {why}", f"{lost}. {why}")
    yield from (f"{whole}.", whole, lost)


def _reasons(face: Face, review: Reviewed, one: Judged) -> Sequence[str]:
    """Why a mistake was one, without what has not a third of the first reason's points. Of
    another's it is the first alone, with to whom it is said."""
    found = reasons(face, review.names, one)
    said = [cost.said for cost in found if 3 * cost.points >= found[0].points]
    if one.seat == review.seat:
        return said
    to = _("{name} is told: “{said}”").replace("{name}", review.names[one.seat])
    return [to.replace("{said}", why.rstrip(".")) + "." for why in said[:1]]


def _better(
    face: Face, names: Sequence[str], one: Judged, own: Judged | None = None, *, alone: bool = False
) -> Sequence[str]:
    """What would have been better, and why. `own`: as in `tried_in_words`; `alone`: as in
    `_best`."""
    found = _best(face, names, one, alone=alone)
    says = [advised(found), ", ".join(filter(None, (found.what, found.brings))), found.what]
    figures, unit = _("{better}, as played: {worth}"), own or one
    if unit.ply == one.ply and unit.action != one.action:
        figures = _("{better}, this: {worth}, in the match: {own}")
    worths = {"worth": _figure(unit, one.played), "own": _figure(unit, unit.played)}
    figures = figures.format(better=_worth(unit, one.better), **worths)
    return [_("Better: {best}").format(best=best) for best in (f"{says[0]}; {figures}", *says)]


def _played(face: Face, names: Sequence[str], one: Judged) -> str:
    """With what it brings at once."""
    found = face.advice(one.view, one.action, names)
    brings = found.brings if found is not None else ""
    return ", ".join(filter(None, (face.choice(one.view, one.action), brings)))


def _best(face: Face, names: Sequence[str], one: Judged, *, alone: bool = False) -> Advice:
    """As a hint says it; unless that stands `alone`, without what it is for where a reason says
    that."""
    found = face.advice(one.view, one.best, names)
    told = not alone and any(cost.aims for cost in reasons(face, names, one))
    return Advice(face.choice(one.view, one.best), "") if told or found is None else found


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
    if one.lost:
        said = _("{worth} Something is clearly better.")
        how = _("{again}: try again, {back}: the answer")
    elif (best := _figure(unit, (unit if unit.lost else one).better)) != _figure(unit, one.played):
        said, worth = (
            "{worth}",
            _("{worth}; the best {best}: hardly a difference").format(worth=worth, best=best),
        )
    keys = {"again": keymap.name(actions.TAKE_BACK), "back": keymap.name(actions.BACK)}
    return [said.format(worth=sentence(worth)), how.format(**keys)]


def answer_in_words(face: Face, names: Sequence[str], one: Judged, own: Judged | None) -> str:
    """What is better than a move that was tried; "" = nothing. `own`: as in `tried_in_words`."""
    return _better(face, names, one, own, alone=True)[0] if one.lost else ""


def no_other_mistake_in_words(plies: Sequence[int], at: int) -> str:
    """Of those at these plies; `at`: where the player is, at one of them."""
    said = _("This is mistake {n} of {all}, the last known in this direction.")
    return said.format(n=plies.index(at) + 1, all=len(plies))


def progress_in_words(review: Reviewed) -> str:
    """How far it is."""
    said = _("The review is still being made: {share}.")
    return said.format(share=percent_in_words(_share(review)))


def _share(review: Reviewed) -> float:
    return ALWAYS * len(review.findings) / max(1, len(review.begun.plies))


def bar_in_words(review: Reviewed) -> str:
    """The same as a bar."""
    share = _share(review)
    done = int(_BAR * share / ALWAYS)
    bar = spelt("█" * done + "·" * (_BAR - done))
    return " ".join([pgettext("in a replay", "Review"), bar, percent_in_words(share)])


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
    next_one = _("the next") if at or not mistakes(review) else _("the biggest")
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
    lost = mistakes(review)
    if review.whole and not review.alone and (lost or turning_point(review)):
        yield Line(_turning_point(face, review))
    costly = _("The costliest decisions, and what was to be expected:")
    in_points = costly if review.alone else _("These mistakes cost points, but hardly any wins:")
    for unit, some in groupby(lost[:_LISTED], key=lambda one: one.in_points):
        yield from (Line(""), Line(in_points if unit else costly))
        for one in some:
            yield from _loss(face, review, one)
    if len(lost) > _LISTED:
        more = len(lost) - _LISTED
        said = ngettext("{n} more mistake", "{n} more mistakes", more).format(n=more)
        yield from (Line(""), Line(said))
        yield from (Line(f"  {_lost(face, review, one)}", one) for one in lost[_LISTED:])
    if review.whole and (others := worst_of_others(review)):
        yield from (Line(""), Line(_("What cost the others most:")))
        for one in others:
            yield from _loss(face, review, one)
    if plot := [*_graph(review, columns)] if columns else []:
        title = _("Chance to win after each decision, of 100:")
        title = _("Expected points after each decision:") if review.alone else title
        yield from map(Line, ("", title, *plot))


def worst_first(face: Face, review: Reviewed) -> Sequence[Finding]:
    """The player's mistakes, then the worst of each other seat; in a race it is the worst to hit
    what lost the match, then to miss the most patterns."""
    cards = sorted(raced(review), key=lambda one: (not one.hit, -len(face.was_there(one.view))))
    return [*mistakes(review), *filter(is_mistake, cards), *worst_of_others(review)]


def heard_in_words(face: Face, review: Reviewed, n: int) -> Iterator[str]:
    """The page for a listener, one mistake at a time: that of this number, the worst first; before
    the first the verdict."""
    if not n:
        yield from _verdict(face, review)
    for one in worst_first(face, review)[n : n + 1]:
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
    """When what was played; what that costs, in words, and why; what was better."""
    said = _("In turn {turn}, move {ply}, {name} played: {what}.")
    if one.seat == review.seat:
        said = _("In turn {turn}, move {ply}, you played: {what}.")
    what, name = face.choice(one.view, one.action), review.names[one.seat]
    yield said.format(turn=face.turn(one.view), ply=one.ply, name=name, what=what)
    points, lost = to_a_tenth(one.better.lead - one.played.lead), _cost(one, heard=True)
    told = sentence(_in_both(one, lost))
    if one.seat != review.seat and points > 0:  # in the unit of reasons alone
        told = sentence(_("costs {lost}").format(lost=_points(points)))
    yield " ".join([told, *_reasons(face, review, one)])
    # Its figures are told to the player.
    yield _better(face, review.names, one)[int(one.seat != review.seat)]


def _verdict(face: Face, review: Reviewed) -> Iterator[str]:
    """Whose match it was, how it ended, and how the player did."""
    scored = zip(review.names, review.begun.scores, strict=True)
    result = ", ".join(f"{name} {face.score(score)}" for name, score in scored)
    yield _("Match of {name} ({result})").format(name=review.name, result=result)
    yield from _ahead(face, review)
    if review.whole or own(review):
        yield from [_sum(face, review)] if face.in_turns else _sums(face, raced(review))
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
    decisions = ngettext("{n} decision", "{n} decisions", decided).format(n=decided)
    if not review.whole:
        found = ngettext("{n} mistake", "{n} mistakes", count).format(n=count)
        return _("So far: {mistakes} in {decisions}.").format(mistakes=found, decisions=decisions)
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
    said = _("Turning point: move {ply}, in turn {turn}. It was a mistake of {name}: {lost}.")
    if one.seat == review.seat:
        said = _("Turning point: move {ply}, in turn {turn}. It was your mistake: {lost}.")
    name = review.names[one.seat]
    return said.format(ply=one.ply, turn=face.turn(one.view), name=name, lost=_cost(one))


def _lost(face: Face, review: Reviewed, one: Judged) -> str:
    """What was lost, and where."""
    said = _("{lost} in turn {turn} (move {ply})")
    said = said.format(lost=_in_both(one, _cost(one)), turn=face.turn(one.view), ply=one.ply)
    return said if one.seat == review.seat else f"{review.names[one.seat]}: {said}"


def _cost(one: Judged, *, heard: bool = False) -> str:
    """Of a mistake: points, or of a hundred matches so many. `heard`: with a word for the sign."""
    n = told_loss(one) if heard else -told_loss(one)
    wins = _("{n}\N{NO-BREAK SPACE}wins of 100").format(n=n)
    luck = str(max(1, hundredths(one.error)))
    luck = decimal(max(0.1, one.error / POINT)) if one.in_points else luck
    lost = spelt(f"{_points(n) if one.in_points else wins} ±\N{NO-BREAK SPACE}{luck}")
    return _("costs {lost}").format(lost=lost) if heard else lost


def _in_both(one: Judged, lost: str) -> str:
    """Wins that are `lost` in points, too, in which reasons are told; and that few points make many
    wins."""
    if one.in_points or (lead := to_a_tenth(one.better.lead - one.played.lead)) <= 0:
        return lost
    said = _("{lost} ({points})")
    if _CLOSE * one.lost * POINT >= lead * ALWAYS:
        said = _("{lost} ({points}; the match is close)")
    return said.format(lost=lost, points=_points(lead))


def _loss(face: Face, review: Reviewed, one: Judged) -> Iterator[Line]:
    yield Line(f"  {_lost(face, review, one)}", one)
    what = _played(face, review.names, one)
    told = _("played: {what}: {weighed}").format(what=what, weighed=_worth(one, one.played))
    yield Line(f"    {told}")
    if said := _reasons(face, review, one):
        yield Line(f"      {' '.join(said)}")
    what = advised(_best(face, review.names, one))
    told = _("better: {what}: {weighed}").format(what=what, weighed=_worth(one, one.better))
    yield Line(f"    {told}")


def _worth(one: Judged, weighed: Weighed, *, whole: bool = False) -> str:
    """In what the decision is judged by; `whole`: also in what it is not."""
    if weighed.wins is None:
        return _points(to_a_tenth(weighed.lead))
    wins = _("{n}\N{NO-BREAK SPACE}wins of 100").format(n=hundredths(weighed.wins))
    lead = _("lead {n}\N{NO-BREAK SPACE}points").format(n=_lead(weighed))
    if (behind := -to_a_tenth(weighed.lead)) > 0:
        lead = _("behind by {n}\N{NO-BREAK SPACE}points").format(n=decimal(behind / POINT))
    return f"{wins}, {lead}" if whole else lead if one.in_points else wins


def _figure(one: Judged, weighed: Weighed) -> str:
    """The same without its unit, which stands before it, but for being behind."""
    if weighed.wins is None:
        return decimal(to_a_tenth(weighed.lead) / POINT)
    if one.in_points and to_a_tenth(weighed.lead) < 0:
        return _worth(one, weighed)
    return _lead(weighed) if one.in_points else str(hundredths(weighed.wins))


def _lead(weighed: Weighed) -> str:
    return decimal(to_a_tenth(weighed.lead) / POINT, "+.1f")


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
