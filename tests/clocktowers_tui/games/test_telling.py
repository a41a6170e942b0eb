"""What happens has one sentence everywhere, and each thing its story; what differs is said."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from clocktowers_tui.games.face import Numbers, OptionField
from clocktowers_tui.games.registry import FACES, SPOKEN
from clocktowers_tui.games.spoken import scene, sentence
from clocktowers_tui.games.wild_wild_pattern.words import card_words
from clocktowers_tui.phrases.match import log_by_turns, log_lines, names_of
from clocktowers_tui.plain.match import happened
from clocktowers_tui.state.match import LineKind, LogLine
from clocktowers_tui.text.i18n import languages, speak
from protocol.games.architetti_attenti import Dealt, Placed, Revealed
from protocol.games.clocktowers import Completed, Played
from protocol.games.registry import GAMES as VOCABULARIES
from protocol.games.wild_wild_pattern import Won
from protocol.games.wild_wild_pattern.cards import CARDS
from protocol.recording import WATCHER
from tests.clocktowers_tui.history.test_numbers import reel_of
from tests.clocktowers_tui.locale.walk import GAMES, in_match
from tests.stage.own_files import Stages


def events_of(game: str) -> set[type]:
    return {*get_args(VOCABULARIES[game].event)}


every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.game)


@every_game
@pytest.mark.parametrize("code", sorted(languages()))
def test_each_event_is_said_as_the_log_writes_it(game: Stages, code: str) -> None:
    speak(code)
    assert {type(event) for event in game.events} == events_of(game.game)
    views = [view for view, _keys in game.boards().values()]
    state = in_match(max(views, key=game.seats), game=game)
    assert state.match is not None
    face, names = FACES[game.game], names_of(state.match)
    for event in game.events:
        match = replace(state.match, log=(LogLine(LineKind.EVENT, event),))
        before = replace(state, match=replace(match, log=()))
        said = [*happened(before, replace(state, match=match))]
        shown = [one for one in log_by_turns(match, face, names, state.seat) if one]
        assert said == [sentence(one) for one in shown]
        assert shown == log_lines(match, face, names, state.seat, newest=1)
        assert not [one for one in said if "!:" in one or "!." in one], "a title may end so"


# Things -----------------------------------------------------------------------------------------


def things(game: str, view: Any) -> Mapping[str, Any]:
    """What lies in a view, in the words of the log."""
    words = import_module(f"clocktowers_tui.games.{game}.words")
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


# Stories ------------------------------------------------------------------------------------------


NAMES = ("Anna", "Bruno")


def told_of(game: str) -> list[list[object]]:
    return [list(events) for events in reel_of(game).heard(WATCHER)]


def test_each_card_on_a_tower_is_told_in_the_story_of_that_tower() -> None:
    told = told_of("clocktowers")
    stories = FACES["clocktowers"].stories(told, NAMES)
    for seat, name in enumerate(NAMES):
        for number in range(9):
            built = [
                ply
                for ply, events in enumerate(told)
                if any(
                    isinstance(event, Played | Completed)
                    and (event.seat, event.tower) == (seat, number)
                    for event in events
                )
            ]
            words = f"tower {number + 1} of {name}"
            found = [list(story.plies) for story in stories if story.words == words]
            assert found == ([built] if built else [])


def test_tiles_that_look_alike_have_a_story_each() -> None:
    told = told_of("architetti_attenti")
    stories = FACES["architetti_attenti"].stories(told, NAMES)
    events = [event for at in told for event in at]
    came = sum(len(bytes(filter(None, one.row))) for one in events if isinstance(one, Dealt))
    assert len(stories) == came + sum(isinstance(event, Revealed) for event in events)
    ends = [story.plies[-1] for story in stories if " on " in story.words]
    assert len(ends) == len(set(ends)) == sum(isinstance(event, Placed) for event in events)


def test_a_card_that_is_won_has_that_in_its_story_alone() -> None:
    told = told_of("wild_wild_pattern")
    stories = {one.words: one.plies for one in FACES["wild_wild_pattern"].stories(told, NAMES)}
    won = [(ply, one.card) for ply, at in enumerate(told) for one in at if isinstance(one, Won)]
    assert won
    assert all(ply in stories[card_words(card)] for ply, card in won)
    assert len(stories) <= len(CARDS)


# Options ------------------------------------------------------------------------------------------


def test_a_number_that_the_form_does_not_list_is_named() -> None:
    """It is no standard rule, and a player who joins is told."""
    field = OptionField("limit", "Limit", ((60, "60 s"), (0, "none")), Numbers(30, 300, str))
    assert field.of({"limit": 31}) == "Limit: 31"
    assert [field.words(number) for number in (0, 60, 29, 301, True)] == [
        "none",
        "60 s",
        *[None] * 3,
    ]
