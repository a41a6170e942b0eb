"""Two nodes that share one match, its two players and the database, at one moment of
`tests.stage.cluster_model`; what a step changes in it, and the laws.

Laws: nobody is acknowledged what the journal does not keep; nobody sees a move that is not in it;
there is one history, which for nobody who looks at it becomes shorter.
"""

from typing import Final, Literal, NamedTuple, TypeAlias

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


class Node(NamedTuple):
    """`epoch` 0: it does not have the match. `history` None: it has to read it. `wish`: what it has
    sent to the database; `answer`: whether that was kept, "" while the node has not heard."""

    life: Life = "up"
    epoch: int = 0
    history: History | None = None
    wish: Append | None = None
    answer: str = ""


class Player(NamedTuple):
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
    nodes: tuple[Node, ...] = (Node(), Node())
    players: tuple[Player, ...] = (Player(), Player())


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
    nodes[number] = Node("dead")
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
