"""With a Russian keyboard layout the keys of the program lie where they always lie."""

import pytest
from textual.events import Key
from textual.widgets import Input

from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.keys.layouts import meant
from tests.stage.pilot import playing, press, seen, sees, until


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("й", "q"),
        ("Й", "Q"),
        ("ь", "m"),
        ("Б", "less_than_sign"),
        ("Ж", "colon"),
        ("х", "left_square_bracket"),
    ],
)
def test_a_letter_is_the_key_that_it_stands_on(typed: str, key: str) -> None:
    assert meant(Key(typed, typed), ()).key == key


@pytest.mark.parametrize(
    "same", [Key("q", "q"), Key("enter", "\r"), Key("ё", "ё"), Key("up", None)]
)
def test_any_other_key_is_itself(same: Key) -> None:
    assert meant(same, ()) is same


def test_a_letter_that_the_player_has_chosen_is_itself() -> None:
    own = Keymap({"leave": ("й", "q")}).own
    chosen = Key("й", "й")
    assert meant(chosen, own) is chosen and meant(Key("ц", "ц"), own).key == "w"


async def test_it_opens_what_the_latin_key_opens_and_text_stays_as_it_is_typed() -> None:
    async with playing() as player:
        app, pilot = player
        await until(pilot, lambda: bool(app.focused))
        await press(player, "Ы")
        await sees(player, "Theme")
        await press(player, "escape")
        await sees(player, "Join a table")
        await press(player, "т")
        await until(pilot, lambda: isinstance(app.focused, Input))
        await press(player, "А", "н", "я")
        await until(pilot, lambda: "Аня" in seen(app))
