"""Whole boards, and what a face makes of a match as it goes: news, where cards stand, peaks."""

import pytest
from msgspec.structs import replace

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.clocktowers.actions import CARDS, DISCARD, PILES
from clocktowers_tui.games.clocktowers.hand import hand_cards
from clocktowers_tui.games.clocktowers.inks import GLYPHS
from clocktowers_tui.games.clocktowers.log import NO_NEWS, Holding, holding, looked_at, news
from clocktowers_tui.games.clocktowers.scene import PARTS, Roof, has_codes, peak, sight, staged
from clocktowers_tui.games.clocktowers.sight import Arrangement, Scene, layout, seats_in_order
from clocktowers_tui.games.clocktowers.towers import LARGE, SMALL
from clocktowers_tui.games.motion import Win
from clocktowers_tui.games.parts import SHELL_ROWS, Given
from clocktowers_tui.keys.keymap import Keymap
from protocol.games import clocktowers as ct
from tests.games.clocktowers.boards import MANY, board, draw, scene
from tests.games.clocktowers.matches import TowerMatch, some_views
from tests.stage.golden_boards import NAMES, text_of, whole
from tests.stage.staged import Staged

PLAIN = GLYPHS[GlyphSet.ASCII]


def test_one_comes_first_the_others_clockwise() -> None:
    view = board(4)
    assert seats_in_order(view) == [0, 1, 2, 3]
    assert seats_in_order(board(4, seat=None)) == [0, 1, 2, 3]
    assert seats_in_order(next(some_views(4, ct.Options(), seed=1, seat=2))) == [2, 3, 0, 1]


def test_the_log_shows_whole_lines_only() -> None:
    events = [f"Ann begins {n:02} a line of words that wraps" for n in range(20)]
    shown = scene(board(4))._replace(log=events)
    rows = draw(shown, 80, 24 - SHELL_ROWS, GLYPHS[GlyphSet.UNICODE])
    found = sight(shown, 80, 24 - SHELL_ROWS, PLAIN)
    assert rows is not None and found is not None
    x, y, _width, height = found.places["log"]
    side = [text_of(row)[x:] for row in rows[y:][:height]]
    log = " ".join(" ".join(side).split())
    assert log.endswith(events[-1])
    assert log.count("wraps") == log.count("Ann begins") > 0


def test_keys_on_cards_are_the_players_own() -> None:
    keymap = Keymap({CARDS[1].id: ("e",), PILES[0].id: ("f5",), DISCARD.id: ("d",)})
    calm, drawing = board(4), board(4, phase=ct.Phase.DRAW)
    shown = [
        " ".join(text_of(row) for row in whole(PARTS, found, (80, 21)))
        for one in (scene(calm), scene(calm, chosen=0), scene(drawing))
        if (found := sight(one, 80, 21, PLAIN, keymap))
    ]
    for keys, times in (((".e-",), 2), (("<d>",), 1), ((".[F5]", ".[c]-"), 1)):
        assert [all(key in text for key in keys) for text in shown].count(True) == times
    assert "<x>" not in shown[1]


def test_towers_always_have_their_number_and_cards_while_one_can_be_picked() -> None:
    for one, cards in (
        (scene(board(4)), True),
        (scene(board(4), chosen=0), True),
        (scene(board(4, phase=ct.Phase.DRAW)), False),
        (scene(replace(board(4), turn=1)), False),
    ):
        found = sight(one, 80, 21, PLAIN)
        assert found is not None
        text = " ".join(text_of(row) for row in whole(PARTS, found, (80, 21)))
        assert (".2-" in text, text.count("=1 +3")) == (cards, 4), text


def test_codes_are_drawn_in_ledgers_and_in_known_hands_alone() -> None:
    known = ("", "2c", "", "")
    for view, size, codes in (
        (board(4), (60, 17), True),
        (board(4), (80, 21), False),
        (board(4, own=MANY), (80, 21), True),
        (board(4, known=known), (80, 21), True),
    ):
        found = sight(scene(view), *size, PLAIN)
        assert found is not None and has_codes(found) is codes


def test_after_the_match_only_cards_that_are_left_have_places() -> None:
    over = replace(board(4), turn=None, phase=ct.Phase.OVER)
    for view, shown in ((board(4), True), (over, True), (replace(over, hand=b""), False)):
        found = sight(scene(view), 120, 37, PLAIN)
        assert found is not None and ("hand" in found.places) is shown
        assert found.places["town-0"].width == 120, "the towns stand where they stood"


# Where the parts stand ----------------------------------------------------------------------------


def test_one_column_less_and_it_is_text() -> None:
    found = layout(79, 21, 4, 3, Arrangement.AUTOMATIC)
    assert found is not None and found.scale is None


def test_large_from_110_by_36_on() -> None:
    for width, height, scale in ((110, 33, LARGE), (109, 33, SMALL), (110, 32, SMALL)):
        for held in (0, 4):
            found = layout(width, height, 4, held, Arrangement.AUTOMATIC)
            assert found is not None and found.scale is scale
            assert found.framed == (scale is LARGE)


