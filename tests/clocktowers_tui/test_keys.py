"""The registry of keys holds together, every binding comes from it, and all keys are pressed: each
does something where it lives."""

import importlib.util
import pkgutil
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Final

import pytest
from msgspec import Struct
from msgspec.structs import replace
from textual.dom import DOMNode
from textual.widgets import Input

import clocktowers_tui
from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.deeds import home as deeds_of_home, looking_back
from clocktowers_tui.deeds.places import ALL_ACTIONS
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action, Context, live_together
from clocktowers_tui.keys.keymap import key_from, key_in_words
from clocktowers_tui.net.errors import Fault, LinkError
from clocktowers_tui.screens.home import HomeScreen
from clocktowers_tui.state.match import LookedBack
from clocktowers_tui.state.store import State, heard
from clocktowers_tui.state.table import Connection, Kind
from protocol.invitation import Ways
from protocol.table import Days, TablePhase
from tests.clocktowers_tui.locale.walk import WAITS
from tests.games.clocktowers.stages import match
from tests.stage import small_match
from tests.stage.action_scenes import HERE, Scene
from tests.stage.own_files import of_every_game
from tests.stage.pilot import Playing, playing, press, seen, sees, strips_of
from tests.stage.seen_again import listed, replayed, reviewed

OUTSIDE = {"ctrl+c", "ctrl+z"}
"""Asks whether to quit, always: no action, so that no keymap can take it away."""


def ours() -> Iterator[type[DOMNode]]:
    """Every class of ours that has bindings."""
    for found in pkgutil.walk_packages(clocktowers_tui.__path__, "clocktowers_tui."):
        if not found.name.endswith("__main__"):
            module = importlib.import_module(found.name)
            for kind in vars(module).values():
                if not isinstance(kind, type) or not issubclass(kind, DOMNode):
                    continue
                if kind.__module__ == found.name and "BINDINGS" in vars(kind):
                    yield kind


def shared(known: tuple[Action, ...]) -> list[str]:
    """Keys that could mean two things at one moment."""
    return [
        f"{one.id} and {other.id} share {key}"
        for one, other in combinations(known, 2)
        for key in one.keys
        if key in other.keys and live_together(one, other)
    ]


def test_every_action_is_listed_once() -> None:
    ids = [action.id for action in ALL_ACTIONS]
    assert len(ids) == len(set(ids))


def test_no_key_means_two_things_at_once() -> None:
    assert shared(ALL_ACTIONS) == []
    clash = actions.LOG._replace(id="board.odd", context=Context.BOARD)
    assert shared((*ALL_ACTIONS, clash)) == ["match.log and board.odd share L"]


def test_every_action_has_keys_a_player_can_write_and_a_board_s_its_game() -> None:
    for action in ALL_ACTIONS:
        assert (action.context is Context.BOARD) == bool(action.game), action.id
        assert action.keys and action.words, action.id
        for key in action.keys:
            assert key_from(key) == key, action.id
            assert key_from(key_in_words(key)) == key, action.id


def test_wherever_people_talk_one_key_does() -> None:
    for context in (Context.TABLE, Context.MATCH, Context.BOARD, Context.RESULT, Context.CHAT):
        assert live_together(actions.CHAT, actions.LOG._replace(context=context))
    assert not live_together(actions.CHAT, actions.FILTER)
    clash = actions.LOG._replace(id="result.odd", keys=("slash",), context=Context.RESULT)
    assert shared((*ALL_ACTIONS, clash)) == ["chat and result.odd share slash"]


def test_every_binding_is_made_from_an_action() -> None:
    known = {action.id: set(action.keys) for action in ALL_ACTIONS}
    seen: dict[str, set[str]] = {}
    for kind in ours():
        for key, binding in kind._merge_bindings() if not issubclass(kind, Input) else ():
            if key in OUTSIDE:
                continue
            assert binding.id in known, f"{kind.__name__}: {key} is made from no action"
            seen.setdefault(binding.id or "", set()).add(key)
    assert seen == {id: known[id] for id in seen}


def documented_rows(text: str) -> Iterator[tuple[set[str], set[str]]]:
    """(keys, ids) of each row of the document's tables; `a_1` … `a_9` stands for all between."""
    for line in text.splitlines():
        if line.startswith("| `"):
            keys, _words, ids = (part.strip() for part in line.strip("|").split(" | "))
            yield set(written(keys)), set(written(ids))


def written(cell: str) -> Iterator[str]:
    for part in re.findall(r"`([^`]+)` … `([^`]+)`|`([^`]+)`", cell):
        first, last, alone = part
        if alone:
            yield alone
        else:
            start, end = (int(re.findall(r"\d+$", name)[0]) for name in (first, last))
            yield from (f"{first.rstrip('0123456789')}{n}" for n in range(start, end + 1))


