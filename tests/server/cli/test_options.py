"""Options as they are typed at a shell: what is taken, and what is said of the others."""

from typing import Any

import pytest

from protocol.games import architetti_attenti as aa, clocktowers as ct, wild_wild_pattern as wwp
from protocol.games.registry import GAMES as VOCABULARIES
from server.cli.options import BadRequest, table_options
from server.games.contract import RecordError
from server.games.registry import GAMES

CLOCKTOWERS, ATTENTI, WILD = "clocktowers", "architetti_attenti", "wild_wild_pattern"


def read(game: str, typed: str, seats: int = 2, preset: str = "standard") -> Any:
    return table_options(GAMES[game], typed.split(), VOCABULARIES[game].presets[preset], seats)


@pytest.mark.parametrize(
    ("game", "typed", "options"),
    [
        (CLOCKTOWERS, "", ct.Options()),
        (CLOCKTOWERS, "first_heights=1,2 ladder=own", ct.Options(ladder=ct.Ladder.OWN)),
        (CLOCKTOWERS, "first_heights=2", ct.Options(first_heights=(2,))),
        (CLOCKTOWERS, "first_seat=none", ct.Options()),
        (ATTENTI, "first_seat=none", aa.Options()),
        (ATTENTI, "first_seat=1", aa.Options(first_seat=1)),
        (WILD, "race_limit_s=0", wwp.Options(race_limit_s=0)),
        (WILD, "race_limit_s=300 mode=vivo", wwp.Options(race_limit_s=300, mode=wwp.Mode.VIVO)),
    ],
)
def test_what_is_taken(game: str, typed: str, options: Any) -> None:
    assert read(game, typed) == options


def test_what_is_typed_stands_above_the_preset() -> None:
    assert read(WILD, "", preset="vivo").mode is wwp.Mode.VIVO
    assert read(WILD, "mode=saloon", preset="vivo").mode is wwp.Mode.SALOON


@pytest.mark.parametrize(
    ("game", "seats", "typed", "said"),
    [
        (CLOCKTOWERS, 2, "ladder", "--option 'ladder' is not NAME=VALUE"),
        (CLOCKTOWERS, 2, "colour=red", "'colour=red': no such option (known: first_heights, "),
        (CLOCKTOWERS, 2, "ladder=own ladder=own", "--option ladder is given twice"),
        (CLOCKTOWERS, 2, "ladder=steep", "--option ladder is not shared or own: 'steep'"),
        (CLOCKTOWERS, 2, "ladder=none", "--option ladder is not shared or own: 'none'"),
        (CLOCKTOWERS, 2, "ladder=\udcff", "--option ladder is not shared or own: '\\udcff'"),
        (CLOCKTOWERS, 2, "first_heights=", "--option first_heights is not 1,2 or 2: ''"),
        (CLOCKTOWERS, 2, "first_heights=1", "--option first_heights is not 1,2 or 2: '1'"),
        (CLOCKTOWERS, 2, "first_heights=2,1", "--option first_heights is not 1,2 or 2: '2,1'"),
        (CLOCKTOWERS, 2, "first_seat=2", "--option first_seat is not none or 0 to 1: '2'"),
        (ATTENTI, 3, "first_seat=4", "--option first_seat is not none or 0 to 2: '4'"),
        (ATTENTI, 1, "first_seat=null", "--option first_seat is not none or 0: 'null'"),
        (WILD, 1, "practice=off", "--option practice is not on (one seat alone is always in"),
        (WILD, 3, "practice=on", "--option practice is not off (practice is for one seat or two)"),
        (WILD, 1, "", "1 player needs --option practice=on (one seat alone is always in"),
        (WILD, 1, "practice=on mode=vivo", "--option mode is not saloon (Vivo o Morto! is for"),
    ],
)
def test_what_is_not_is_told_with_what_would_do(
    game: str, seats: int, typed: str, said: str
) -> None:
    with pytest.raises(BadRequest) as caught:
        read(game, typed, seats)
    assert str(caught.value).startswith(said) or said in str(caught.value)


def test_of_a_preset_it_is_said_what_nobody_typed() -> None:
    for seats, preset, said in (
        (4, "practice", "4 players need --option practice=off (practice is for one seat or two)"),
        (1, "vivo", "1 player needs --option mode=saloon (Vivo o Morto! is for two seats or more)"),
    ):
        with pytest.raises(BadRequest) as caught:
            read(WILD, "", seats, preset)
        assert str(caught.value) == said


@pytest.mark.parametrize(
    "text",
    [
        "1e2",
        "-0",
        "+60",
        "060",
        "6_0",
        "60.0",
        "６０",
        "29",
        "301",
        "-60",
        "true",
        "1000000000",
        "x",
    ],
)
def test_numbers_are_as_in_records_and_one_sentence_names_them(text: str) -> None:
    with pytest.raises(BadRequest) as caught:
        read(WILD, f"race_limit_s={text}")
    allowed = "0 or 30 to 300"
    assert str(caught.value) == f"--option race_limit_s is not {allowed}: {text!a}"
    with pytest.raises(RecordError, match=f"race_limit_s must be {allowed}, not 29"):
        GAMES[WILD].notation.options_from_record({"race_limit_s": 29})
