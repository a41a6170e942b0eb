"""What is expected, why an action is impossible, and the last page with who won and why."""

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from clocktowers_tui.config.look import GlyphSet, Look
from clocktowers_tui.config.settings import Draft
from clocktowers_tui.games.wild_wild_pattern import sentences
from clocktowers_tui.games.wild_wild_pattern.choosing import (
    NOTHING,
    Offer,
    Selection,
    What,
    keys_for,
)
from clocktowers_tui.games.wild_wild_pattern.face import FACE
from clocktowers_tui.games.wild_wild_pattern.result import result_details, result_lines, rounds
from clocktowers_tui.games.wild_wild_pattern.sentences import notation, refusal_words
from clocktowers_tui.games.wild_wild_pattern.spoken import SPOKEN
from clocktowers_tui.games.wild_wild_pattern.words import feature_letter
from clocktowers_tui.keys.keymap import DEFAULT_KEYS
from clocktowers_tui.new_table import drafted
from clocktowers_tui.text.i18n import SOURCE, languages, speak
from protocol.errors import Refusal
from protocol.games.registry import GAMES, LEVELS
from protocol.games.wild_wild_pattern import (
    Banked,
    Click,
    DecidedBy,
    Declare,
    FiveColours,
    Lay,
    Mode,
    Options,
    Outcome,
    Pass,
    Phase,
    Ready,
    Refused,
    RoundBegan,
    Shoot,
    Take,
    View,
)
from protocol.games.wild_wild_pattern.cards import FEATURES, FIRST_COLOUR, Direction, object_of
from protocol.ids import Seat
from protocol.text import cells
from tests.games.wild_wild_pattern.boards import (
    BANKED,
    RIGHT,
    WILD,
    WON,
    board,
    cards,
    clicked,
    declaring,
    told,
    visits,
)
from tests.games.wild_wild_pattern.matches import RULES, RaceMatch, moments
from tests.stage.golden_boards import NAMES


@pytest.mark.parametrize(
    ("view", "says"),
    [
        (board(4, Phase.READY), "Ready for your card? (20 s at most)"),
        (board(2, Phase.READY, done=[True, False]), "Waiting for Björn"),
        (board(), "Shoot: make a new pattern (60 s at most)"),
        (board(3, seat=None), "The race is on"),
        (board(4, aimed=3), "Shot! Checking who was first"),
        (
            board(4, card=0, waiting=[True, False, False, False]),
            "A Challenge card! Your next card is coming",
        ),
        (clicked(), "Shoot with Björn's card, or pass (10 s at most)"),
        (clicked(0, card=0), "The others may try with your card"),
        (clicked(seat=None), "Who shoots with Björn's card?"),
        (declaring(), "You shot: declare a new pattern (15 s at most)"),
        (declaring(2), "Chiara shot first and declares"),
        (board(4, Phase.TAKE, acting=0, takes=2), "Take 2 cards (15 s at most)"),
        (board(4, Phase.TAKE, acting=3, takes=1), "Dmitri takes 1 card"),
        (
            board(4, Phase.CHALLENGE, acting=0),
            "You won: you may play a Challenge card (15 s at most)",
        ),
        (board(4, Phase.CHALLENGE, acting=1), "Björn won the turn and may play a Challenge card"),
        (board(4, Phase.CHALLENGE, acting=0, won=WILD), "You have WILD and win the match"),
        (board(4, Phase.LAY, acting=0), "Lay your card on the Wheel (15 s at most)"),
        (board(4, Phase.LAY, acting=1), "Björn lays a card"),
        (board(4, Phase.OVER), "The match is over"),
    ],
)
def test_what_is_expected(view: View, says: str) -> None:
    assert sentences.expected(view, NAMES) == says


@pytest.mark.parametrize("seats", [1, 3])
def test_it_is_ones_turn_when_the_server_waits_for_one(seats: int) -> None:
    match = RaceMatch(seats, seed=8)
    for view in moments(match):
        assert FACE.is_my_turn(view) is bool(match.legal())
        assert sentences.expected(view, NAMES)
        assert FACE.due_ms(view) == view.due_ms and FACE.turn(view) >= 1
    assert not FACE.in_turns


def test_with_four_cards_a_player_is_warned_of_six() -> None:
    four = [cards("SRC LWC BAC DGB"), *WON[1:]]
    for asked in (board, clicked, declaring):
        said = [" ".join(sentences.told(asked(won=won), NOTHING)) for won in (four, [*WON])]
        assert ["would have 6 cards" in one for one in said] == [True, False]


