"""A player looks back while the match goes on: at what was sent, and nothing can be played."""

from msgspec.structs import replace

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.wishes import Solo
from clocktowers_tui.new_table.drafts import bot_table
from clocktowers_tui.new_table.lessons import lesson_of
from clocktowers_tui.screens.look_back import LookBackScreen, Sent
from clocktowers_tui.screens.match import MatchScreen
from clocktowers_tui.state.store import State, heard
from protocol.from_client import HandOver, Hurry
from protocol.from_server import Done
from protocol.games.wild_wild_pattern import Phase, Practice
from protocol.replaying import WATCHER
from tests.games.clocktowers.boards import board as small_board
from tests.games.wild_wild_pattern.boards import board
from tests.games.wild_wild_pattern.stages import GAME
from tests.stage import small_match
from tests.stage.action_scenes import playing as in_match
from tests.stage.nonsense import plain
from tests.stage.pilot import SMALL, Playing, playing, press, seen, sees, until

SOLO = Solo(bot_table(1, "random", options={"first_seat": 0}))


def top(player: Playing) -> type:
    return type(player[0].screen)


async def a_turn(player: Playing) -> None:
    """Play one, and wait for the next."""
    await sees(player, "Your turn", "Take card")
    await press(player, "1", "x")
    await sees(player, "Your turn: draw")
    await press(player, "f")
    await sees(player, "Your turn", "Take card")


async def test_back_and_on_and_to_the_match_and_no_key_plays(address: Address) -> None:
    async with playing(SOLO, at=address, size=SMALL) as player:
        await a_turn(player)
        live = player[0].state.match
        assert live is not None
        await press(player, "V")
        await sees(player, "Looking back: turn 1 of 2", "Esc: to the match", "It is your turn.")
        assert "It is your turn.;" not in seen(player[0])
        await press(player, "home")
        await sees(player, "Looking back: turn 1 of 2", "The cards are dealt")
        for key in ("1", "x", "f", "u", "e", "R"):
            await press(player, key)
            await sees(player, f"{key} does nothing here")
        await press(player, "up", "right", "end")
        await sees(player, "Looking back: turn 2 of 2")
        await player[1].click(offset=(20, 8))
        await press(player, "escape")
        await sees(player, "Your turn", "Take card")
        assert "Looking back" not in seen(player[0])
        assert player[0].state.match == live and live.pending is None


async def test_before_anything_has_happened_there_is_nothing(address: Address) -> None:
    async with playing(SOLO, at=address) as player:
        await sees(player, "Your turn")
        await press(player, "V")
        await sees(player, "There is nothing to look back at yet.")
        assert top(player) is MatchScreen


async def test_the_end_is_said_and_the_result_waits(address: Address) -> None:
    async with playing(SOLO, at=address) as player:
        app, pilot = player
        await a_turn(player)
        await press(player, "V", "home")
        await sees(player, "turn 1 of 2")
        for wish in (HandOver(id=0), Hurry(id=0)):
            assert isinstance(await app.journey.request(wish), Done)
        await sees(player, "Looking back: turn 1 of ", "The match is over.")
        assert "turn 1 of 2 " not in seen(app) and top(player) is LookBackScreen
        assert app.state.match is not None
        assert len(app.state.match.seen) > 20
        await press(player, "escape")
        await sees(player, "Rematch")
        await until(pilot, lambda: not any(s.name == "look back" for s in app.screen_stack))


async def test_another_match_ends_it(address: Address) -> None:
    async with playing(SOLO, at=address) as player:
        await a_turn(player)
        await press(player, "V")
        await sees(player, "Looking back")
        state = heard(player[0].state, small_match.started("m2"))
        player[0].change(heard(state, small_match.update(1, "m2")))
        await until(player[1], lambda: top(player) is MatchScreen)


async def test_what_is_taken_back_goes_out_of_sight() -> None:
    async with playing() as player:
        state = in_match("clocktowers", small_board(2))
        for ply in (2, 3, 4):
            state = heard(state, small_match.update(ply, discards=1))
        player[0].change(state)
        await sees(player, "Your turn")
        await press(player, "V", "end")
        await sees(player, "Looking back", "discard")
        back = replace(small_match.update(5), ply=2, taken_back=2)
        player[0].change(heard(player[0].state, back))
        await player[1].pause()
        screen = player[0].screen
        assert isinstance(screen, LookBackScreen)
        await until(player[1], lambda: screen._at[0] == 1)


def race(phase: Phase, practice: Practice = Practice.OFF, before: Phase = Phase.READY) -> State:
    """Two moments, of which this is the newer."""
    first, second = (board(2, one) for one in (before, phase))
    options = replace(second.options, practice=practice)
    state = in_match(GAME, replace(first, options=options))
    update = replace(small_match.update(2), view=plain(replace(second, options=options)))
    return heard(state, update)


async def test_a_race_wants_the_eyes_and_practice_waits() -> None:
    async with playing() as player:
        player[0].change(race(Phase.RACE))
        await until(player[1], lambda: top(player) is MatchScreen)
        await press(player, "V")
        await sees(player, "You cannot look back while the race runs.")
        player[0].change(race(Phase.RACE, Practice.ON))
        await player[1].pause()
        await press(player, "V")
        await sees(player, "Looking back")


async def test_a_race_that_begins_ends_it_even_behind_the_help() -> None:
    async with playing() as player:
        player[0].change(race(Phase.READY))
        await until(player[1], lambda: top(player) is MatchScreen)
        for before in ((), ("question_mark",)):
            await press(player, "V")
            await sees(player, "Looking back")
            await press(player, *before)
            player[0].change(race(Phase.RACE))
            await player[1].pause()
            if before:
                await press(player, "escape")
            await until(player[1], lambda: top(player) is MatchScreen)
            player[0].change(race(Phase.READY))
            await player[1].pause()


async def test_a_lesson_has_no_key_to_it(address: Address) -> None:
    async with playing(lesson_of("clocktowers"), at=address) as player:
        await sees(player, "1/")
        await press(player, "V")
        await sees(player, "V does nothing here")


async def test_nothing_is_in_it_but_what_was_sent(address: Address) -> None:
    """Each view is one that came, and the events are those that came, each once."""
    async with playing(SOLO, at=address) as player:
        await a_turn(player)
        match = player[0].state.match
        assert match is not None
        sent = Sent(match)
        told = [event for events in await sent.hear(WATCHER) for event in events]
        assert told == [*match.events]
        shown = [(await sent.show(ply, WATCHER)).view for ply in range(len(match.seen))]
        assert all(view.seat == 0 for view in shown) and shown[-1] is match.view
