"""What happens to a tower, a tile, a card: each in its story once, and to no other."""

from clocktowers_tui.games.registry import FACES
from clocktowers_tui.games.wild_wild_pattern.words import card_words
from protocol.games.architetti_attenti import Dealt, Placed, Revealed
from protocol.games.clocktowers import Completed, Played
from protocol.games.wild_wild_pattern import Won
from protocol.games.wild_wild_pattern.cards import CARDS
from protocol.replaying import WATCHER
from tests.clocktowers_tui.history.test_numbers import reel_of

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
    ends = [story.plies[-1] for story in stories if " of " in story.words]
    assert len(ends) == len(set(ends)) == sum(isinstance(event, Placed) for event in events)


def test_a_card_that_is_won_has_that_in_its_story_alone() -> None:
    told = told_of("wild_wild_pattern")
    stories = {one.words: one.plies for one in FACES["wild_wild_pattern"].stories(told, NAMES)}
    won = [(ply, one.card) for ply, at in enumerate(told) for one in at if isinstance(one, Won)]
    assert won
    assert all(ply in stories[card_words(card)] for ply, card in won)
    assert len(stories) <= len(CARDS)
