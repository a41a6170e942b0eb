"""The registry holds together, and every binding of the client comes from it."""

import ast
import importlib.util
import pkgutil
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from textual.dom import DOMNode
from textual.widgets import Input

import clocktowers_tui
from clocktowers_tui.games.clocktowers.actions import NUMBERS
from clocktowers_tui.games.registry import ALL_ACTIONS
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import ACTIONS, Action, Context, live_together
from clocktowers_tui.keys.names import key_from, key_in_words

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
    written = [value for value in vars(actions).values() if isinstance(value, Action)]
    assert {*written, *actions.PHRASES} == set(ACTIONS)
    ids = [action.id for action in ALL_ACTIONS]
    assert len(ids) == len(set(ids))


def test_no_key_means_two_things_at_once() -> None:
    assert shared(ALL_ACTIONS) == []
    clash = actions.LOG._replace(id="board.odd", context=Context.BOARD)
    assert shared((*ALL_ACTIONS, clash)) == ["match.log and board.odd share L"]


def test_two_games_may_use_one_key_but_not_one_that_is_no_game_s() -> None:
    numbers = [one._replace(id=f"other.{one.id}", game="other") for one in NUMBERS]
    assert shared((*ALL_ACTIONS, *numbers)) == []
    assert len(shared((*ALL_ACTIONS, numbers[0]._replace(game="clocktowers")))) == 1
    clash = numbers[0]._replace(keys=("L",))
    assert shared((*ALL_ACTIONS, clash)) == [f"match.log and {clash.id} share L"]


def test_a_board_s_actions_say_whose_they_are() -> None:
    for action in ALL_ACTIONS:
        assert (action.context is Context.BOARD) == bool(action.game), action.id


def test_every_action_has_keys_a_player_can_write() -> None:
    for action in ALL_ACTIONS:
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


def test_no_module_makes_bindings_of_its_own() -> None:
    """`Binding(…)` stands in `actions.bound` alone, but for the app's."""
    found = []
    for module in pkgutil.walk_packages(clocktowers_tui.__path__, "clocktowers_tui."):
        spec = importlib.util.find_spec(module.name)
        assert spec is not None and spec.origin is not None
        for node in ast.walk(ast.parse(Path(spec.origin).read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Binding":
                found.append(module.name)
    assert {*found} == {"clocktowers_tui.keys.actions", "clocktowers_tui.app.app"}


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
    text = (Path(__file__).resolve().parents[3] / "docs" / "keys.md").read_text("utf-8")
    assert wrong_rows(text) == []
    named = {id for _keys, ids in documented_rows(text) for id in ids}
    elsewhere = (Context.HOME, Context.LOBBY, Context.TABLE)
    assert named == {one.id for one in ALL_ACTIONS if one.context not in elsewhere}
    assert wrong_rows(text.replace("| `u` |", "| `v` |")) == ["['match.take_back']: ['v']"]
