"""The language changes while one looks, and nothing that was there is lost."""

from textual.widgets import Input

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.wishes import Solo, Visit
from clocktowers_tui.new_table.drafts import bot_table
from clocktowers_tui.text.i18n import language
from tests.stage.pilot import Playing, playing, press, seen, sees, until


async def speak(player: Playing, code: str, says: str) -> None:
    player[0].speak(code)
    await sees(player, says)


async def test_the_menu_keeps_its_row() -> None:
    async with playing() as player:
        await sees(player, "Join a table")
        await press(player, "down", "right")
        await speak(player, "it", "Unisciti a un tavolo")
        assert "Join" not in seen(player[0]) and language() == "it"
        await sees(player, "Ospita")
        await press(player, "enter")
        await sees(player, "Tavolo (se lo sai)")
        await press(player, "escape")
        await speak(player, "en", "Join a table")
        assert "tavolo" not in seen(player[0])


async def test_what_was_typed_and_chosen_stays(address: Address) -> None:
    async with playing(Visit(address)) as player:
        app, _pilot = player
        await sees(player, "New table")
        await press(player, "n")
        await sees(player, "Create the table")
        await press(player, "down", *"hull", "down", "left")
        await sees(player, "hull", "< 3 >")
        await speak(player, "it", "Crea il tavolo")
        await sees(player, "hull", "< 3 >", "Giocatori")
        assert app.focused is not None and app.focused.id == "seats"
        assert app.screen.query_one("#title", Input).value == "hull"
        await press(player, "escape")
        await sees(player, "0 tavoli", "Nuovo tavolo")


async def test_a_match_goes_on_with_its_log_and_what_was_chosen() -> None:
    async with playing(Solo(bot_table(1, "random", options={"first_seat": 0}))) as player:
        app, _pilot = player
        await sees(player, "Your turn: play or discard a card")
        board = app.focused
        await press(player, "1")
        await sees(player, "goes on a new tower")
        await speak(player, "it", "Tocca a te")
        await sees(player, "PIANO", "Prossimo tetto", "Le carte sono", "Scarta")
        assert app.focused is board
        await press(player, "enter")
        await sees(player, "Tocca a te: pesca", "Cominci la")
        await press(player, "f")
        await until(player[1], lambda: "Your turn" not in seen(app))
        await press(player, "q")
        await sees(player, "Lasciare questa partita?", "Resta")
