"""What happens in a match has one sentence: in the log, in plain mode, in a replay."""

import ast
import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from clocktowers_tui.games.registry import FACES, SPOKEN
from clocktowers_tui.games.spoken import scene, sentence
from clocktowers_tui.phrases.log import log_by_turns, log_lines
from clocktowers_tui.phrases.names import names_of
from clocktowers_tui.plain.news import happened
from clocktowers_tui.state.match import Line, LineKind
from clocktowers_tui.text.i18n import languages, speak
from tests.clocktowers_tui.locale.walk import GAMES, in_match
from tests.stage.language_stages import Stages

ROOMS = Path(__file__).resolve().parents[3] / "clocktowers_tui" / "games"
TRANSLATING = {"_", "N_", "ngettext", "pgettext"}
BESIDE: Mapping[str, str] = {
    "clocktowers/stories.py": "names the tower that an event builds on, and tells no event",
    "architetti_attenti/stories.py": "names the tile that an event is about, and tells no event",
    "wild_wild_pattern/feedback.py": "what the log says of a declaration; the board says it, too",
    "wild_wild_pattern/missed.py": "tells of patterns that nobody declared",
}
"""Files that know an event and speak, beside the log of their game; and what they say."""


def events_of(game: str) -> set[type]:
    return {*get_args(importlib.import_module(f"protocol.games.{game}.events").Event)}


every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.game)


@every_game
@pytest.mark.parametrize("code", sorted(languages()))
def test_each_event_is_said_as_the_log_writes_it(game: Stages, code: str) -> None:
    speak(code)
    assert {type(event) for event in game.events} == events_of(game.game)
    state = in_match(next(iter(game.boards().values()))[0], game=game)
    assert state.match is not None
    face, names = FACES[game.game], names_of(state.match)
    for event in game.events:
        if getattr(event, "seat", 0) >= len(names):
            continue
        match = replace(state.match, log=(Line(LineKind.EVENT, event),))
        before = replace(state, match=replace(match, log=()))
        said = [*happened(before, replace(state, match=match))]
        shown = [one for one in log_by_turns(match, face, names, state.seat) if one]
        assert said == [sentence(one) for one in shown]
        assert shown == log_lines(match, face, names, state.seat, newest=1)
        assert not [one for one in said if "!:" in one or "!." in one], "a title may end so"


def words_events(source: str, events: set[str]) -> bool:
    """Whether a file knows events of a game and has texts to translate."""
    names = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    return bool(names & events and names & TRANSLATING)


@pytest.mark.parametrize("game", SPOKEN)
def test_nothing_but_the_log_tells_an_event(game: str) -> None:
    events = {one.__name__ for one in events_of(game)}
    files = {f"{game}/{file.name}": file for file in (ROOMS / game).glob("*.py")}
    found = {name for name, file in files.items() if words_events(file.read_text("utf-8"), events)}
    assert found - {f"{game}/log.py"} == {name for name in BESIDE if name.startswith(game)}
    assert words_events(f"def f(event):\n    {min(events)}\n    return _('It is so')", events)


# Things -----------------------------------------------------------------------------------------


def things(game: str, view: Any) -> Mapping[str, Any]:
    """What lies in a view, in the words of the log."""
    words = importlib.import_module(f"clocktowers_tui.games.{game}.words")
    match game:
        case "clocktowers":
            return {words.card_phrase(card): card for card in (*view.hand, *view.piles) if card}
        case "architetti_attenti":
            return {words.tile_words(tile): tile for tile in view.row if tile}
        case _:
            return {words.card_words(card): card for card in view.wheel if card}


@every_game
@pytest.mark.parametrize("code", sorted(languages()))
def test_a_card_and_a_tile_have_one_name_in_plain_mode_and_in_the_log(
    game: Stages, code: str
) -> None:
    speak(code)
    for view, _keys in game.boards().values():
        names = [f"P{seat}" for seat in range(game.seats(view))]
        said = "\n".join(scene(SPOKEN[game.game], view, names))
        assert not [name for name in things(game.game, view) if name not in said]