def wrong_rows(text: str) -> list[str]:
    by_id = {action.id: action for action in ALL_ACTIONS}
    return [
        f"{sorted(ids)}: {sorted(keys)}"
        for keys, ids in documented_rows(text)
        if keys != {key_in_words(key) for id in ids for key in by_id[id].keys}
    ]


def test_the_documented_keys_are_the_registry_s() -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "keys.md").read_text("utf-8")
    assert wrong_rows(text) == []
    named = {id for _keys, ids in documented_rows(text) for id in ids}
    assert named == {one.id for one in ALL_ACTIONS}
    assert wrong_rows(text.replace("| `u` |", "| `v` |")) == ["['match.take_back']: ['v']"]


# All keys are pressed -----------------------------------------------------------------------------


def home() -> State:
    return State()


async def with_days(player: Playing) -> None:
    """In the menu, while a match of days waits."""
    screen = player[0].screen
    assert isinstance(screen, HomeScreen)
    others = [replace(WAITS, folder=0, days=True)]
    screen._waiting = screen._waiting._replace(others=others)


def lobby() -> State:
    table = small_match.at_table("Ann", "", phase=TablePhase.WAITING).info
    state = State(connection=HERE)
    return replace(state, lobby=replace(state.lobby, tables=(table,), total=250, page=1))


def lobby_with_a_deal() -> State:
    state = lobby()
    (table,) = state.lobby.tables
    shared = replace(table, deal="A", deal_tables=1)
    return replace(state, lobby=replace(state.lobby, tables=(shared,)))


def table() -> State:
    return heard(State(connection=HERE), small_match.at_table("Ann", "", phase=TablePhase.WAITING))


def hosting() -> State:
    return heard(
        State(connection=HERE), small_match.at_table("Ann", "Bo", phase=TablePhase.WAITING)
    )


def telling(state: State) -> State:
    return replace(state, connection=_says(notifies=True))


def _says(**said: bool) -> Connection:
    return replace(HERE, welcome=replace(HERE.welcome, **said))


def guest() -> State:
    return heard(
        State(connection=HERE), small_match.at_table("Bo", "Ann", phase=TablePhase.WAITING, seat=1)
    )


def with_a_clock_of_days() -> State:
    state = match()
    assert state.table is not None
    info = replace(state.table.info, clock=Days(3))
    return replace(state, table=replace(state.table, info=info))


def over() -> State:
    return heard(match(), small_match.ended())


def to_paste() -> State:
    state = over()
    assert state.match is not None
    looked = LookedBack(state.match.id, deal=("Won 9 : 7",))
    return replace(state, looked_back=looked)


def timed_out() -> State:
    state = match()
    assert state.table is not None
    info = state.table.info
    seats = [replace(info.seats[0], timed_out=True), *info.seats[1:]]
    return replace(state, table=replace(state.table, info=replace(info, seats=seats)))


BY_CONTEXT: Final = {
    Context.EVERYWHERE: Scene(home),
    Context.HOME: Scene(home),
    Context.LOBBY: Scene(lobby, ("down",)),
    Context.TABLE: Scene(table),
    Context.MATCH: Scene(match),
    Context.RESULT: Scene(over),
    Context.RULES: Scene(home, ("B",)),
    Context.AT_TABLE: Scene(match),
    Context.CHAT: Scene(match, ("slash", "tab")),
    Context.LISTS: Scene(home),
    Context.HISTORY: Scene(home, opens=listed),
    Context.REPLAY: Scene(home, opens=replayed),
    Context.AFTER: Scene(lambda: replace(over(), connection=_says(leads=True))),
}
IN_A_MOMENT: Final = (
    *(actions.EYES, actions.OWN_TURN, actions.OWN_TURN_BEFORE),
    *(actions.REVIEW_MATCH, actions.MISTAKE, actions.MISTAKE_BEFORE, actions.WHAT_IF, actions.TRY),
)
"""Another process has to answer first."""
OF_BOARDS: Final[Mapping[Action, Scene]] = {
    action: scene
    for scenes in of_every_game("stages", "SCENES")
    for action, scene in scenes.items()
}

