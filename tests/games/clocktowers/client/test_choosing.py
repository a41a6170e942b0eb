"""The way from keys to an action, without a screen."""

from collections.abc import Callable

from hypothesis import given, strategies as st
from msgspec.structs import replace

from clocktowers_tui.games.clocktowers import choosing, sentences
from clocktowers_tui.games.clocktowers.actions import CARDS, DISCARD, NEW_TOWER
from clocktowers_tui.games.clocktowers.choosing import NEW, NOTHING, OUT, Remark, Selection, Stage
from clocktowers_tui.games.clocktowers.face import actions_now
from clocktowers_tui.games.keys import WATCHING, Step
from clocktowers_tui.keys import actions
from protocol.games import clocktowers as ct
from tests.games.clocktowers.boards import READY, board, cards, choosing_tower, scene
from tests.games.clocktowers.matches import some_views

Press = Callable[[ct.View, Selection], Step]

PRESSES: dict[str, Press] = {
    **{f"digit {n}": lambda view, at, n=n: choosing.pick_card(view, at, n) for n in range(4)},  # type: ignore[misc]
    **{f"pile {n}": lambda view, at, n=n: choosing.pick_pile(view, at, n) for n in range(3)},  # type: ignore[misc]
    "before": lambda view, at: choosing.move(view, at, -1),
    "next": lambda view, at: choosing.move(view, at, 1),
    "confirm": choosing.confirm,
    "new": lambda view, at: choosing.pick_tower(view, at, NEW),
    "discard": choosing.discard,
    "back": lambda view, at: Step(choosing.back(at)),
}
VIEWS = [
    view
    for seats, order in ((2, ct.TurnOrder.PLAY_DRAW), (3, ct.TurnOrder.DRAW_PLAY), (4, "play-draw"))
    for seat in (0, None)
    for view in some_views(seats, ct.Options(turn_order=ct.TurnOrder(order)), seed=3, seat=seat)
]
START = choosing.settle(board(4), None, NOTHING)


@given(st.sampled_from(VIEWS), st.lists(st.sampled_from(sorted(PRESSES)), max_size=25))
def test_any_keys_give_only_actions_of_this_view(view: ct.View, keys: list[str]) -> None:
    selection = choosing.settle(view, None, NOTHING)
    for key in keys:
        step = PRESSES[key](view, selection)
        if step.action is not None:
            assert_out_of_view(view, step)
        selection = step.selection
        choosing.marks(view, selection, sending=False)


def assert_out_of_view(view: ct.View, step: Step) -> None:
    assert view.seat is not None and view.turn == view.seat
    match step.action:
        case ct.Play(card=card, tower=tower):
            assert card in view.hand
            assert tower is None or tower < len(view.towns[view.seat].towers)
        case ct.Discard(card=card):
            assert card in view.hand
        case ct.Draw(pile=pile):
            assert pile < len(view.piles)


def test_enter_picks_a_tower_that_a_roof_fits_but_plays_nothing() -> None:
    """Towers 4 and 5 would be 7 high, which no roof fits yet."""
    step = choosing.confirm(board(4), START)
    assert step.action is None
    assert (step.selection.stage, step.selection.tower) == (Stage.TOWER, NEW)


def test_where_the_height_is_right_the_tower_that_pays_more_is_picked_first() -> None:
    floor = ct.CODES.index("1c")
    legal = [ct.Choice(ct.Play(floor, tower), 2 - (tower is None)) for tower in (0, 1, 2, None)]
    two = [bytes((0b100,) * 5)]
    view = replace(board(2, own=("1m", "1-", "1c"), hand="1c"), legal=legal, ladder=two)
    assert choosing.pick_card(view, START, 0).selection.tower == 2
    few = [one for one in legal if choosing.place(one) != 2]
    assert choosing.pick_card(replace(view, legal=few), START, 0).selection.tower == 1
    low = replace(view, ladder=[bytes((0b110,) * 5)])
    assert choosing.pick_card(low, START, 0).selection.tower == NEW, "a roof fits any floor"
    roofed = replace(view, hand=cards("1c.Rb"), ladder=[bytes((0b10, *(0b100,) * 4))])
    assert choosing.pick_card(roofed, START, 0).selection.tower == NEW, "for the roof in the hand"


