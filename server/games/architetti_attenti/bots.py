"""The levels, weakest first, and how they choose; and what a decision was worth. Each sees what its
seat's client sees."""

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from random import Random
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from protocol.games.architetti_attenti import (
    Action,
    Buy,
    Event,
    Outcome,
    Phase,
    Place,
    View,
    turns_after,
    turns_to_come,
)
from protocol.games.architetti_attenti.board import placements, with_tile
from protocol.games.architetti_attenti.evaluation import UNIT, Outlook, outlook
from protocol.games.architetti_attenti.score import Counting, parts
from protocol.ids import Seat
from server.games.architetti_attenti.rules import advance, outcome
from server.games.architetti_attenti.state import State, copy
from server.games.architetti_attenti.view import determinize, public
from server.games.contract import BEGINNING, Bot, Judged, Stop, Weighed, never
from server.games.weighing import ALWAYS, Parts, explained, judged, likely

# The legal actions of a view. The view does not list them: they follow from what is open.


class Site(NamedTuple):
    """A place for a tile, and the board with it there."""

    first: int
    second: int
    board: bytes


class Purchase(NamedTuple):
    """A tile that the seat can pay for. `gems`: what the seat has after buying it."""

    position: int
    tile: int
    gems: int


def choices(view: View) -> list[Action]:
    """Every legal action of the seat that the view was made for, whose turn it is."""
    if view.phase is Phase.BUY:
        return [Buy(purchase.position) for purchase in purchases(view)]
    return [Place(site.first, site.second) for site in sites(own_board(view), view.tile)]


def own_board(view: View) -> bytes:
    assert view.seat is not None
    return view.boards[view.seat]


def purchases(view: View) -> list[Purchase]:
    """The tiles that the seat can pay for, by position."""
    assert view.seat is not None
    gems = view.gems[view.seat]
    return [
        Purchase(place + 1, tile, gems - place + view.on_row[place])
        for place, tile in enumerate(view.row)
        if tile and place <= gems
    ]


def sites(board: bytes, tile: int) -> list[Site]:
    return [
        Site(first, second, with_tile(board, tile, first, second))
        for first, second in placements(board, tile)
    ]


# The levels up to `normal`: they weigh purchases and places by today's points.


Worth: TypeAlias = Callable[[bytes, int], float]
"""A board and the gems in hand → what a level takes them to be worth."""

_GEM: Final = 0.5
"""What a gem is worth to `normal`, beside the points that it brings on a school."""

_TIE_BREAK: Final = 1e-6
"""Breaks ties."""


