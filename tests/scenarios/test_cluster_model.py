"""Two nodes and one match: all orders of claims, appends, drains and faults keep the laws,
and each wrong way to build it is found."""

from collections import deque
from collections.abc import Iterator
from enum import Flag, auto
from typing import Final, Literal, NamedTuple, TypeAlias

import pytest

# A small model of nodes that share one match: claim, append, drain, and what goes wrong.
#
# Two nodes, one match, two players with three moves, and the database: a `World` is one moment of
# them. `steps` lists everything that can happen next, which `search` tries in every order. The
# database may find at any moment that the owner's lease has run out: leases only say when to try.
#
# Laws: nobody is acknowledged what the journal does not keep; nobody sees a move that is not in it;
# there is one history, which for nobody who looks at it becomes shorter.


MOVES: Final = (("a1", "a2"), ("b1",))
"""By player. The match takes them in any order."""

NOWHERE: Final = -1

History: TypeAlias = tuple[str, ...]


Life: TypeAlias = Literal["up", "hung", "dead"]


class Append(NamedTuple):
    """On its way to the database, which may hear it long after its node is gone."""

    node: int
    epoch: int
    version: int
    key: str


class ModelNode(NamedTuple):
    """`epoch` 0: it does not have the match. `history` None: it has to read it. `wish`: what it has
    sent to the database; `answer`: whether that was kept, "" while the node has not heard."""

    life: Life = "up"
    epoch: int = 0
    history: History | None = None
    wish: Append | None = None
    answer: str = ""


class ModelPlayer(NamedTuple):
    """`front`: the node that was dialled, `home`: the one that it leads to, maybe itself; NOWHERE:
    the line is broken. `greeted`: whether home has shown the match. `told`: acknowledged moves with
    their versions."""

    front: int = NOWHERE
    home: int = NOWHERE
    greeted: bool = False
    told: tuple[tuple[str, int], ...] = ()
    seen: History = ()


class World(NamedTuple):
    """`safe`: how much of the journal survives a crash. `leased`: whether the owner's lease stands.
    `blows`: faults that are still to come, at most; `claims`: the same."""

    blows: int
    claims: int
    journal: History = ()
    safe: int = 0
    owner: int = NOWHERE
    epoch: int = 0
    leased: bool = False
    flying: frozenset[Append] = frozenset()
    nodes: tuple[ModelNode, ...] = (ModelNode(), ModelNode())
    players: tuple[ModelPlayer, ...] = (ModelPlayer(), ModelPlayer())


# What a step changes -----------------------------------------------------------------------------


def name(player: int) -> str:
    return "ab"[player]


def with_node(world: World, number: int, **changed: object) -> World:
    nodes = list(world.nodes)
    nodes[number] = nodes[number]._replace(**changed)  # type: ignore[arg-type]
    return world._replace(nodes=tuple(nodes))


def with_player(world: World, number: int, **changed: object) -> World:
    players = list(world.players)
    players[number] = players[number]._replace(**changed)  # type: ignore[arg-type]
    return world._replace(players=tuple(players))


def shown(world: World, number: int, history: History) -> World:
    return with_player(world, number, greeted=True, seen=history)


def told(world: World, number: int, key: str, history: History) -> World:
    told = (*world.players[number].told, (key, history.index(key) + 1))
    return with_player(world, number, told=told, seen=history)


def away(world: World, number: int) -> World:
    return with_player(world, number, front=NOWHERE, home=NOWHERE, greeted=False)


def answered(world: World, append: Append, word: str) -> World:
    """To its node, if that still waits for it."""
    if world.nodes[append.node].wish != append:
        return world
    return with_node(world, append.node, answer=word)


def lost(world: World, number: int) -> World:
    """The node closes the match without a word to the journal, and tells its players to dial."""
    for other, player in enumerate(world.players):
        if player.home == number:
            world = away(world, other)
    return with_node(world, number, epoch=0, history=None, wish=None, answer="")


def gone(world: World, number: int) -> World:
    for other, player in enumerate(world.players):
        if number in (player.front, player.home):
            world = away(world, other)
    nodes = list(world.nodes)
    nodes[number] = ModelNode("dead")
    leased = world.leased and world.owner != number
    return world._replace(nodes=tuple(nodes), leased=leased)


# The laws ----------------------------------------------------------------------------------------


def done(world: World) -> bool:
    """Whether all moves are acknowledged."""
    return sum(len(player.told) for player in world.players) == sum(map(len, MOVES))


def broken(before: World, after: World) -> str:
    """The law that this step has broken, or nothing."""
    if after.players is before.players and after.journal is before.journal:
        return ""
    for was, now in zip(before.players, after.players, strict=True):
        if any(after.journal[version - 1 : version] != (key,) for key, version in now.told):
            return "acknowledged, and the journal does not keep it"
        if after.journal[: len(now.seen)] != now.seen:
            return "seen, and not in the journal"
        if now.seen[: len(was.seen)] != was.seen:
            return "the history became shorter"
    return ""


