"""The line of keys names those that lead somewhere, and no other."""

from clocktowers_tui.games.wild_wild_pattern.keys import actions_now, declaring as declaring_keys
from clocktowers_tui.games.wild_wild_pattern.selecting import NOTHING, Selection
from clocktowers_tui.keys.keymap import DEFAULT_KEYS
from protocol.games.wild_wild_pattern import Options, Phase, Practice, View
from protocol.games.wild_wild_pattern.pattern import Direction, Pattern
from tests.games.wild_wild_pattern.boards import board, cards, clicked, declaring


def test_keys_of_the_line_follow_the_choice() -> None:
    def words(view: View, selection: Selection = NOTHING) -> list[str]:
        return [said for _actions, said in actions_now(view, selection)]

    assert words(board()) == ["Shoot", "Click!"]
    assert words(board(2, options=Options(practice=Practice.ON))) == ["Shoot", "Click!", "Pass"]
    assert words(clicked()) == ["Shoot", "Pass"]
    (shoots,) = actions_now(board(), NOTHING, shoots=True)
    assert shoots[1] == "Shoot", "in a lesson, where only a shot leads on"
    assert words(declaring()) == ["Before", "After", "Object", "Say nothing"]
    after = Selection(Direction.AFTER)
    assert words(declaring(), after) == ["Object", "Colour", "Suit", "Back"]
    assert words(declaring(), after._replace(anchor=9)) == ["Object", "Colour", "Suit", "Back"]
    lay = board(4, Phase.LAY, acting=0)
    assert words(lay) == ["Lay"], "the only gap"
    two = board(4, Phase.LAY, acting=0, wheel=cards("PRC SYC . WGB BWC KAB . DRB"))
    assert words(two) == ["Place", "Move"]
    assert words(two, Selection(cursor=0)) == ["Place", "Move", "Lay"]
    assert words(declaring(2)) == ["Bank prices"]


def test_only_digits_that_pick_something_stand_in_the_line() -> None:
    def digits(view: View, selection: Selection = NOTHING) -> str:
        return DEFAULT_KEYS.names(actions_now(view, selection)[0][0])

    assert digits(board()) == "1-8"
    assert digits(board(4, Phase.TAKE, acting=0, takes=1, barred=2)) == "1 2 4 5 6 7 8"
    few = cards(". SYC . . . . HWB .")
    assert digits(board(4, Phase.TAKE, acting=0, takes=1, wheel=few)) == "2 7"
    gaps = cards("PRC SYC . WGB BWC KAB . DRB")
    assert digits(board(4, Phase.LAY, acting=0, wheel=gaps)) == "3 7", "the gaps"
    assert digits(board(4, Phase.CHALLENGE, acting=0)) == "1 2", "two cards"


def test_a_lesson_names_only_the_keys_of_its_pattern() -> None:
    """On the Wheel of `declaring`, bottles lie on 5 and 8."""

    def keys(selection: Selection) -> str:
        led = declaring_keys(declaring(), selection, Pattern(Direction.AFTER, 3, 9))
        return "; ".join(f"{DEFAULT_KEYS.names(together)} {words}" for together, words in led)

    assert keys(NOTHING) == "> After"
    after = Selection(Direction.AFTER)
    assert keys(after) == "5 Object; a Colour"
    assert keys(after._replace(anchor=3)) == "a Colour"
    assert keys(after._replace(anchor=9)) == "5 Object"
