"""What is expected, said in one line, in every phase and from every side."""

from collections import Counter

import pytest
from msgspec.structs import replace

from clocktowers_tui.config.look import GlyphSet, Look
from clocktowers_tui.games.wild_wild_pattern import sentences
from clocktowers_tui.games.wild_wild_pattern.explaining import notation
from clocktowers_tui.games.wild_wild_pattern.face import FACE
from clocktowers_tui.games.wild_wild_pattern.selecting import NOTHING, Selection
from clocktowers_tui.text.i18n import speak
from protocol.games.wild_wild_pattern import Phase, View
from protocol.games.wild_wild_pattern.cards import object_of
from protocol.games.wild_wild_pattern.pattern import Direction
from tests.games.wild_wild_pattern.boards import (
    NAMES,
    RIGHT,
    WON,
    board,
    cards,
    clicked,
    declaring,
    told,
)
from tests.games.wild_wild_pattern.matches import Match, moments


@pytest.mark.parametrize(
    ("view", "says"),
    [
        (board(4, Phase.READY), "Ready for your card?"),
        (board(2, Phase.READY, done=[True, False]), "Waiting for Björn"),
        (board(), "Make a new pattern: cover a card of the Wheel"),
        (board(3, seat=None), "The race is on"),
        (board(4, aimed=3), "Shot! Checking who was first"),
        (
            board(4, card=0, waiting=[True, False, False, False]),
            "A Challenge card! Your next card is coming",
        ),
        (clicked(), "Shoot with Björn's card, or pass"),
        (clicked(0, card=0), "The others may try with your card"),
        (clicked(seat=None), "Who shoots with Björn's card?"),
        (declaring(), "You shot first: 15 seconds to declare your pattern"),
        (declaring(2), "Chiara shot first and declares"),
        (board(4, Phase.TAKE, acting=0, takes=2), "Take 2 cards"),
        (board(4, Phase.TAKE, acting=3, takes=1), "Dmitri takes 1 card"),
        (
            board(4, Phase.CHALLENGE, acting=0),
            "You won the turn: play a Challenge card or keep it",
        ),
        (board(4, Phase.CHALLENGE, acting=1), "Björn won the turn and may play a Challenge card"),
        (board(4, Phase.LAY, acting=0), "Lay your card on the Wheel"),
        (board(4, Phase.LAY, acting=1), "Björn lays a card"),
        (board(4, Phase.OVER), "The match is over"),
    ],
)
def test_what_is_expected(view: View, says: str) -> None:
    assert sentences.expected(view, NAMES) == says


@pytest.mark.parametrize("seats", [1, 3])
def test_it_is_ones_turn_when_the_server_waits_for_one(seats: int) -> None:
    match = Match(seats, seed=8)
    for view in moments(match):
        assert FACE.is_my_turn(view) is bool(match.legal())
        assert sentences.expected(view, NAMES)
        assert FACE.due_ms(view) == view.due_ms and FACE.turn(view) >= 1
    assert not FACE.in_turns


def test_with_four_cards_a_player_is_warned_of_six() -> None:
    four = [cards("SRC LWC BAC DGB"), *WON[1:]]
    for asked in (board, clicked, declaring):
        said = [" ".join(sentences.told(asked(won=won), NOTHING)) for won in (four, [*WON])]
        assert ["that makes 6" in one for one in said] == [True, False]
        assert ["you lose your WILD" in one for one in said] == [True, False]
    twice = " ".join(sentences.told(board(won=[cards("SRC LRB BAC DGB"), *WON[1:]]), NOTHING))
    assert "that makes 6" in twice and "WILD" not in twice


def test_a_pattern_that_cannot_be_there_three_times_needs_no_warning() -> None:
    view = declaring(won=[cards("SRC LWC BAC DGB"), *WON[1:]])
    shown = Counter(object_of(card) for card in view.wheel)
    for thing, n in shown.items():
        said = " ".join(sentences.told(view, Selection(Direction.AFTER, thing)))
        assert "that makes 6" not in said and n < 3, thing
    suits = [" ".join(sentences.told(view, Selection(Direction.AFTER, suit))) for suit in (13, 14)]
    assert all("that makes 6" in said for said in suits), "there are more than two of each"


def test_a_prize_says_whether_the_card_just_shot_is_in_it_and_why() -> None:
    thrice = replace(RIGHT, anchors=3)
    twice = told(RIGHT, winner=0, barred=RIGHT.place)
    for view, why in (
        (
            twice,
            [
                "Not 3: that is your own card.",
                "You keep it only with 3 pairs or more.",
            ],
        ),
        (told(thrice, winner=0), ["You may take 3, your own card: you had 3 pairs."]),
        (told(thrice, winner=1), []),
    ):
        assert sentences.told(view, NOTHING)[1:] == why


def test_every_short_form_is_explained() -> None:
    for glyphs in GlyphSet:
        told = "\n".join(notation(Look(glyphs=glyphs)))
        for part in ("P pistol", "W wanted", "A azure", "B bullets", "[HU] Hands up!", "[$1]"):
            assert part in told


@pytest.mark.parametrize(
    ("code", "takes", "said"),
    [
        ("ru", 1, "Возьмите 1 карту"),
        ("ru", 2, "Возьмите 2 карты"),
        ("nl", 1, "Neem 1 kaart"),
        ("it", 2, "Prendi 2 carte"),
    ],
)
def test_cards_to_take_agree_with_their_number(code: str, takes: int, said: str) -> None:
    speak(code)
    assert sentences.expected(board(4, Phase.TAKE, acting=0, takes=takes), NAMES) == said
