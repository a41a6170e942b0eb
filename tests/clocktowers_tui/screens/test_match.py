"""A match on the screen: the keys, the help and what is said follow what can be done now; each
place has its screen; what a key leads to is painted once."""

import asyncio
import gc
from weakref import ref

import pytest
from msgspec import Struct
from msgspec.structs import replace
from textual._compositor import Compositor
from textual._time import sleep
from textual.widgets import Static

from clocktowers_tui.config.settings import load, settings_file
from clocktowers_tui.games.architetti_attenti.board import ArchitettiAttentiBoard
from clocktowers_tui.games.board import Board
from clocktowers_tui.games.clocktowers.board import ClocktowersBoard
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import DEFAULT_KEYS
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.wishes import Solo, Visit
from clocktowers_tui.screens.dialogs import Question
from clocktowers_tui.screens.match import MatchScreen
from clocktowers_tui.state.store import State, heard
from clocktowers_tui.state.table import Connection
from clocktowers_tui.widgets.banner import Countdown
from clocktowers_tui.widgets.menu import Row
from clocktowers_tui.widgets.panel import Panel
from protocol.from_client import Leave
from protocol.from_server import AtTable, Notice, NoticeCode, Welcome
from protocol.table import Days, Running
from tests.clocktowers_tui.deeds.test_plausible import HERE
from tests.games.architetti_attenti.senseless import SAMPLE as TOWNS
from tests.games.clocktowers.senseless import SAMPLE as TOWERS
from tests.games.clocktowers.stages import match
from tests.stage import small_match
from tests.stage.nonsense import Sample, honest
from tests.stage.pilot import SMALL, Playing, click_on, playing, press, seen, sees, until
from tests.stage.scripted_server import WELCOME, ScriptedPeer, saying, scripted
from tests.stage.small_match import bot_table

SOLO = Solo(bot_table(1, "random", options={"first_seat": 0}))


def begun(connection: Connection = HERE) -> State:
    """A match with Ben, before its first view."""
    state = heard(State(connection=connection), small_match.at_table("Ann", "Ben"))
    return heard(state, small_match.started())


async def test_the_keys_follow_the_choice(address: Address) -> None:
    async with playing(SOLO, at=address) as player:
        await sees(player, "Your turn", "Take card", "Enter Take", "q Leave")
        assert "Discard" not in seen(player[0]) and "R Result" not in seen(player[0])
        for dead in "$", "R":
            await press(player, dead, shows=f"{dead} does nothing here; ? lists the keys.")
        await press(player, "1", shows=("x Discard", "Esc Back"))
        await press(player, "escape", shows="Enter Take")
        await press(player, "1", "x", shows=("Your turn: draw", "f c r Draw"))
        assert "x Discard" not in seen(player[0])


async def test_a_click_on_a_key_in_the_last_line_presses_it(address: Address) -> None:
    """The game's and the screen's, by their own names and by those of a keymap."""
    async with playing(SOLO, keymap='"board.discard" = ["F4"]', at=address) as player:
        await sees(player, "Your turn", "Take card", "Enter Take", "q Leave")
        await click_on(player, "Enter Take")
        await sees(player, "F4 Discard", "Esc Back")
        await click_on(player, "Esc Back")
        await sees(player, "Enter Take")
        await click_on(player, "Enter Take")
        await sees(player, "F4 Discard")
        await click_on(player, "F4 Discard")
        await sees(player, "Your turn: draw", "f c r Draw")
        await click_on(player, "f c r Draw")  # which of them?
        await click_on(player, "q Leave")
        await sees(player, "Leave this match?")


async def test_help_explains_the_short_forms(address: Address) -> None:
    async with playing(SOLO, size=SMALL, at=address, shows="Your turn") as player:
        await press(player, "question_mark", shows=("The goal", "Any other key Close"))
        await press(player, "end", shows=("1c.K-.Ry", "►4: the card goes on tower 4"))


_OF_TURNS = {actions.TAKE_BACK, actions.HURRY, actions.HAND_OVER, actions.HINT}
_HELPED = [
    ("clocktowers", "standard", _OF_TURNS),
    ("wild_wild_pattern", "practice", {actions.HINT}),
    ("wild_wild_pattern", "standard", set[actions.Action]()),
]


async def test_the_help_names_no_key_that_never_works_there(address: Address) -> None:
    """All race at once: nothing is taken back, and there are no hints."""
    for game, preset, named in _HELPED:
        wish = Solo(bot_table(1, "easy", preset, game=game))
        async with playing(wish, at=address) as player:
            await until(player[1], lambda: isinstance(player[0].screen, MatchScreen))
            screen = player[0].screen
            assert isinstance(screen, MatchScreen)
            shown = {key for entry in screen.help_keys() for key in entry.keys.split()}
            assert {one for one in _OF_TURNS if DEFAULT_KEYS.name(one) in shown} == named