SPECIAL: Final = {
    actions.UP: Scene(home, ("down",)),
    actions.LEFT: Scene(match),
    actions.FIRST: Scene(home, ("down", "end")),
    actions.LAST: Scene(home, ("down",)),
    actions.PAGE_UP: Scene(home, ("down", "end")),
    actions.PAGE_DOWN: Scene(home, ("down",)),
    actions.NEXT: Scene(home, ("c",)),
    actions.PREVIOUS: Scene(home, ("c",)),
    actions.CONFIRM: Scene(home, ("down",)),
    actions.CHOOSE: Scene(home, ("down",)),
    actions.RIGHT: Scene(home, ("down",)),
    actions.BACK: Scene(match, ("1",)),
    actions.PRACTISE: Scene(home, ("right", "right")),
    actions.LOBBY_INVITE: Scene(
        lambda: replace(lobby(), connection=replace(HERE, ways=Ways("ct:0J3W")))
    ),
    actions.ALONE: Scene(lobby, as_guest=True),
    actions.SAME_DEAL: Scene(lobby_with_a_deal),
    actions.READY: Scene(guest),
    actions.RESULT: Scene(over, ("escape",)),
    **dict.fromkeys(
        (actions.NEXT_LEVEL, actions.OTHER_BOTS),
        Scene(lambda: replace(over(), connection=replace(HERE, kind=Kind.SOLO))),
    ),
    actions.COPY: Scene(to_paste),
    actions.TAKE_BACK: Scene(lambda: heard(match(), replace(small_match.update(2), revocable=0))),
    actions.PLAY_ON: Scene(timed_out),
    actions.KICK: Scene(hosting),
    actions.INVITE: Scene(lambda: replace(hosting(), connection=_says(invites=True))),
    actions.LOBBY_NOTIFY: Scene(lambda: telling(lobby())),
    actions.NOTIFY: Scene(lambda: telling(hosting())),
    actions.MATCH_NOTIFY: Scene(lambda: telling(match())),
    actions.NEXT_DUE: Scene(with_a_clock_of_days),
    actions.NEXT_MATCH: Scene(home, ("B", "slash", *"tower", "enter")),
    actions.PREVIOUS_MATCH: Scene(home, ("B", "slash", *"tower", "enter")),
    actions.VACATION: Scene(home, opens=with_days),
    **dict.fromkeys(
        (actions.REVIEW, actions.MISTAKE, actions.MISTAKE_BEFORE), Scene(home, opens=reviewed)
    ),
    **OF_BOARDS,
}


LATE = {actions.TODAY: "Play it now", actions.MOVE_OUT: "Within five minutes"}


def footprint(app: ClocktowersApp, sent: Sequence[Struct]) -> object:
    """What a key can change: the screen with its colours, the player's place, what was sent."""
    painted = [[(part.text, part.style) for part in strip] for strip in strips_of(app)]
    focused = None if app.focused is None else (type(app.focused), app.focused.id)
    return painted, len(app.screen_stack), focused, app.settings, len(sent), app.is_running


async def enter(player: Playing, scene: Scene) -> None:
    """Be there as if the player had just come."""
    app, pilot = player
    app.guest = scene.as_guest
    app._spot = None  # a player who is nowhere gets a new screen
    app.change(scene.state())
    await pilot.pause()
    if scene.opens is not None:
        await scene.opens(player)
    await press(player, *scene.before)


def scene_of(action: Action) -> Scene:
    return SPECIAL.get(action) or BY_CONTEXT[action.context]


async def dead(
    player: Playing, wanted: Sequence[Action], monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """Which keys of these actions did nothing, or said so."""
    app, _pilot = player
    sent: list[Struct] = []
    left: list[str] = []

    async def request(wish: Struct) -> None:
        sent.append(wish)

    monkeypatch.setattr(app.journey, "request", request)
    monkeypatch.setattr(app, "leave_program", lambda: left.append("left"))
    found = []
    for action in wanted:
        for key in action.keys:
            await enter(player, scene_of(action))
            before = footprint(app, sent), len(left)
            await press(player, key)
            if action in LATE:
                await sees(player, LATE[action])  # or it would open over what comes next
            if action in IN_A_MOMENT:
                await app.workers.wait_for_complete()
                await player[1].pause()
            after = footprint(app, sent), len(left)
            if after == before or "does nothing here" in seen(app):
                found.append(f"{action.id} {key}")
    return found


@pytest.mark.parametrize("context", Context, ids=lambda context: context.value)
async def test_no_key_is_dead(
    context: Context, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    wanted = [one for one in ALL_ACTIONS if one.context is context]
    assert context is not Context.BOARD or set(OF_BOARDS) == set(wanted)
    async with playing() as player:
        monkeypatch.setattr(player[0].journey, "go", never)
        monkeypatch.setattr(deeds_of_home, "unfinished", lambda: [WAITS])
        monkeypatch.setattr(looking_back, "counted", at_once)
        assert await dead(player, wanted, monkeypatch) == []


async def never(_wish: object, _name: str) -> LinkError:
    return LinkError(Fault.LOCAL_SLOW)


def at_once(_game: str, _day: str) -> Sequence[str]:
    return ()