def mirrored(world: World) -> World:
    """The same world with the nodes' names changed over: of the two only one has to be tried."""

    def other(node: int) -> int:
        return NOWHERE if node == NOWHERE else 1 - node

    def sent(append: Append) -> Append:
        return append._replace(node=other(append.node))

    return world._replace(
        owner=other(world.owner),
        flying=frozenset(map(sent, world.flying)),
        nodes=tuple(one._replace(wish=one.wish and sent(one.wish)) for one in world.nodes[::-1]),
        players=tuple(
            one._replace(front=other(one.front), home=other(one.home)) for one in world.players
        ),
    )


# What can happen next -----------------------------------------------------------------------------


class Fault(Flag):
    """How a cluster can be built wrongly; NONE is ours."""

    NONE = 0
    NO_EPOCH = auto()
    """An append looks at the version alone."""
    OWN_CLOCK = auto()
    """The same, and the node looks whether its lease still stands before it sends it."""
    EARLY = auto()
    """A node acknowledges when it sends the append."""
    ASYNCHRONOUS = auto()
    """The database acknowledges before what it keeps would survive a crash."""
    READS_FIRST = auto()
    """A node reads the match before it claims it."""


Step: TypeAlias = tuple[str, World]


def steps(world: World, fault: Fault = Fault.NONE) -> Iterator[Step]:
    """Everything that can happen next, in words, and the world after it."""
    for number, node in enumerate(world.nodes):
        if node.life == "up":
            yield from _node_acts(world, number, node, fault)
        yield from _node_is_struck(world, number, node)
    yield from _database(world, fault)
    for number in range(len(world.players)):
        yield from _player(world, number)


def _node_acts(world: World, number: int, node: ModelNode, fault: Fault) -> Iterator[Step]:
    has_it = world.owner == number and node.epoch == world.epoch
    if has_it and not world.leased:
        yield f"{number} renews its lease", world._replace(leased=True)
    if world.claims and not has_it and (world.owner == number or not world.leased):
        # What it sent in an earlier epoch may still arrive; it does not wait for the answer.
        early = node.history if Fault.READS_FIRST in fault else None
        epoch = world.epoch + 1
        taken = world._replace(claims=world.claims - 1, owner=number, epoch=epoch, leased=True)
        claimed = with_node(taken, number, epoch=epoch, history=early, wish=None, answer="")
        yield f"{number} claims", claimed
    if Fault.READS_FIRST in fault and not node.epoch and node.history is None:
        yield f"{number} reads before it claims", with_node(world, number, history=world.journal)
    if not node.epoch:
        for other, player in enumerate(world.players):
            if player.home == number:
                yield f"{number} sends {name(other)} away", away(world, other)
        return
    if node.history is None:
        if node.epoch == world.epoch:
            yield f"{number} reads the match", with_node(world, number, history=world.journal)
        else:
            yield f"{number} learns that it has lost the match", lost(world, number)
        return
    if world.owner == number and node.wish is None:
        # It stops: its players dial another one.
        yield f"{number} drains", gone(world._replace(owner=NOWHERE, leased=False), number)
    yield from _serves(world, number, node, node.history, fault)


def _serves(
    world: World, number: int, node: ModelNode, history: History, fault: Fault
) -> Iterator[Step]:
    if node.wish is not None:
        yield from _hears(world, number, node, node.wish, history, fault)
    for other, player in enumerate(world.players):
        if player.home != number:
            continue
        if not player.greeted:
            yield f"{number} greets {name(other)}", shown(world, other, history)
            continue
        key = next((key for key in MOVES[other] if key not in dict(player.told)), None)
        if key in history:  # it comes again after a broken line
            yield f"{number} has {key} already", told(world, other, key, history)
        elif key is not None and node.wish is None:
            if Fault.OWN_CLOCK in fault and not (world.owner == number and world.leased):
                continue
            wish = Append(number, node.epoch, len(history) + 1, key)
            sent = with_node(world, number, wish=wish)._replace(flying=world.flying | {wish})
            if Fault.EARLY in fault:
                sent = told(sent, other, key, (*history, key))
            yield f"{number} sends {key} to the database", sent


def _hears(
    world: World, number: int, node: ModelNode, wish: Append, history: History, fault: Fault
) -> Iterator[Step]:
    """The database's answer."""
    if node.answer == "kept":
        after = (*history, wish.key)
        heard = with_node(world, number, history=after, wish=None, answer="")
        for other, player in enumerate(world.players):
            if player.home == number and player.greeted:
                heard = shown(heard, other, after)
                if wish.key in MOVES[other]:
                    heard = told(heard, other, wish.key, after)
        yield f"{number} hears that {wish.key} is kept", heard
    elif node.answer == "refused" and node.epoch != world.epoch and not _blind(fault):
        yield f"{number} hears that it has lost the match", lost(world, number)
    elif node.answer:  # refused for its version, or nobody knows
        heard = with_node(world, number, history=None, wish=None, answer="")
        yield f"{number} hears {node.answer} of {wish.key}", heard


