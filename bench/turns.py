"""What a player does in a turn of each game, key by key, and how many bytes each may cost."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from statistics import median
from typing import Final, NamedTuple

from clocktowers_tui.games.clocktowers.choosing import Selection, Stage, targets
from clocktowers_tui.games.clocktowers.layout import Arrangement
from clocktowers_tui.games.clocktowers.scene import staged
from clocktowers_tui.games.scenes import Given
from protocol.games import architetti_attenti as attenti, wild_wild_pattern as pattern
from protocol.games.clocktowers import Discard, Draw, Phase, Play
from protocol.games.wild_wild_pattern.cards import FIRST_COLOUR, object_of
from protocol.games.wild_wild_pattern.pattern import Direction
from tests.stage.pseudo_terminal import PseudoTerminal
from tests.stage.staged import OTHERS, OneTable

_DIGITS: Final = "1234567890"
_PILES: Final = "fcr"
_LETTERS: Final = "raygwcb"
_MEANT_S: Final = 0.9
"""Within this time after the board has changed, a key does not count for the board before."""
_RIGHT: Final = "\x1b[C"
_MOVES: Final = (_RIGHT, "\x1b[B", "\x1b[D", "\x1b[A")


class Budget(NamedTuple):
    """Bytes for a key, an action or a second: the median and the worst."""

    what: str
    median: int
    worst: int

    def met(self, costs: Sequence[int]) -> bool:
        return bool(costs) and median(costs) <= self.median and max(costs) <= self.worst


TOWER: Final = Budget("choice to another tower", 250, 400)
CARD: Final = Budget("choice to another card", 800, 1_200)
PLAY: Final = Budget("playing a card", 1_000, 2_000)
OPPONENT: Final = Budget("an opponent's action", 500, 1_200)
LINE: Final = Budget("a line of chat arrives", 300, 500)
DIALOG: Final = Budget("a dialog opened or closed", 4_000, 8_000)
CLOCK: Final = Budget("a second of a running clock", 32, 32)
IDLE: Final = Budget("nobody acts", 0, 0)
MOTION: Final = Budget("a motion at a peak", 2_000, 2_000)
BUDGETS: Final = (OPPONENT, LINE, DIALOG, IDLE)
"""For every game."""

MOVE: Final = Budget("a tile moved by a cell", 300, 500)
QUARTER: Final = Budget("a tile turned", 300, 500)
TILE: Final = Budget("another tile taken up", 650, 800)
"""Each floats at its own best place: the one before leaves its cells, too."""
BUY: Final = Budget("buying a tile", 1_000, 2_000)
PLACE: Final = Budget("placing a tile", 1_000, 2_000)
TOWN: Final = Budget("another player's town", 4_000, 8_000)

READY: Final = Budget("ready for a card", 1_100, 1_500)
"""The Wheel of the last declaration, which stays until then, makes way for the new one."""
SHOT: Final = Budget("a shot, or another choice of a place", 1_200, 2_000)
PICK: Final = Budget("a direction or a feature picked", 800, 1_200)
DECLARED: Final = Budget("the last key of a declaration", 1_500, 2_000)

Costs = dict[Budget, list[int]]


async def clocktowers(table: OneTable, terminal: PseudoTerminal, costs: Costs) -> None:
    given = Given(table.staged.view(), OTHERS, waiting=False, log=())
    table.scene = staged(given, table.scene, Arrangement.AUTOMATIC)
    view, action = table.scene.view, table.staged.bot_action()
    if view.phase is Phase.DRAW:
        assert isinstance(action, Draw)
        costs[PLAY].append(await terminal.cost(_PILES[action.pile]))
        return
    for _ in view.hand:
        costs[CARD].append(await terminal.cost(_RIGHT))
    card = view.hand.index(action.card)
    costs[CARD].append(await terminal.cost(_DIGITS[card]))
    if isinstance(action, Discard):
        costs[PLAY].append(await terminal.cost("x"))
        return
    assert isinstance(action, Play)
    fits = targets(view, Selection(Stage.TOWER, card))
    for _ in fits[1:]:
        costs[TOWER].append(await terminal.cost(_RIGHT))
    if len(fits) > 1 and fits[-1].action != action:
        costs[TOWER].append(await terminal.cost(_tower(action.tower)))
    costs[PLAY].append(await terminal.cost("\r"))


def _tower(tower: int | None) -> str:
    return "n" if tower is None else _DIGITS[tower]


async def architetti_attenti(table: OneTable, terminal: PseudoTerminal, costs: Costs) -> None:
    """Take up, move and turn all four tiles. Then buy the tile that the bot wants, and place it
    where it lies: the board has put it where it fits."""
    view, action = table.staged.view(), table.staged.bot_action()
    if isinstance(action, attenti.Buy):
        for position, tile in enumerate(view.row, 1):
            if tile:
                costs[TILE].append(await terminal.cost(str(position)))
                await _try_places(terminal, costs)
        costs[TILE].append(await terminal.cost(str(action.position)))
        costs[BUY].append(await terminal.cost("\r"))
        return
    for _ in view.boards:
        costs[TOWN].append(await terminal.cost("o"))
    costs[PLACE].append(await terminal.cost("\r"))


async def _try_places(terminal: PseudoTerminal, costs: Costs) -> None:
    for key in _MOVES:
        costs[MOVE].append(await terminal.cost(key))
    costs[QUARTER].append(await terminal.cost("r"))


async def wild_wild_pattern(table: OneTable, terminal: PseudoTerminal, costs: Costs) -> None:
    """What the bot wants; it keeps Challenge cards."""
    action = table.staged.bot_action()
    match action:
        case pattern.Ready():
            costs[READY].append(await terminal.cost(" "))
        case pattern.Shoot(place=place) | pattern.Take(place=place) | pattern.Lay(place=place):
            await asyncio.sleep(_MEANT_S)
            painted = await terminal.cost(_DIGITS[place])
            # The result, a dialog, comes with the last action.
            costs[DIALOG if table.staged.over else SHOT].append(painted)
        case pattern.Click():
            costs[SHOT].append(await terminal.cost("x"))
        case pattern.Declare(pattern=declared):
            direction = "<>"[declared.direction is Direction.AFTER]
            wheel = table.staged.view().wheel
            for key in (direction, _feature_key(declared.anchor, wheel)):
                costs[PICK].append(await terminal.cost(key))
            costs[DECLARED].append(await terminal.cost(_feature_key(declared.partner, wheel)))
        case _:
            await asyncio.sleep(_MEANT_S)
            await terminal.cost("n")
            if table.my_turn() and table.staged.view().phase is pattern.Phase.DECLARE:
                await terminal.cost("n")


def _feature_key(feature: int, wheel: bytes) -> str:
    """A letter; an object has the digit of a card."""
    if feature >= FIRST_COLOUR:
        return _LETTERS[feature - FIRST_COLOUR]
    return next(_DIGITS[at] for at, card in enumerate(wheel) if object_of(card) == feature)


class Turn(NamedTuple):
    """An action of the player, with everything tried before it, and the budgets that it needs."""

    take: Callable[[OneTable, PseudoTerminal, Costs], Awaitable[None]]
    budgets: tuple[Budget, ...]


TURNS: Final[Mapping[str, Turn]] = {
    "clocktowers": Turn(clocktowers, (TOWER, CARD, PLAY)),
    "wild_wild_pattern": Turn(wild_wild_pattern, (READY, SHOT, PICK, DECLARED)),
    "architetti_attenti": Turn(architetti_attenti, (TILE, MOVE, QUARTER, BUY, PLACE, TOWN)),
}