def test_before_a_shot_that_ends_wild_the_line_says_so() -> None:
    said = [
        sentences.told(board(won=[cards(won), *WON[1:]]), NOTHING)[0]
        for won in ("SRC", "SRC LWC BAC")
    ]
    assert ["You lose WILD" in one for one in said] == [False, True]
    for covered, anchor, warned in (
        ("BWC", 2, True),
        ("BWC", 14, True),
        ("BWC", 8, False),
        ("LYB", 2, False),
    ):
        view = declaring(covered=cards(covered)[0])
        said = sentences.told(view, Selection(Direction.AFTER, anchor))
        assert ("With a suit you get white twice: no WILD." in said) is warned, covered


def test_a_pattern_that_cannot_be_there_three_times_needs_no_warning() -> None:
    view = declaring(won=[cards("SRC LWC BAC DGB"), *WON[1:]])
    shown = Counter(object_of(card) for card in view.wheel)
    for thing, n in shown.items():
        said = " ".join(sentences.told(view, Selection(Direction.AFTER, thing)))
        assert "have 6 cards" not in said and n < 3, thing
    suits = [" ".join(sentences.told(view, Selection(Direction.AFTER, suit))) for suit in (13, 14)]
    assert all("have 6 cards" in said for said in suits), "there are more than two of each"


def test_a_prize_says_whether_the_card_just_shot_is_in_it_and_why() -> None:
    thrice = replace(RIGHT, anchors=3)
    twice = told(RIGHT, winner=0, barred=RIGHT.place)
    for view, why in (
        (twice, ["Not 3: that is your own card.", "You keep it only with 3 pairs or more."]),
        (told(thrice, winner=0), ["You may take 3, your own card: you had 3 pairs."]),
        (told(thrice, winner=1), []),
    ):
        assert sentences.told(view, NOTHING)[1:] == why


def test_every_short_form_is_explained() -> None:
    for glyphs in GlyphSet:
        told = "\n".join(notation(Look(glyphs=glyphs)))
        for part in ("P pistol", "W wanted", "A azure", "B bullets", "[HU] Hands up!", "[$1]"):
            assert part in told


@pytest.mark.parametrize("code", sorted(languages()))
def test_the_letter_of_a_colour_or_a_suit_is_its_key(code: str) -> None:
    speak(code)
    for feature in range(FIRST_COLOUR, FEATURES):
        [key] = keys_for(declaring(), NOTHING, Offer(What.FEATURE, feature))
        assert DEFAULT_KEYS.name(key) == feature_letter(feature).lower()
    speak(SOURCE)


# Why an action is impossible ----------------------------------------------------------------------


LATE = "A moment too late: somebody was faster. You keep your card."


@pytest.mark.parametrize("phase", [Phase.DECLARE, Phase.TAKE, Phase.CHALLENGE, Phase.LAY])
def test_a_shot_that_came_too_late_is_told_kindly(phase: Phase) -> None:
    assert refusal_words(Refusal(Refused.WRONG_PHASE, {"phase": phase})) == LATE


def test_the_servers_own_refusals() -> None:
    match = RaceMatch(2, seed=1)
    assert said(match, Shoot(1)).startswith("Your card is still face down")
    match.does(0, Ready())
    assert said(match, Ready()).startswith("You are ready. All see")
    match.does(1, Ready())
    assert match.view().phase is Phase.RACE
    assert said(match, Pass()) == "You cannot pass in a race: shoot, say Click! or wait."
    assert said(match, Ready()) == "The race is on: shoot or say Click!"
    match.does(0, Click())
    assert match.view().phase is Phase.CLICKED, "nobody else's line is slower"
    assert said(match, Shoot(1)).startswith("Somebody said Click! Shoot with that card")
    assert said(match, Shoot(1, clicked=True)).startswith("You said Click!")


def said(match: RaceMatch, action: Shoot | Click | Ready | Pass | Take | Lay | Declare) -> str:
    refusal: Any = RULES.refuse(match.state, Seat(0), action)
    assert refusal is not None
    return refusal_words(refusal) or ""


# Options ------------------------------------------------------------------------------------------


def test_alone_there_is_practice_and_nothing_else() -> None:
    """Whatever was chosen before, with the preset that says so."""
    draft = Draft(seats=1, preset="vivo", options={"practice": "off"})
    asked = drafted(draft, FACE, LEVELS, solo=True)
    values = {**GAMES[FACE.game].presets[asked.preset], **asked.options}
    assert (asked.seats, values["practice"], values["mode"]) == (1, "on", "saloon")
    many = drafted(Draft(seats=4, options={"practice": "on"}), FACE, LEVELS, solo=True)
    assert "practice" not in many.options


