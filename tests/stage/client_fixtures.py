"""Fixtures for tests of the client: a home of its own, a pilot that waits, a server."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import pytest
from textual._context import active_app
from textual._queue import Queue
from textual.app import App
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.message_pump import MessagePump
from textual.pilot import Pilot

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.net.address import Address
from clocktowers_tui.text import i18n, spelling
from server.config import Limits
from tests.stage.house import house

# Every app reads the same style sheets and finds the same rules for the same widgets: a run of
# tests does both once.


_READ: Final[dict[tuple[Any, ...], list[RuleSet]]] = {}
_FOUND: Final[dict[tuple[Any, ...], tuple[list[bool], list[Any]]]] = {}
_NOTED: Final = ("_has_hover_style", "_has_focus_within", "_has_order_style", "_has_odd_or_even")
"""What a widget knows of its rules; by the last three they depend on its neighbours."""


@contextmanager
def known_styles() -> Iterator[None]:
    """What apps do meanwhile is known to those that come later."""
    with (
        patch.object(Stylesheet, "_parse_rules", _read(Stylesheet._parse_rules)),
        patch.object(Stylesheet, "apply", _apply(Stylesheet.apply)),
        # The same in C: each widget looks at every rule.
        patch.object(RuleSet, "__hash__", object.__hash__),
    ):
        yield


def _read(plain: Any) -> Any:
    def read(sheet: Stylesheet, *what: Any, **how: Any) -> list[RuleSet]:
        key = (frozenset(sheet._variables.items()), what, *sorted(how.items()))
        if key not in _READ:
            _READ[key] = plain(sheet, *what, **how)
        return _READ[key]

    return read


def _apply(plain: Any) -> Any:
    def apply(sheet: Stylesheet, node: DOMNode, **how: Any) -> None:
        key = _key(sheet, node)
        if key not in _FOUND:
            found: list[Any] = []
            with patch.object(sheet, "replace_rules", _noting(sheet.replace_rules, node, found)):
                plain(sheet, node, **how)
            noted = [getattr(node, name) for name in _NOTED]
            if not any(noted[1:]):
                _FOUND[key] = (noted, found)
            return
        noted, found = _FOUND[key]
        for name, value in zip(_NOTED, noted, strict=True):
            setattr(node, name, value)
        for rules in found:
            sheet.replace_rules(node, rules, animate=how.get("animate", False))
        sheet._process_component_classes(node)

    return apply


def _noting(replace: Any, wanted: DOMNode, found: list[Any]) -> Any:
    def noting(node: DOMNode, rules: Any, animate: bool = False) -> None:
        if node is wanted:
            found.append(rules)
        replace(node, rules, animate)

    return noting


def _key(sheet: Stylesheet, node: DOMNode) -> tuple[Any, ...]:
    """Everything that rules can depend on but neighbours."""
    path = node.css_path_nodes
    app = path[0]
    look = None
    if isinstance(app, App):
        look = (app.current_theme.dark, app.native_ansi_color, app.no_color, app.is_inline)
    return (_sources(sheet), look, *map(_of_node, path))


def _of_node(node: DOMNode) -> tuple[Any, ...]:
    focus = getattr(node, "can_focus", None)
    return type(node), node._id, node.classes, node._pseudo_classes_cache_key, focus


def _sources(sheet: Stylesheet) -> int:
    """The same for sheets that say the same."""
    rules = sheet.rules
    known: tuple[Any, int] = getattr(sheet, "_known_as", (None, 0))
    if known[0] is not rules:
        said = (frozenset(sheet._variables.items()), tuple(sheet.source.items()))
        known = (rules, hash(said))
        sheet._known_as = known  # type: ignore[attr-defined]
    return known[1]


# Waiting until Textual has done everything that it has to do.
#
# Textual's own pilot waits until the process seems to sleep, which it also does in the middle of
# its work on a busy machine, and sends every widget a message to see whether it answers. Here we
# look: a widget that waits for its next message has handled everything that came before.


# Between two looks at what waits for a timer or a thread; nothing counts as done because it passed.
_LOOK_S: Final = 0.001
_LIMIT_S: Final = 60
_ON_ITS_WAY: Final = 3
"""Turns of the loop until a key that the driver sends is in the queue: a call, a task, the put."""
_TURNS: Final = 100
"""How often we look again at once; a widget that takes longer waits for something else."""


async def settle(app: App[Any]) -> None:
    """Return when nothing is left to do; what comes by a line or a timer may still come.

    Raises TimeoutError, with who waits for what, when a widget never gets to its next message.
    """
    for _ in range(_ON_ITS_WAY):
        await asyncio.sleep(0)
    try:
        async with asyncio.timeout(_LIMIT_S):
            await _all_done(app)
    except TimeoutError:
        raise TimeoutError("\n".join(_waits(app))) from None


def _waits(app: App[Any]) -> Iterator[str]:
    """Everything that keeps the app from being done."""
    screen = app.screen
    yield f"resizing: {app._resize_timer}, batch: {app._batch_count}, {screen._callbacks}"
    for pump in filter(_is_busy, _pumps(app)):
        at: Any = None if pump._task is None else pump._task.get_coro()
        calls = []
        while hasattr(at, "cr_await"):
            calls.append(at.__qualname__)
            at = at.cr_await
        yield f"{pump!r} in {' > '.join(calls)} for {at!r}, to do: {pump._next_callbacks}"


async def _all_done(app: App[Any]) -> None:
    while _lives(app) and app._screen_stacks[app.current_mode]:
        if any([await _worked(app, pump) for pump in _pumps(app)]):
            continue
        app.screen._on_timer_update()
        if app._resize_timer is not None or app.screen._callbacks:
            await asyncio.sleep(_LOOK_S)
        elif not any(_is_busy(pump) for pump in _pumps(app)):
            return


def _lives(app: App[Any]) -> bool:
    return app._exception is None and app._running


def _pumps(app: App[Any]) -> Iterator[MessagePump]:
    return iter((app, *app.screen.walk_children(with_self=True)))


async def _worked(app: App[Any], pump: MessagePump) -> bool:
    """Wait until the widget has handled all it was sent; whether there was anything."""
    turns = 0
    while _lives(app) and _is_busy(pump):
        await asyncio.sleep(0 if turns < _TURNS else _LOOK_S)
        turns += 1
    return turns > 0


def _is_busy(pump: MessagePump) -> bool:
    if pump._closed or (pump._task is not None and pump._task.done()):
        return False
    queue: Queue[Any] = pump._message_queue
    waits = any(not waiter.done() for waiter in queue.ready_event._waiters)
    return not waits or not queue.empty() or bool(pump._next_callbacks)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings and logs of the player at the machine are not touched, and a program of ours may
    begin and answer as late as a slow machine has it."""
    for limit in ("programs.START_S", "records.ANSWER_S"):
        monkeypatch.setattr(f"clocktowers_tui.net.{limit}", float(_LIMIT_S))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    i18n.speak("en")
    spelling.draw_with(GlyphSet.UNICODE)
    return tmp_path


@pytest.fixture(autouse=True)
def settling(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pilot goes on when all is done, neither before nor much later."""

    async def settled(_: float) -> None:
        await settle(active_app.get())

    async def asked(pilot: Pilot[None], timeout: float = 30) -> bool:
        await settle(pilot.app)
        return True

    for user in ("app", "pilot"):
        monkeypatch.setattr(f"textual.{user}.wait_for_idle", settled)
    monkeypatch.setattr(Pilot, "_wait_for_screen", asked)


@pytest.fixture(autouse=True)
def styles() -> Iterator[None]:
    with known_styles():
        yield


@pytest.fixture(autouse=True)
def loud_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board that fails fails its test: only a lying server may make it fail in silence."""

    def fail(error: Exception) -> None:
        raise error

    monkeypatch.setattr("clocktowers_tui.games.pane.survive", fail)


@pytest.fixture
async def address(home: Path) -> AsyncIterator[Address]:
    """A real server on loopback, with bots that do not dawdle. It runs in the test's own loop: a
    process for each test would spend most of its time on imports."""
    async with house(limits=Limits()) as at:
        yield Address(*at.address)