async def test_a_watcher_has_no_play_keys_and_is_told_why_and_leaves_without_a_question() -> None:
    wishes: list[Struct] = []

    async def script(peer: ScriptedPeer) -> None:
        await peer.hears()
        table = small_match.at_table("Ann", "Bob", seat=None)
        peer.says(replace(WELCOME, name="Eve"), table, small_match.started())
        peer.says(small_match.update(0, seat=None))
        wishes.append(await peer.hears())

    async with scripted(script) as address, playing(Visit(address)) as player:
        await sees(player, "watching", "Ann is choosing", "q Leave")
        assert "Enter" not in seen(player[0])
        await press(player, "1", shows="You are watching")
        player[0].change(heard(player[0].state, Notice(NoticeCode.LEFT, {"name": "Bob"})))
        said = player[0].screen.query_one("#said", Static)
        await until(player[1], lambda: str(said.content) == "Bob left the table.")
        await press(player, "q")
        await until(player[1], lambda: [type(wish) for wish in wishes] == [Leave])


@pytest.mark.parametrize(
    ("other", "clock", "says"),
    [
        ("Bob", None, "after a while a bot plays for you"),
        ("", None, "nobody wins"),
        ("Bob", Days(3), "you lose the match"),
    ],
)
async def test_what_leaving_means_is_said_before(other: str, clock: Days | None, says: str) -> None:
    """A bot plays for a player who lets somebody wait; alone, nobody waits."""
    table = small_match.at_table("Ann", other)
    table = replace(table, info=replace(table.info, clock=clock))
    script = saying(table, small_match.started(), small_match.update(0))
    async with scripted(script) as address, playing(Visit(address), shows="q Leave") as player:
        await press(player, "q", shows=("Leave this match?", says))


async def test_of_two_keys_that_come_together_the_first_asks(address: Address) -> None:
    async with playing(Solo(bot_table(1, "easy")), at=address, shows="q Leave") as player:
        screen = player[0].screen
        assert isinstance(screen, MatchScreen)
        for word in ("leave", "autoplay"):
            screen.action_do(word)
        await sees(player, "Leave this match?")
        await press(player, "escape", shows="q Leave")
        assert player[0].screen is screen


async def test_a_watchers_clock_stands_while_all_players_are_away() -> None:
    gone = asyncio.Event()

    async def script(peer: ScriptedPeer) -> None:
        await peer.hears()
        peer.says(Welcome(version=1, name="Eve"))
        table = small_match.at_table("Ann", "Bob", seat=None)
        peer.says(table, small_match.started())
        peer.says(replace(small_match.update(0, seat=None), clock=Running(0, 3_599_000)))
        await gone.wait()
        seats = [replace(seat, dropped=True) for seat in table.info.seats]
        peer.says(replace(table, info=replace(table.info, seats=seats)))
        while True:
            await peer.hears()

    async with scripted(script) as address, playing(Visit(address)) as player:
        await sees(player, "Ann is choosing")
        clock = player[0].screen.query_one("#clock", Countdown)
        assert clock._timer is not None
        gone.set()
        await sees(
            player, "All players are away: the match waits", "59:", "Ann (away)", "Bob (away)"
        )
        assert clock._timer is None and player[0].screen.query_one(Board).away == {0, 1}


@pytest.mark.parametrize("attempt", [0, 3])
async def test_where_the_line_is_broken_nothing_is_said_to_be_sure(attempt: int) -> None:
    async with playing() as player:
        state = begun(replace(HERE, attempt=attempt))
        player[0].change(heard(state, replace(small_match.update(0), clock=Running(0, 595_000))))
        await sees(player, "Your turn", *(["reconnecting, try 3"] if attempt else []))
        clock = player[0].screen.query_one("#clock", Countdown)
        assert clock.render().plain.endswith("?") == bool(attempt)
        screen = player[0].screen
        assert isinstance(screen, MatchScreen)
        player[0].journey.request = nobody_answers  # type: ignore[method-assign, assignment]
        screen.action_do("undo")
        await player[1].pause()
        assert ("is sent when it is back" in seen(player[0])) == bool(attempt)


async def nobody_answers(_wish: Struct) -> None:
    """As on a broken line."""
    await asyncio.Event().wait()


