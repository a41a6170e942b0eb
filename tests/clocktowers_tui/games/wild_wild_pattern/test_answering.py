"""The line of keys names those that lead somewhere, and no other."""

from clocktowers_tui.games.wild_wild_pattern.answering import actions_now
from clocktowers_tui.games.wild_wild_pattern.selecting import NOTHING, Selection
from protocol.games.wild_wild_pattern import Options, Practice, View
from protocol.games.wild_wild_pattern.pattern import Direction
from tests.clocktowers_tui.games.wild_wild_pattern.boards import board, clicked, declaring


def test_keys_of_the_line_follow_the_choice() -> None:
    def words(view: View, selection: Selection = NOTHING) -> list[str]:
        return [said for _actions, said in actions_now(view, selection)]

    assert words(board()) == ["Shoot", "Click!"]
    assert words(board(2, options=Options(practice=Practice.ON))) == ["Shoot", "Click!", "Pass"]
    assert words(clicked()) == ["Shoot", "Pass"]
    assert words(declaring()) == ["Before, after", "Nothing"]
    after = Selection(Direction.AFTER)
    assert words(declaring(), after) == ["Object", "Colour", "Suit", "Back"]
    assert words(declaring(), after._replace(anchor=2)) == ["Colour", "Suit", "Back"]
    assert words(declaring(), after._replace(anchor=9)) == ["Object", "Back"]
    assert words(declaring(2)) == []