def learner(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """Takes the first tile, which costs nothing, and looks at two places for it."""
    if view.phase is Phase.BUY:
        return Buy(purchases(view)[0].position)
    score, gems, found = _score(view), view.gems[view.seat or 0], sites(own_board(view), view.tile)
    two = [found[int(rng.random() * len(found))] for _ in range(2)]
    best = max(two, key=lambda site: score(site.board, gems))
    return Place(best.first, best.second)


def easy(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """Buys the tile that brings most on its board, whatever gems that takes, and puts it there."""
    score, gems = _score(view), view.gems[view.seat or 0]
    return _best(view, lambda board, _left: score(board, gems), rng)


def normal(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """Buys the tile that brings most at once, and puts it there."""
    score = _score(view)
    return _best(view, lambda board, gems: score(board, gems) + _GEM * gems, rng)


def _score(view: View) -> Worth:
    rules = Counting.of(view)
    return lambda board, gems: parts(board, gems, rules).total


def _best(view: View, worth: Worth, rng: Random) -> Action:
    if view.phase is Phase.PLACE:
        return best_place(view, worth, rng)
    board = own_board(view)

    def value(purchase: Purchase) -> float:
        return _at_best(board, purchase, worth) + _TIE_BREAK * rng.random()

    return Buy(max(purchases(view), key=value).position)


def _at_best(board: bytes, purchase: Purchase, worth: Worth) -> float:
    """With the bought tile where that is worth most."""
    boards = [site.board for site in sites(board, purchase.tile)] or [board]
    return max(worth(one, purchase.gems) for one in boards)


def best_place(view: View, worth: Worth, rng: Random) -> Action:
    """Puts the bought tile where the board is worth most."""
    gems = view.gems[view.seat or 0]
    found = sites(own_board(view), view.tile)
    values = [worth(site.board, gems) + _TIE_BREAK * rng.random() for site in found]
    best = found[values.index(max(values))]
    return Place(best.first, best.second)


# The levels `hard` and `expert`: what looks best by a learnt estimate.
#
# A turn counts as much as what it leaves the seat, less what the next seat can make of the row.
# `expert` plays on those that count most, in imagined states until the seat has had its next turn;
# there every seat takes what looks best for itself. Law: the same view, events and numbers give
# the same action on every machine, unless `stop` cuts in.


LOOKED_AT: Final = 12
"""How many of the turns that count most are played on."""

WORLDS: Final = 16
"""Imagined states, the same for all turns."""

_JITTER: Final = 1e-3
"""Breaks ties: a thousandth of the smallest difference that counts."""


class _Turn(NamedTuple):
    """What is left of a turn: to buy, and to place, unless the tile fits nowhere."""

    value: float
    actions: tuple[Action, ...]


def hard(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """The turn that counts most; `stop` is asked before each purchase but the first."""
    turns = _turns(view, rng, stop)
    return max(turns, key=itemgetter(0)).actions[0]


def expert(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """`stop` is asked before each purchase, of which the first is always weighed, and before each
    turn of a round that is played on; a round that it cuts off does not count."""
    turns = sorted(_turns(view, rng, stop), key=itemgetter(0), reverse=True)[:LOOKED_AT]
    best, most = turns[0], float("-inf")
    if turns_after(view) and len(turns) > 1:
        worlds = [determinize(view, own_events, rng) for _ in range(WORLDS)]
        for turn in turns:
            margins = [_margin(copy(world), turn, stop) for world in worlds]
            whole = [margin for margin in margins if margin is not None]
            if len(whole) < WORLDS:
                break
            if sum(whole) > most:
                best, most = turn, sum(whole)
    return best.actions[0]


def _turns(view: View, rng: Random, stop: Stop) -> list[_Turn]:
    """All turns that there was time for."""
    board, ahead, found = own_board(view), _outlook(view), list[_Turn]()

    def weigh(value: float, *actions: Action) -> None:
        found.append(_Turn(value + _JITTER * rng.random(), actions))

    if view.phase is Phase.PLACE:
        for worth, way in ahead.places(board, view.tile, view.gems[view.seat or 0]):
            weigh(worth, Place(*way))
        return found
    for purchase in purchases(view):
        if found and stop():
            break
        buy, lost = Buy(purchase.position), _answer(view, purchase)
        places = ahead.places(board, purchase.tile, purchase.gems)
        for worth, way in places:
            weigh(worth - lost, buy, Place(*way))
        if not places:
            weigh(ahead.worth(board, purchase.gems) - lost, buy)
    return found


def _outlook(view: View) -> Outlook:
    """What boards are worth to the seat that acts, with the turns that it has after this one."""
    return outlook(Counting.of(view), turns_after(view))


def _answer(view: View, purchase: Purchase) -> float:
    """The best that the next seat can do with the tiles that are left, before a new one comes: its
    share, since it may be one of several rivals; nothing when nobody buys after this turn."""
    rivals, bought = len(view.boards) - 1, purchase.position - 1
    if not rivals or not turns_after(view) or view.seat is None:
        return 0.0
    seat = (view.seat + 1) % len(view.boards)
    board, gems, ahead = view.boards[seat], view.gems[seat], _outlook(view)
    left = [
        (tile, on_it + (place < bought))
        for place, (tile, on_it) in enumerate(zip(view.row, view.on_row, strict=True))
        if tile and place != bought
    ]
    values = [
        ahead.best(board, tile, gems - cost + on_it)[0]
        for cost, (tile, on_it) in enumerate(left)
        if cost <= gems
    ]
    return max(values, default=0) / rivals


def _margin(state: State, turn: _Turn, stop: Stop) -> int | None:
    """What the seat has after its next turn, for each rival, less what the rivals have by then;
    None where `stop` cuts in. The state is used up."""
    seat, margin = state.turn, 0
    do(state, turn.actions)
    while not stop():
        if state.turn == seat:
            return margin + max(1, state.seats - 1) * best_turn(state)[0]
        value, actions = best_turn(state)
        margin -= value
        do(state, actions)
    return None


def best_turn(state: State) -> tuple[int, tuple[Action, ...]]:
    """Of the seat to act, by what it leaves that seat alone."""
    view = replace(public(state), seat=state.turn)
    board, ahead = own_board(view), _outlook(view)
    weighed = [(each, *ahead.best(board, each.tile, each.gems)) for each in purchases(view)]
    purchase, value, way = max(weighed, key=itemgetter(1))
    place = (Place(*way),) if way else ()
    return value, (Buy(purchase.position), *place)


def do(state: State, actions: Sequence[Action]) -> None:
    """Of the seat to act, one after the other."""
    seat = Seat(state.turn)
    for action in actions:
        advance(state, seat, action, BEGINNING)


def uniform(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """Any legal action, all alike."""
    legal = choices(view)
    return legal[int(rng.random() * len(legal))]


BOTS: Final[Mapping[str, Bot]] = {
    "random": uniform,
    "learner": learner,
    "easy": easy,
    "normal": normal,
    "hard": hard,
    "expert": expert,
}


# What a decision was worth: the action that was played beside the one that `expert` would do.
#
# Each is played on in the same imagined states until the seat has had its next turn, as `expert`
# does; what the turns after it bring is the learnt estimate, and how sure a lead is by then follows
# from how many they are. Where the match ends by then, its points count. Law: the same view, events
# and numbers give the same answer on every machine.


SPREAD: Final = 4 * UNIT
"""By about so much, times the root of the turns to come, a lead ends elsewhere than where it was
estimated: between bots of the level `hard`."""


WORLDS_OF_PARTS: Final = 64
"""Worlds that say in which parts a mistake costs points."""

_AS_GOOD: Final = UNIT * 3 // 10
"""Places that are worth less by no more are level, by the learnt estimate."""


def judge(
    view: View, own_events: Sequence[Event], played: Action, rng: Random, best: Action | None = None
) -> Judged[Action]:
    """See `contract.Judge`."""
    if best is None:
        best = expert(view, own_events, rng)
        if isinstance(best, Place) and best != played:
            best = _plainest(view, best, played)
    turns = turns_after(view)

    def ends(actions: Sequence[Action]) -> list[Weighed]:
        world = determinize(view, own_events, rng)
        rests = [_turn(view, action) for action in actions]
        return [_end(copy(world), rest, turns) for rest in rests]

    found = judged(played, best, ends)
    if not found.lost:
        return found
    worlds = [determinize(view, own_events, rng) for _ in range(WORLDS_OF_PARTS)]

    def by_seat(action: Action) -> list[list[Parts]]:
        return [_parts(copy(one), _turn(view, action), turns_to_come(view)) for one in worlds]

    return explained(found, played, by_seat)


def _plainest(view: View, best: Place, played: Action) -> Place:
    """Of the places that are level with the best one, the one that brings most at once."""
    gems = view.gems[view.seat or 0]
    found = _outlook(view).places(own_board(view), view.tile, gems)
    worths = {Place(*way): worth for worth, way in found}
    level = [one for one in worths if worths[one] >= worths[best] - _AS_GOOD and one != played]

    def brings(one: Place) -> tuple[float, int]:
        board = with_tile(own_board(view), view.tile, one.first, one.second)
        return _score(view)(board, gems), worths[one]

    return max(level, key=brings)


def _until_next(state: State, turn: Sequence[Action]) -> tuple[list[int], Outcome | None]:
    """Play on until the seat has had its next turn: what each may expect by then; and the outcome,
    where the match ended before that turn."""
    seat, worth = state.turn, [0] * state.seats
    do(state, turn)
    while (result := outcome(state)) is None and state.turn != seat:
        acting = state.turn
        worth[acting], actions = best_turn(state)
        do(state, actions)
    if result is None:
        worth[seat], actions = best_turn(state)
        do(state, actions)
    else:
        worth = [UNIT * score for score in result.scores]
    return worth, result


def _parts(state: State, turn: Sequence[Action], turns: int) -> list[Parts]:
    """As `_end`, of each seat, with what each part of its town may be expected to bring. `turns`:
    of all seats, after this one."""
    seat, seats, found = state.turn, state.seats, dict[int, Parts]()
    _until_next(state, turn)
    for n in range(1, seats + 1):
        ahead, at = outlook(state.counting, max(0, turns - n) // seats), (seat + n) % seats
        found[at] = ahead.parts(state.boards[at], state.gems[at])
    return [found[at] for at in range(seats)]


def _turn(view: View, action: Action) -> Sequence[Action]:
    """The rest of a turn that begins so: a tile that is bought goes where it does most good."""
    if not isinstance(action, Buy):
        return (action,)
    purchase = next(each for each in purchases(view) if each.position == action.position)
    _value, way = _outlook(view).best(own_board(view), purchase.tile, purchase.gems)
    return (action, Place(*way)) if way else (action,)


def _end(state: State, turn: Sequence[Action], turns: int) -> Weighed:
    """What everybody may expect after the seat's next turn; the state is used up. `turns`: of the
    seat, after this one."""
    seat, (worth, result) = state.turn, _until_next(state, turn)
    leads = [worth[seat] - other for other in worth[:seat] + worth[seat + 1 :]]
    if not leads:
        return Weighed(worth[seat])
    if result is None:
        return Weighed(min(leads), likely(leads, SPREAD * SPREAD * turns))
    won = ALWAYS // len(result.winners) if seat in result.winners else 0
    return Weighed(min(leads), won)
