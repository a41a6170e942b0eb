"""Every game's words: each code, event and option has its sentence, whatever the wire brings."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final, get_args

import msgspec
import pytest
from babel.messages.pofile import read_po
from hypothesis import given, strategies as st

import clocktowers_tui
from clocktowers_tui.config.settings import Draft
from clocktowers_tui.deeds.places import ALL_ACTIONS
from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.keys.actions import Context
from clocktowers_tui.new_table import options_of
from clocktowers_tui.text.spelling import forget
from protocol.errors import Param, Refusal, RefusalCode
from protocol.games.registry import GAMES
from protocol.ids import Seat
from protocol.text import cells
from server.games.registry import GAMES as SERVED
from tests.stage.golden_boards import NAMES
from tests.stage.own_files import FaceCase, Said, Stages, by_game

CASES: dict[str, FaceCase] = by_game("face_case", "CASE")
STAGES: dict[str, Stages] = by_game("stages", "STAGES")
LOCALE: Final = Path(clocktowers_tui.__file__).parent / "locale"
CATALOGUES: Final = sorted([*LOCALE.glob("*.pot"), *LOCALE.glob("*/LC_MESSAGES/*.po")])
PARAMS: Final = st.dictionaries(
    st.sampled_from(
        [
            *("phase", "card", "tower", "towers", "height", "heights", "pile", "position", "cost"),
            *("gems", "cell", "first", "second", "place", "{x}"),
        ]
    ),
    st.one_of(st.integers(-99, 99), st.text(), st.lists(st.integers()), st.lists(st.text())),
)

every_game = pytest.mark.parametrize("game", FACES)


def words_of(game: str) -> Said:
    return CASES[game].words


# The registry ------------------------------------------------------------------------------------


def test_every_game_has_a_face_of_its_name() -> None:
    assert set(FACES) == set(GAMES)
    assert all(face.game == name for name, face in FACES.items())


@every_game
def test_presets_keys_and_title_have_words(game: str) -> None:
    face = FACES[game]
    rows = face.answers_to()
    assert [preset for preset, _ in face.presets()] == list(GAMES[game].presets)
    assert title_of(game) != game and rows
    assert all(actions and words for actions, words in rows)
    assert set(face.actions) <= set(ALL_ACTIONS)
    assert {action.context for action in face.actions} == {Context.BOARD}


# Why an action is impossible ---------------------------------------------------------------------


def codes(game: str) -> list[Any]:
    return [*import_module(f"protocol.games.{game}").Refused]


@every_game
@given(number=st.integers(0, 99), params=PARAMS)
def test_every_code_has_a_sentence(game: str, number: int, params: Mapping[str, Param]) -> None:
    """With whatever parameters it comes; a text of a stranger is not shown."""
    known = codes(game)
    words = FACES[game].refusal(Refusal(known[number % len(known)], {**params}))
    assert words is not None and words.endswith(".") and words.isprintable()


@every_game
def test_no_two_codes_have_the_same_sentence(game: str) -> None:
    known = codes(game)
    assert len({FACES[game].refusal(Refusal(code)) for code in known}) == len(known)


@every_game
def test_codes_of_all_games_are_left_to_the_shell(game: str) -> None:
    """But where a game refuses for a reason of its own: nobody who races people gets hints."""
    own = set() if FACES[game].in_turns else {RefusalCode.NO_HINTS}
    for code in {*RefusalCode} - own:
        assert FACES[game].refusal(Refusal(code)) is None, code


@every_game
def test_the_player_s_own_keys_are_named(game: str) -> None:
    for keymap, refusal, said in words_of(game).keys:
        assert FACES[game].refusal(refusal, keymap) == said
        assert FACES[game].refusal(refusal) != said


# The log -----------------------------------------------------------------------------------------


@every_game
def test_events_in_words(game: str) -> None:
    """The same for Ann and for a watcher."""
    for event, line in words_of(game).told:
        for you in (Seat(0), None):
            assert FACES[game].phrase(event, NAMES, you) == line


@every_game
def test_ones_own_seat_is_you(game: str) -> None:
    phrase = FACES[game].phrase
    for event, seat, line in words_of(game).own:
        assert phrase(event, NAMES, Seat(seat)) == line
    for event, line in words_of(game).told:
        own = phrase(event, NAMES, Seat(1))
        if "Björn" in line and own:
            assert "Björn" not in own and "ou" in own


@every_game
def test_no_event_is_without_an_example(game: str) -> None:
    known = set(get_args(GAMES[game].event))
    case = words_of(game)
    assert {type(event) for event, *_ in (*case.told, *case.own)} == known


@every_game
def test_nothing_of_a_match_goes_untold(game: str) -> None:
    case = words_of(game)
    for seats in (2, 4):
        for event in case.played(seats, 5, 0).events:
            line = FACES[game].phrase(event, NAMES, Seat(0))
            assert bool(line) is not case.silent(event), event
            assert "{" not in line and line.replace("ö", "o").isascii()


# Options -----------------------------------------------------------------------------------------


@every_game
def test_every_option_has_a_row_and_its_default_comes_first(game: str) -> None:
    fields = FACES[game].option_fields()
    options = import_module(f"protocol.games.{game}").Options
    assert {field.name for field in fields} == set(options.__struct_fields__)
    default = msgspec.convert({field.name: field.values[0][0] for field in fields}, options)
    assert default == options()
    assert all(words for field in fields for _value, words in field.values)


@every_game
def test_what_the_form_gives_is_accepted(game: str) -> None:
    """Each value of each option, at a table of each size that has it."""
    face, rules = FACES[game], SERVED[game].rules
    for seats in GAMES[game].seats:
        for field in face.option_fields(seats):
            for value, _words in field.values:
                draft = Draft(seats=seats, options={field.name: value})
                asked = options_of(draft, face)
                options = msgspec.convert(asked, import_module(f"protocol.games.{game}").Options)
                assert rules.check_options(options, seats) is None, (field.name, value)


@every_game
def test_who_begins_is_one_of_those_at_the_table(game: str) -> None:
    for seats in GAMES[game].seats:
        fields = {field.name: field for field in FACES[game].option_fields(seats)}
        if "first_seat" in fields:
            values = [value for value, _words in fields["first_seat"].values]
            assert values == [None, *range(seats)]


@every_game
def test_what_differs_from_the_default_in_words(game: str) -> None:
    in_words = FACES[game].options_in_words
    presets = GAMES[game].presets
    assert in_words(next(iter(presets.values()))) == in_words({})
    for options, words in words_of(game).options:
        assert in_words(options) == words


# The end -----------------------------------------------------------------------------------------


@every_game
def test_what_decided_is_said(game: str) -> None:
    """Otherwise for each thing that may decide."""
    said: dict[Any, set[str]] = {}
    for view, outcome in STAGES[game].ends():
        lines = [line.plain for line in FACES[game].result(view, outcome, NAMES, 76)]
        said.setdefault(outcome.decided_by, set()).add("\n".join(lines[:2]))
    everything = [one for lines in said.values() for one in lines]
    assert len(set(everything)) == len(everything)
    assert {*said} <= {*import_module(f"protocol.games.{game}").DecidedBy}


@every_game
@pytest.mark.parametrize("width", [55, 76])
def test_the_places_fit_the_screen(game: str, width: int) -> None:
    """However long the names are; sentences may be longer, the screen breaks them."""
    names = [name * 4 for name in NAMES]
    for seats in (2, 4):
        match = words_of(game).played(seats, 9, 0)
        outcome = SERVED[game].rules.outcome(match.state)
        lines = [line.plain for line in FACES[game].result(match.view(), outcome, names, width)]
        assert all(cells(line) <= width for line in lines[-seats:])
        assert FACES[game].result_details(match.view(), outcome, names, width)


# The deal ----------------------------------------------------------------------------------------


SEED, OTHER_SEED = bytes([5]) * 32, bytes([6]) * 32


@every_game
@pytest.mark.parametrize("seat", [0, None])
def test_a_real_match_is_dealt_from_its_seed(game: str, seat: int | None) -> None:
    same_deal = FACES[game].same_deal
    for seats in GAMES[game].seats:
        match = words_of(game).played(seats, 5, seat)
        assert same_deal(match.events, match.view(), SEED) is True
        assert same_deal(match.events, match.view(), OTHER_SEED) is False
        assert same_deal(match.events[: len(match.events) // 2], match.view(), OTHER_SEED) is False


@every_game
@pytest.mark.parametrize("seats", [2, 3])
def test_what_is_seen_otherwise_is_not_of_the_seed(game: str, seats: int) -> None:
    different = [*words_of(game).seen(words_of(game).played(seats, 5, 0))]
    for events, view in different:
        assert FACES[game].same_deal(events, view, SEED) is False
    assert len(different) > 1


@every_game
def test_a_gap_leaves_it_open_and_accuses_nobody(game: str) -> None:
    case, same_deal = words_of(game), FACES[game].same_deal
    match = case.played(3, 5, 0)
    events, view = match.events, match.view()
    for at, event in enumerate(events):
        if isinstance(event, case.shown):
            assert same_deal([*events[:at], *events[at + 1 :]], view, SEED) is None
    assert same_deal(events[1:], view, SEED) is None
    assert same_deal((), view, SEED) is None
    if hasattr(view, "removed"):
        assert same_deal(events, msgspec.structs.replace(view, removed=b""), SEED) is None


# Letters on the board ----------------------------------------------------------------------------


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: str(file.relative_to(LOCALE)))
@every_game
def test_what_stands_on_the_board_has_a_letter_of_its_own_in_every_catalogue(
    game: str, file: Path
) -> None:
    with file.open("rb") as source:
        catalogue = read_po(source)
    found = []
    for what, letter in words_of(game).letters.items():
        message = catalogue.get(letter, f"one letter for {what}")
        assert message is not None, "translators are asked for it"
        found.append(str(message.string or letter))
    assert all(
        len(letter) == cells(letter.upper()) == cells(letter.lower()) == 1 for letter in found
    )
    assert len({letter.lower() for letter in found}) == len(found)


@every_game
def test_letters_of_a_language_are_used_unless_they_are_nonsense(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    case, module = words_of(game), f"clocktowers_tui.games.{game}.words.pgettext"
    english = "".join(case.letters.values())
    assert case.lettered() == english
    shifted = dict(zip(english, english[1:] + english[:1], strict=True))
    monkeypatch.setattr(module, lambda _context, text: shifted.get(text, text))
    forget()
    assert case.lettered() == english[1:] + english[:1]
    for nonsense in ("[{}]", "X", "家"):
        monkeypatch.setattr(module, lambda _context, text, n=nonsense: n.format(text))
        forget()
        assert case.lettered() == english
    forget()