async def test_after_the_end_the_keys_and_sentences_are_others() -> None:
    table = small_match.at_table("Ann", "Bob")
    last = small_match.update(0, turn=None)
    script = saying(table, small_match.started(), last, small_match.ended())
    async with scripted(script) as address, playing(Visit(address), shows="You win") as player:
        await press(player, "escape", "enter")
        await sees(player, "R Result", "q Leave", "R shows the result, q leaves.")


async def test_u_takes_the_newest_move_back_and_the_log_says_so(address: Address) -> None:
    async with playing(SOLO, size=(120, 40), at=address) as player:
        app, _pilot = player
        await sees(player, "Your turn", "Enter Take")
        assert "u Take back" not in seen(app)
        await press(player, "1", "x")
        await sees(player, "Your turn: draw", "u Take back", "You discarded a floor")
        await press(player, "u", shows=("Enter Take", "You took back a move."))
        assert "u Take back" not in seen(app) and "You discarded a floor" not in seen(app)
        match = app.state.match
        assert match is not None and (match.version, match.ply, len(match.events)) == (2, 0, 1)
        await press(player, "u", shows="You have no move to take back.")
        await press(player, "1", "x", shows=("Your turn: draw", "u Take back"))


async def test_what_says_why_a_key_did_nothing_goes_with_the_next_that_does(
    address: Address,
) -> None:
    async with playing(SOLO, at=address, shows=("Your turn", "Enter Take")) as player:
        await press(player, "v", shows="v does nothing here")
        await press(player, "L", "escape", shows="Enter Take")
        assert "does nothing here" not in seen(player[0])


async def test_an_objection_goes_when_the_turn_begins_and_the_help_follows() -> None:
    state = begun()
    async with playing() as player:
        app, _pilot = player
        app.change(heard(state, small_match.update(0, turn=1)))
        await sees(player, "Ben is choosing")
        screen = app.screen
        assert isinstance(screen, MatchScreen)
        screen.object("Ben has the turn.")
        await press(player, "question_mark", shows="It is not your turn yet")
        mine = small_match.update(1, turn=0)
        app.change(heard(app.state, replace(mine, view={**mine.view, "hand": bytes((1, 2, 3))})))
        await sees(player, "Your turn", "Help")
        await until(player[1], lambda: "not your turn yet" not in seen(app))
        await press(player, "escape", shows="Enter Take")
        assert "Ben has the turn." not in seen(app)


async def test_news_stay_when_a_board_has_nothing_to_say() -> None:
    """As when the other player has moved."""
    async with playing() as player:
        app, _pilot = player
        app.change(heard(begun(), small_match.update(0, turn=1)))
        await sees(player, "Ben is choosing")
        app.tell("Ben is back.")
        await sees(player, "Ben is back.")
        screen = app.screen
        assert isinstance(screen, MatchScreen)
        screen.post_message(Board.Hint(""))
        screen.post_message(Board.Hint(""))
        await player[1].pause()
        await sees(player, "Ben is back.")
        screen.say("A bot looks for a good move…")
        screen.post_message(Board.Hint(""))
        await until(player[1], lambda: "A bot looks" not in seen(app))


async def test_a_task_that_speaks_while_its_screen_goes_does_no_harm() -> None:
    async with playing() as player:
        app, _pilot = player
        app.change(heard(begun(), small_match.update(0, turn=1)))
        await sees(player, "Ben is choosing")
        screen = app.screen
        assert isinstance(screen, MatchScreen)
        await screen.remove_children()
        screen.say("This match has been deleted.")


async def test_what_was_said_in_a_match_goes_with_its_end() -> None:
    """The result has no room for it."""
    state = heard(begun(), small_match.update(0, turn=1))
    for ending in ([small_match.update(1, turn=None), small_match.ended()], [small_match.ended()]):
        async with playing() as player:
            app, _pilot = player
            app.change(state)
            await sees(player, "Ben is choosing")
            await press(player, "1", shows="It is not your turn yet.")
            app.change(heard(state, small_match.update(1, turn=1)))
            await sees(player, "It is not your turn yet.")
            for message in ending:
                state_then = heard(app.state, message)
                app.change(state_then)
            await sees(player, "You win")
            assert "not your turn" not in seen(app)


async def test_a_layout_that_was_chosen_is_kept_on_disk(address: Address) -> None:
    async with playing(SOLO, at=address, shows=("Your turn", "FLOOR")) as player:
        await press(player, "z", shows="Board: ledger")
        assert "FLOOR" not in seen(player[0])
    assert load(settings_file()).layouts == {"clocktowers": "ledger"}