def test_the_log_stands_beside_the_ladder_where_both_have_room() -> None:
    for width, beside in ((200, True), (110, False)):
        found = layout(width, 37, 4, 4, Arrangement.AUTOMATIC)
        assert found is not None
        places = found.places(3)
        assert (places["log"].y == places["ladder"].y) is beside


def test_the_key_goes_round_what_fits_and_says_what_does_not() -> None:
    auto, pictures, large, ledger = Arrangement
    assert auto.after(120, 37) == (pictures, [])
    assert pictures.after(120, 37) == (large, [])
    assert large.after(120, 37) == (ledger, [])
    assert ledger.after(120, 37) == (auto, [])
    assert pictures.after(80, 21) == (ledger, [large])
    assert auto.after(60, 17) == (ledger, [pictures, large])


# What a face makes of a match as it goes: news, where cards stand, and peaks ---------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("order", ct.TurnOrder)
def test_news_are_what_the_events_tell(seats: int, order: ct.TurnOrder) -> None:
    match = TowerMatch(seats, ct.Options(turn_order=order), seed=3)
    before = since = None
    told = 0
    while not match.over():
        view = match.view()
        since = looked_at(view, before, since)
        if before is not None and before.turn == 0 and view.turn != 0:
            told = len(match.events)
        others = [event for event in match.events[told:] if getattr(event, "seat", 0) != 0]
        if told:
            found = news(view, since)
            assert found.towers == {(e.seat, e.tower) for e in others if isinstance(e, ct.Played)}
            assert found.piles == {e.pile for e in others if isinstance(e, ct.Drew)}
            assert found.thrown == {e.seat for e in others if isinstance(e, ct.Discarded)}
        before = view
        match.play_one()
    assert told


def test_first_there_is_no_news_nor_in_another_match() -> None:
    late, early = TowerMatch(3, ct.Options(), seed=3), TowerMatch(3, ct.Options(), seed=4)
    for _ in range(30):
        late.play_one()
    view: ct.View = late.view()
    assert news(view, looked_at(view, None, None)) == NO_NEWS
    fresh = early.view()
    assert news(fresh, looked_at(fresh, view, view)) == NO_NEWS


def test_who_watches_sees_the_last_action() -> None:
    match = TowerMatch(3, ct.Options(first_seat=0), seed=3, seat=None)
    before = match.view()
    match.play_one()
    view = match.view()
    found = news(view, looked_at(view, before, before))
    assert found.towers or found.thrown
    assert not news(view, looked_at(view, None, None)).towers


# Where the cards of a hand stand ------------------------------------------------------------------


@pytest.mark.parametrize("order", ct.TurnOrder)
def test_a_card_stays_where_it_stands_and_the_one_drawn_last_is_new_while_it_is_held(
    order: ct.TurnOrder,
) -> None:
    match = TowerMatch(3, ct.Options(turn_order=order), seed=3)
    shown: Scene | None = None
    stood, marked = list[int](), 0
    while any((view := ct.HOLDS(match.view(), match.events)).left):
        shown = staged(Given(view, tuple(NAMES), False, ()), shown, Arrangement.AUTOMATIC)
        found = sight(shown, 120, 37, PLAIN)
        assert found is not None
        held = hand_cards(found)
        assert bytes(one.card for one in held if one.card) == view.hand
        places = [one.card for one in held]
        assert sum(one != was for one, was in zip(places, stood, strict=False)) <= 1, "all stay"
        stood = places
        drawn = [e.card for e in match.events if isinstance(e, ct.Drew) and e.seat == 0]
        fresh = [one.card for one in held if one.fresh]
        assert fresh in ([], drawn[-1:])
        marked += bool(fresh)
        match.play_one()
    assert marked


def test_what_is_taken_back_is_not_new() -> None:
    match = TowerMatch(3, ct.Options(first_seat=0), seed=3)
    first = match.view()
    played = replace(first, hand=first.hand[:1] + first.hand[2:])
    without = holding(played, first, Holding(new=first.hand[1]))
    assert without == holding(first, played, without) == Holding(0, 1)


# Peaks --------------------------------------------------------------------------------------------


def test_every_roof_of_a_match_is_a_peak_and_the_win_is_the_last() -> None:
    staged = Staged(3, 23)  # one has the most points at its end
    found, told, before = [], [], staged.view()
    while not staged.over:
        heard = len(staged.heard())
        staged.play_one()
        after = staged.view()
        found.append(peak(before, after))
        events = [one for one in staged.heard()[heard:] if isinstance(one, ct.Completed)]
        told += [Roof(one.seat, one.tower, one.points) for one in events if not staged.over]
        before = after
    assert told, "a match with roofs"
    winner = staged.outcome().winners[0]
    assert [one for one in found if one is not None] == [*told, Win(winner)]


def test_after_an_absence_nothing_is_played() -> None:
    staged = Staged(3, 21)
    before = staged.view()
    staged.play(60)
    assert sum(map(any, (town.points for town in staged.view().towns))) > 1
    assert peak(before, staged.view()) is None