def test_a_roof_goes_where_no_other_colour_fits_rather_than_for_a_point_more() -> None:
    purple = ct.CODES.index("Rp")
    legal = [ct.Choice(ct.Play(purple, n), n + 1, points, 3) for n, points in enumerate((3, 4))]
    view = board(2, own=("1m.K-", "2c.K-"), hand="Rp.Rr")
    view = replace(view, legal=legal, ladder=[bytes((4, 4, 6, 4, 4))])  # 2 floors; purple 1 too
    assert choosing.pick_card(view, START, 0).selection.tower == 0
    alike = replace(view, ladder=[bytes((6,) * 5)])
    assert choosing.pick_card(alike, START, 0).selection.tower == 1, "all colours fit both"


def test_the_tower_that_loses_nothing_is_picked_first() -> None:
    mouse_clock = ct.CODES.index("Km")
    legal = [ct.Choice(ct.Play(mouse_clock, tower), 1) for tower in (0, 1)]
    view = replace(board(2, own=("1-", "1m"), hand="Km"), legal=legal)
    for count, tower in ((True, 1), (False, 0)):
        table = replace(view, count_clock_mice=count)
        assert choosing.pick_card(table, START, 0).selection.tower == tower


def test_a_floor_goes_where_it_costs_no_points_unless_a_hint_said_so() -> None:
    """Its tower would pay 2 instead of 5; one with a mouse pays no less, and needs no new clock."""
    mouse = ct.CODES.index("1m")
    legal = [ct.Choice(ct.Play(mouse, tower), 2 - (tower is None)) for tower in (0, 1, None)]
    view = replace(
        board(2, own=("1-", "1m"), hand="1m"), legal=[*legal, ct.Choice(ct.Discard(mouse))]
    )
    assert choosing.pick_card(view, START, 0).selection.tower == 1
    for hint, place in (
        (ct.Play(mouse, 0), 0),
        (ct.Play(mouse, None), NEW),
        (ct.Discard(mouse), OUT),
    ):
        hinted = choosing.back(choosing.towards(view, START, hint))
        assert choosing.pick_card(view, hinted, 0).selection.tower == place
    few = replace(view, legal=[one for one in legal if choosing.place(one) != 1])
    at = choosing.pick_card(few, START, 0).selection
    assert at.tower == NEW and "on any other it costs points" in sentences.hint(few, at)


def test_arrows_lead_along_the_towers_that_take_the_card() -> None:
    view, at = board(4), choosing_tower(board(4))
    seen = []
    for _ in range(4):
        seen.append(at.tower)
        at = choosing.move(view, at, 1).selection
    assert seen == [3, 4, NEW, NEW], "a quick Enter throws nothing away"
    assert choosing.move(view, choosing_tower(view), -1).selection.tower == 3
    out = choosing.down(view, at).selection
    assert choosing.confirm(view, out).action == ct.Discard(view.hand[out.card])
    assert [choosing.move(view, out, step).selection.tower for step in (-1, 1)] == [3, 3]
    nowhere = replace(view, legal=[])
    assert choosing.move(nowhere, choosing_tower(nowhere), 1).selection.tower == OUT


def test_a_tower_that_is_not_listed_is_asked_about() -> None:
    view = board(4, own=READY)
    at = choosing_tower(view)
    step = choosing.pick_tower(view, at, 1)
    assert step.action == ct.Play(view.hand[0], 1)
    assert step.selection == at


def test_a_complete_tower_is_told_at_once_and_the_card_stays() -> None:
    at = choosing_tower(board(4))
    step = choosing.pick_tower(board(4), at, 0)
    assert (step.selection, step.action) == (at, None)
    assert step.remark == "Tower 1 is complete: it takes no more cards."