async def test_a_click_on_the_last_lines_opens_the_log(address: Address) -> None:
    async with playing(SOLO, at=address, shows="you begin") as player:
        line = next(n for n, text in enumerate(seen(player[0]).split("\n")) if "you begin" in text)
        await player[1].click(offset=(seen(player[0]).split("\n")[line].index("you begin"), line))
        await sees(player, "─ Log ─")


# Each place has its screen, and a match that of its game ------------------------------------------


async def hear_of(player: Playing, sample: Sample, *, watches: bool = False) -> None:
    """A table and its match, in one turn of the loop: nothing between is shown."""
    app, pilot = player
    app.change(State(connection=HERE))
    at_table, *others = honest(sample)[:4]
    assert isinstance(at_table, AtTable)
    app.store.hear(replace(at_table, seat=None) if watches else at_table)
    for message in others:
        app.store.hear(message)
    await until(pilot, lambda: isinstance(app.screen, MatchScreen))
    await pilot.pause()


async def test_a_match_of_another_game_has_another_board() -> None:
    async with playing() as player:
        for sample, board in (
            (TOWERS, ClocktowersBoard),
            (TOWNS, ArchitettiAttentiBoard),
            (TOWERS, ClocktowersBoard),
        ):
            await hear_of(player, sample)
            assert isinstance(player[0].screen.query_one("#board", Board), board)


@pytest.mark.parametrize("watches", [False, True])
async def test_the_game_that_was_played_last_is_kept(watches: bool) -> None:
    """Not one that was only looked at."""
    async with playing() as player:
        await hear_of(player, TOWNS, watches=watches)
        assert load(settings_file()).game == ("" if watches else "architetti_attenti")


async def test_another_match_of_the_same_game_keeps_its_screen() -> None:
    async with playing() as player:
        await hear_of(player, TOWNS)
        screen = player[0].screen
        await hear_of(player, TOWNS)
        assert player[0].screen is screen


# What a key leads to is painted once, not after every layout and every message on its way ---------


FRAME_S = 1000.0
"""More than a busy machine takes to do everything that one key starts."""
KEYS = ("1", "right", "right", "1")
"""Each changes the board, and the sentence or the key line."""


class Painted:
    """Every update that changes the screen; a frame is over when `frames` says so."""

    def __init__(self) -> None:
        self.updates: list[object] = []
        self._over = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        """As Textual's timers do."""
        if seconds < FRAME_S / 2:
            await sleep(seconds)
        else:
            await self._over.wait()

    async def frames(self, player: Playing) -> None:
        """Each is over when all that was under way in it is done; in the last nothing is due."""
        app, pilot = player
        due = True
        while due:
            await pilot.pause()
            due = app.screen._update_timer._active.is_set()
            self._over.set()
            self._over = asyncio.Event()


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> Painted:
    painted = Painted()
    render = Compositor.render_update

    def rendered(compositor: Compositor, **how: object) -> object:
        update = render(compositor, **how)  # type: ignore[arg-type]
        painted.updates.extend([update] if update is not None else [])
        return update

    monkeypatch.setattr(Compositor, "render_update", rendered)
    monkeypatch.setattr("textual.screen.UPDATE_PERIOD", FRAME_S)
    monkeypatch.setattr("textual.timer.sleep", painted.sleep)
    return painted


async def test_a_new_screen_is_painted_once_and_for_its_focus(painted: Painted) -> None:
    async with playing(painted=True, shows="Join a table") as player:
        await painted.frames(player)
        painted.updates.clear()
        await press(player, "S", shows=("Settings", "Language"))
        await painted.frames(player)
        assert len(painted.updates) <= 2


async def test_a_key_of_a_board_is_painted_once(painted: Painted) -> None:
    async with playing(painted=True) as player:
        player[0].change(match())
        await painted.frames(player)
        await sees(player, "Your turn")
        painted.updates.clear()
        for key in KEYS:
            await press(player, key)
            await painted.frames(player)
        assert len(painted.updates) <= len(KEYS)


async def test_what_a_closed_dialog_has_painted_is_forgotten() -> None:
    """After the next one."""
    painted = []
    async with playing(shows="Join a table") as player:
        app, pilot = player
        for _dialog in range(3):
            await app.push_screen(Question("Title", ["Sentence"], [Row("a", "Answer")]))
            await sees(player, "Sentence")
            painted.append(ref(app.screen.query_one(Panel)._styles_cache))
            await press(player, "enter")
            await until(pilot, lambda: not isinstance(app.screen, Question))
            await pilot.pause()
        gc.collect()
        assert painted[0]() is None