def _blind(fault: Fault) -> bool:
    return bool(fault & (Fault.NO_EPOCH | Fault.OWN_CLOCK))


def _node_is_struck(world: World, number: int, node: ModelNode) -> Iterator[Step]:
    if node.life == "hung":
        yield f"{number} wakes", with_node(world, number, life="up")
    if node.life == "dead":
        yield f"{number} is started again", with_node(world, number, life="up")
    if not world.blows:
        return
    struck = world._replace(blows=world.blows - 1)
    if node.life == "up":
        yield f"{number} hangs", with_node(struck, number, life="hung")
    if node.life != "dead":
        yield f"{number} is killed", gone(struck, number)


def _database(world: World, fault: Fault) -> Iterator[Step]:
    if world.leased:
        yield f"the lease of {world.owner} runs out", world._replace(leased=False)
    for one in world.flying:
        landed = world._replace(flying=world.flying - {one})
        fits = one.version == len(world.journal) + 1 and one.key not in world.journal
        kept = fits and (one.epoch == world.epoch or _blind(fault))
        if kept:
            journal = (*world.journal, one.key)
            safe = world.safe if Fault.ASYNCHRONOUS in fault else len(journal)
            landed = landed._replace(journal=journal, safe=safe)
        word = "kept" if kept else "refused"
        yield f"the append of {one.key} by {one.node} is {word}", answered(landed, one, word)
    if world.safe < len(world.journal):
        yield "the database writes to its disk", world._replace(safe=len(world.journal))
    if world.blows:
        crashed = world._replace(
            blows=world.blows - 1,
            journal=world.journal[: world.safe],
            flying=frozenset(),
            leased=False,
        )
        for number, node in enumerate(world.nodes):
            if node.wish is not None:  # kept or not, the answer is lost
                crashed = with_node(crashed, number, answer="nothing")
        yield "the database crashes", crashed


def _player(world: World, number: int) -> Iterator[Step]:
    player = world.players[number]
    if player.front == NOWHERE:
        for front, node in enumerate(world.nodes):
            if node.life == "up" and world.leased:
                led = with_player(world, number, front=front, home=world.owner)
                yield f"{name(number)} dials {front}, which leads to {world.owner}", led
        return
    if any(world.nodes[one].life == "hung" for one in (player.front, player.home)):
        # Or it is patient: both orders are tried.
        yield f"{name(number)} waits no longer", away(world, number)
    elif world.blows:
        cut = away(world._replace(blows=world.blows - 1), number)
        yield f"the line of {name(number)} is cut", cut


# Every order --------------------------------------------------------------------------------------


class Found(NamedTuple):
    """`worlds`: how many there are, of which `ends` are done. `law`: the first that was broken,
    and `way`, the shortest to there, in words."""

    worlds: int
    ends: int
    law: str = ""
    way: tuple[str, ...] = ()


def search(blows: int, claims: int, fault: Fault = Fault.NONE) -> Found:
    """All worlds that can come of the first one with so many blows and claims; of two that differ
    in the nodes' names alone, one."""
    first = World(blows, claims)
    came: dict[World, tuple[World, str] | None] = {first: None}
    waiting, ends = deque([first]), 0
    while waiting:
        world = waiting.popleft()
        ends += done(world)
        for words, after in steps(world, fault):
            if law := broken(world, after):
                return Found(len(came), ends, law, (*_way(came, world), words))
            if after not in came and mirrored(after) not in came:
                came[after] = (world, words)
                waiting.append(after)
    return Found(len(came), ends)


def _way(came: dict[World, tuple[World, str] | None], world: World) -> tuple[str, ...]:
    way = list[str]()
    while (step := came[world]) is not None:
        world, words = step
        way.append(words)
    return tuple(reversed(way))


LOST = "acknowledged, and the journal does not keep it"
SHORTER = "the history became shorter"


MORE = [pytest.param(*more, marks=pytest.mark.soak) for more in ((1, 2), (2, 2), (1, 3))]


@pytest.mark.parametrize(("blows", "claims"), [(0, 2), (1, 1), *MORE])
def test_every_order_keeps_the_laws(blows: int, claims: int) -> None:
    found = search(blows, claims)
    assert not found.law, found
    assert found.ends > 100, "the players must come to the end of their moves in many ways"


@pytest.mark.parametrize(
    ("fault", "law"),
    [
        (Fault.NO_EPOCH, SHORTER),
        (Fault.OWN_CLOCK, SHORTER),
        (Fault.EARLY, LOST),
        (Fault.ASYNCHRONOUS, LOST),
        (Fault.READS_FIRST, SHORTER),
    ],
)
def test_a_wrong_way_to_build_it_is_found(fault: Fault, law: str) -> None:
    assert search(blows=1, claims=2, fault=fault).law == law
