"""Every code of the game has a sentence, with whatever parameters it comes."""

from hypothesis import given, strategies as st

from clocktowers_tui.games.architetti_attenti.actions import TILES
from clocktowers_tui.games.architetti_attenti.refusals import refusal_words
from clocktowers_tui.keys.actions import CONFIRM
from clocktowers_tui.keys.keymap import Keymap
from protocol.games.architetti_attenti import HALL, TILES as BOX, Buy, Options, Place, Refused
from protocol.games.architetti_attenti.board import cell_named
from protocol.ids import Seat
from protocol.refusal import Param, Refusal, RefusalCode
from tests.games.architetti_attenti.matches import RULES, Match

PARAMS = st.dictionaries(
    st.sampled_from(["phase", "position", "cost", "gems", "cell", "first", "second", "{x}"]),
    st.one_of(st.integers(-99, 99), st.text(), st.lists(st.integers()), st.lists(st.text())),
)


@given(st.sampled_from(Refused), PARAMS)
def test_every_code_has_a_sentence(code: Refused, params: dict[str, Param]) -> None:
    words = refusal_words(Refusal(code, params))
    assert words is not None and words.endswith(".") and words.isprintable()


def test_no_two_codes_have_the_same_sentence() -> None:
    assert len({refusal_words(Refusal(code)) for code in Refused}) == len(Refused)


def test_codes_of_all_games_are_left_to_the_shell() -> None:
    for code in RefusalCode:
        assert refusal_words(Refusal(code)) is None, code


def cell(name: str) -> int:
    found = cell_named(name)
    assert found is not None
    return found


def test_the_servers_own_refusals() -> None:
    match = Match(2, Options(first_seat=0), seed=1)
    assert said(match, Place(0, 1)) == "First buy a tile: choose one with 1-4."
    state = match.state
    state.gems[0] = 1
    assert said(match, Buy(3)) == ("Tile 3 costs 2 gems, you have 1: take one that costs less.")
    state.gems[0] = 0
    assert said(match, Buy(2)) == "Tile 2 costs 1 gem, you have 0: take one that costs less."
    state.row = state.row[:3] + b"\0"
    state.gems[0] = 5
    assert said(match, Buy(4)) == "No tile lies there: pick another."


def test_those_of_a_bought_tile() -> None:
    match = Match(2, Options(first_seat=0), seed=1)
    double = next(tile for tile in range(1, len(BOX)) if BOX[tile][0] == BOX[tile][1])
    match.state.row = bytes((double,)) * 4
    assert match.act(Buy(1)) is None
    assert said(match, Buy(1)) == "You have bought your tile: build it with Enter."
    assert said(match, Place(cell("a1"), cell("c1"))) == (
        "a1 and c1 are not side by side: a tile covers two cells that are."
    )
    assert said(match, Place(HALL - 1, HALL)) == (
        "d4 is the town hall's: move the tile (arrows) to free cells."
    )
    assert said(match, Place(cell("b1"), cell("a1"))) == (
        "Both halves are the same, so the smaller cell comes first: a1, then b1."
    )
    assert match.act(Place(cell("a1"), cell("b1"))) is None
    match.play_others()
    assert match.act(Buy(1)) is None
    assert said(match, Place(cell("b1"), cell("b2"))) == (
        "Something stands on b1: move the tile (arrows) to free cells."
    )


def said(match: Match, action: Buy | Place) -> str | None:
    refusal = RULES.refuse(match.state, Seat(0), action)
    assert refusal is not None
    return refusal_words(refusal)


def test_the_player_s_own_keys_are_named() -> None:
    keymap = Keymap({CONFIRM.id: ("y",), **{one.id: ("x",) for one in TILES[:1]}})
    place = refusal_words(Refusal(Refused.WRONG_PHASE, {"phase": "place"}), keymap)
    buy = refusal_words(Refusal(Refused.WRONG_PHASE, {"phase": "buy"}), keymap)
    assert place == "You have bought your tile: build it with y."
    assert buy == "First buy a tile: choose one with x 2 3 4."