def test_a_digit_always_picks_a_card() -> None:
    """Also while a tower is picked for another one; nothing is spent before Enter."""
    view = board(4)
    for at in (START, choosing_tower(view, 0), choosing_tower(view, 2)):
        step = choosing.pick_card(view, at, 1)
        assert (step.selection.stage, step.selection.card) == (Stage.TOWER, 1)
        assert (step.action, step.remark) == (None, None)
        assert choosing.pick_card(view, at, 3) == Step(at, remark=Remark.NO_SUCH_CARD)


def test_a_digit_puts_a_card_back_that_no_tower_takes() -> None:
    view = board(4)
    held = choosing.pick_card(view, START, 2).selection
    assert held.tower is None
    step = choosing.pick_card(view, held, 0)
    assert step.action is None and step.selection.card == 0 and step.selection.tower is not None


def test_drawing_skips_empty_piles() -> None:
    view = replace(board(4, phase=ct.Phase.DRAW), left=bytes((0, 3, 0)), piles=bytes((0, 7, 0)))
    at = choosing.settle(view, None, NOTHING)
    picked = choosing.move(view, at, 1).selection
    assert picked.pile == 1 and choosing.confirm(view, picked).action == ct.Draw(1)
    assert choosing.pick_card(view, at, 0).remark is Remark.DRAW_NOW
    assert choosing.point_pile(view, at, 0).action == ct.Draw(0), "a click there is asked about"


def test_an_enter_too_many_draws_nothing() -> None:
    view = board(4, phase=ct.Phase.DRAW)
    at = choosing.settle(view, None, NOTHING)
    assert choosing.confirm(view, at) == Step(at, remark=Remark.DRAW_NOW)
    assert actions.CONFIRM not in {one for some, _ in actions_now(view, at) for one in some}
    picked = choosing.move(view, at, 1).selection
    assert actions.CONFIRM in {one for some, _ in actions_now(view, picked) for one in some}


def test_an_unfinished_choice_lives_through_a_view_that_changes_nothing() -> None:
    at = choosing_tower(board(4), 1)
    assert choosing.settle(board(4), board(4), at) == at
    after = board(4, hand="2c.K-", phase=ct.Phase.DRAW)
    assert choosing.settle(after, board(4), at).stage is Stage.PILE


def test_out_of_turn_there_is_nothing_to_choose() -> None:
    view = board(4, seat=None)
    assert choosing.settle(view, None, START) == NOTHING
    assert choosing.confirm(view, NOTHING).remark == WATCHING


def test_enter_discards_a_hinted_card_that_no_tower_takes() -> None:
    """The key line says so; before a hint it is the key for discarding that does."""
    view = replace(board(4), legal=[ct.Choice(ct.Discard(5), 0)])
    picked = choosing_tower(view)
    hinted = picked._replace(tower=OUT)
    assert not choosing.targets(view, hinted)
    assert choosing.confirm(view, hinted).action == ct.Discard(view.hand[hinted.card])
    assert ((actions.CONFIRM,), "Discard") in actions_now(view, hinted)
    assert actions.CONFIRM not in {one for some, _ in actions_now(view, picked) for one in some}


def test_for_a_card_that_fits_nowhere_only_what_works_is_offered() -> None:
    fits, fits_not = (scene(board(4), chosen=card) for card in (0, 2))
    for shown, works in ((fits, True), (fits_not, False)):
        offered = [*actions_now(shown.view, shown.selection)]
        keys = {one for some, _words in offered for one in some}
        assert (actions.CONFIRM in keys) is works
        assert {DISCARD, actions.BACK} <= keys
        others = [key for n, key in enumerate(CARDS[:3]) if n != shown.selection.card]
        assert (others, "Another card") in offered
        assert (((actions.LEFT, actions.RIGHT), "Move") in offered) is works


def test_a_new_tower_is_offered_for_a_floor_alone() -> None:
    for card, offered in ((0, True), (1, False), (2, False)):
        shown = scene(board(4), chosen=card)
        keys = [one for some, _words in actions_now(shown.view, shown.selection) for one in some]
        assert (NEW_TOWER in keys) is offered
    new = choosing_tower(board(4))._replace(tower=NEW)
    assert NEW_TOWER not in {one for some, _words in actions_now(board(4), new) for one in some}
