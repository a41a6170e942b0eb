"""Every code of the game has a sentence, with whatever parameters it comes."""

import pytest
from hypothesis import given, strategies as st

from clocktowers_tui.games.clocktowers.refusals import refusal_words
from protocol.games.clocktowers import CODES, Options, Phase, Play, Refused
from protocol.refusal import Param, Refusal, RefusalCode
from tests.games.clocktowers.matches import Match

ROOF = CODES.index("Rb")
SENTENCES = {
    (Refused.WRONG_PHASE, "draw"): "Now draw: f, c or r.",
    (Refused.WRONG_PHASE, "play"): "You cannot draw yet: play or discard a card.",
}
PARAMS = st.dictionaries(
    st.sampled_from(["phase", "card", "tower", "towers", "height", "heights", "pile", "{x}"]),
    st.one_of(st.integers(-99, 99), st.text(), st.lists(st.integers()), st.lists(st.text())),
)


@given(st.sampled_from(Refused), PARAMS)
def test_every_code_has_a_sentence(code: Refused, params: dict[str, Param]) -> None:
    words = refusal_words(Refusal(code, params))
    assert words is not None and words.endswith(".") and "\n" not in words


def test_a_text_among_the_heights_is_not_shown() -> None:
    params: dict[str, Param] = {"heights": ["\x1b[31m", "\n"]}
    words = refusal_words(Refusal(Refused.WRONG_HEIGHT, params))
    assert words is not None and words.isprintable()


def test_no_two_codes_have_the_same_sentence() -> None:
    assert len({refusal_words(Refusal(code)) for code in Refused}) == len(Refused)


def test_codes_of_all_games_are_left_to_the_shell() -> None:
    for code in RefusalCode:
        assert refusal_words(Refusal(code)) is None, code


@pytest.mark.parametrize(("code", "phase"), SENTENCES)
def test_the_phase(code: Refused, phase: str) -> None:
    assert refusal_words(Refusal(code, {"phase": phase})) == SENTENCES[code, phase]


def test_a_height_that_does_not_fit() -> None:
    params: dict[str, Param] = {
        "tower": 1,
        "card": ROOF,
        "height": 4,
        "heights": [1, 2],
    }
    words = refusal_words(Refusal(Refused.WRONG_HEIGHT, params))
    assert words == "The blue roof needs 1 or 2 floors, tower 2 has 4: see Next roof."


def test_the_servers_own_refusal() -> None:
    match = Match(2, Options(first_seat=0), seed=1)
    refusal = match.act(Play(CODES.index("Km"), None))
    assert refusal_words(refusal) == "Only a floor starts a tower: put clock mouse on one of yours."
    assert Phase(match.view().phase) is Phase.PLAY