# The end ------------------------------------------------------------------------------------------


OVER = board(4, Phase.OVER, bank=visits(BANKED))
WHY = {
    DecidedBy.WILD_PATTERN: "all 8 cards in one, the Wild Wild Pattern",
    DecidedBy.WILD: "WILD, five colours at the Bank",
    DecidedBy.MONEY: "$3.10, nobody else has more than $3",
    DecidedBy.ROUNDS: "$3.10, the most after the last round",
    DecidedBy.LAST: "all the others are out",
    DecidedBy.LEVEL: "tied three times in a row",
}


def lines(outcome: Outcome, view: object = OVER) -> list[str]:
    return [line.plain for line in result_lines(view, outcome, NAMES, 70)]  # type: ignore[arg-type]


@pytest.mark.parametrize("decided", DecidedBy)
def test_what_decided(decided: DecidedBy) -> None:
    said = lines(Outcome((310, 40, 0, 250), (0,), decided))
    assert said[0] == f"You win: {WHY[decided]}"


def test_the_richest_of_several_above_three_dollars() -> None:
    said = lines(Outcome((310, 305, 0, 0), (0,), DecidedBy.MONEY))
    assert said[0] == "You win: $3.10, the most of all above $3"


def test_round_by_round_who_hit_and_what_the_bank_paid() -> None:
    first, second = visits(BANKED)[:2]
    begins = [RoundBegan(n, b"", b"", 30, b"", Options()) for n in (1, 2)]
    events = (begins[0], RIGHT, Banked((first, second)), begins[1], Banked((second,)))
    head, *told = [line.plain.split() for line in rounds(events, NAMES, 70)[:-1]]
    assert head == ["Round", "Player", "Hits", "Cards", "Bank", "Challenge", "Sum"]
    assert [row[:3] for row in told] == [
        ["1", "Ann", "1"],
        ["Björn", "0", "1"],
        ["2", "Björn", "0"],
    ]
    assert not rounds((), NAMES, 70)


def test_five_of_one_object_are_named_where_five_colours_do_not_win() -> None:
    view = replace(OVER, options=Options(five_colours=FiveColours.PAY))
    said = lines(Outcome((310, 40, 0, 20), (0, 1), DecidedBy.WILD), view)
    assert said[0] == "Ann and Björn share the win: WILD, five of one object at the Bank"


def test_everybody_s_money_best_first() -> None:
    said = lines(Outcome((310, 40, 0, 2050), (0, 3), DecidedBy.LEVEL))
    assert [line.split()[:2] for line in said[1:]] == [
        ["Dmitri", "$20.50"],
        ["Ann", "$3.10"],
        ["Björn", "$0.40"],
        ["Chiara", "$0.00"],
    ]


def test_who_is_out() -> None:
    vivo = Options(mode=Mode.VIVO)
    view = replace(OVER, options=vivo, standing=[True, False, False, False])
    said = lines(Outcome((100, 40, 0, 20), (0,), DecidedBy.LAST), view)
    assert said[1].endswith("wins") and said[2].endswith("out")


def test_the_last_visit_line_by_line() -> None:
    outcome = Outcome((310, 40, 0, 2050), (0,), DecidedBy.MONEY)
    told = "\n".join(line.plain for line in result_details(OVER, outcome, NAMES, 70))
    assert "Ann: $1.30\n  white loot (coin), red star (coin)" in told
    assert "  3 of the Target: $0.60" in told
    assert "With more than five cards you get nothing." in told
    narrow = [line.plain for line in result_details(OVER, outcome, NAMES, 40)]
    assert all(cells(line) <= 40 for line in narrow)
    assert narrow[2:4] == ["  white loot (coin), red star (coin),", "  azure star (bullets),"]
    paid = [*SPOKEN.scored(replace(OVER, bank=()), OVER, NAMES)]
    assert paid[0].startswith("At the Bank Ann has ") and "3 of the Target: $0.60" in paid[0]
    assert not [*SPOKEN.scored(OVER, OVER, NAMES)]


def test_five_colours_win_or_are_paid() -> None:
    five = cards("PRC LAC SYC BGB HWB")
    outcome = Outcome((310, 40, 0, 20), (0,), DecidedBy.WILD)
    for options, says in (
        (Options(), "WILD: wins the match"),
        (Options(five_colours=FiveColours.PAY), "5 colours: $1.00"),
    ):
        view = replace(OVER, bank=visits([five], options), options=options)
        told = [line.plain.strip() for line in result_details(view, outcome, NAMES, 70)]
        assert says in told
