"""Every code of the game has a sentence, with whatever parameters it comes."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from clocktowers_tui.games.wild_wild_pattern.actions import PASS
from clocktowers_tui.games.wild_wild_pattern.offers import Remark
from clocktowers_tui.games.wild_wild_pattern.refusals import refusal_words
from clocktowers_tui.games.wild_wild_pattern.remarks import remark
from clocktowers_tui.keys.keymap import Keymap
from protocol.games.wild_wild_pattern import (
    Click,
    Declare,
    Lay,
    Pass,
    Phase,
    Ready,
    Refused,
    Shoot,
    Take,
)
from protocol.ids import Seat
from protocol.refusal import Param, Refusal, RefusalCode
from tests.games.wild_wild_pattern.matches import RULES, Match

PARAMS = st.dictionaries(
    st.sampled_from(["phase", "place", "card", "{x}"]),
    st.one_of(st.integers(-99, 99), st.text(), st.lists(st.integers()), st.lists(st.text())),
)


@given(st.sampled_from(Refused), PARAMS)
def test_every_code_has_a_sentence(code: Refused, params: dict[str, Param]) -> None:
    words = refusal_words(Refusal(code, params))
    assert words is not None and words.endswith(".") and words.isprintable()


def test_no_two_codes_have_the_same_sentence() -> None:
    assert len({refusal_words(Refusal(code)) for code in Refused}) == len(Refused)
    assert len({remark(one) for one in Remark}) == len(Remark)


def test_codes_of_all_games_are_left_to_the_shell() -> None:
    for code in {*RefusalCode} - {RefusalCode.NO_HINTS}:
        assert refusal_words(Refusal(code)) is None, code


LATE = "A moment too late: somebody was faster. You keep your card."


@pytest.mark.parametrize("phase", [Phase.DECLARE, Phase.TAKE, Phase.CHALLENGE, Phase.LAY])
def test_a_shot_that_came_too_late_is_told_kindly(phase: Phase) -> None:
    assert refusal_words(Refusal(Refused.WRONG_PHASE, {"phase": phase})) == LATE


def test_the_servers_own_refusals() -> None:
    match = Match(2, seed=1)
    assert said(match, Shoot(1)).startswith("Your card is still face down")
    match.act(0, Ready())
    assert said(match, Ready()).startswith("You are ready. All see")
    match.act(1, Ready())
    assert match.view().phase is Phase.RACE
    assert said(match, Pass()) == "You cannot pass in a race: shoot, say Click! or wait."
    assert said(match, Ready()) == "The race is on: shoot or say Click!"
    match.act(0, Click())
    assert match.view().phase is Phase.CLICKED, "nobody else's line is slower"
    assert said(match, Shoot(1)).startswith("Somebody said Click! Shoot with that card")
    assert said(match, Shoot(1, clicked=True)).startswith("You said Click!")


def said(match: Match, action: Shoot | Click | Ready | Pass | Take | Lay | Declare) -> str:
    refusal: Any = RULES.refuse(match.state, Seat(0), action)
    assert refusal is not None
    return refusal_words(refusal) or ""


def test_the_player_s_own_keys_are_named() -> None:
    keymap = Keymap({PASS.id: ("y",)})
    words = refusal_words(Refusal(Refused.CANNOT_DO_THAT, {"card": 43}), keymap)
    assert words == "Hands up! cannot do that: choose another card, or pass (y)."
