"""Each lesson is played through as a newcomer would, on a real server: right keys and wrong
ones."""

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest

from clocktowers_tui.config.settings import load, settings_file
from clocktowers_tui.games.board import Board
from clocktowers_tui.games.pane import Pane
from clocktowers_tui.games.registry import LESSONS, title_of
from clocktowers_tui.games.wild_wild_pattern.actions import LETTERS
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import KeyGroups
from clocktowers_tui.keys.keymap import DEFAULT_KEYS
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.seats import unfinished
from clocktowers_tui.net.wishes import Solo
from clocktowers_tui.new_table import lesson_of
from clocktowers_tui.screens.home import HomeScreen
from clocktowers_tui.screens.lesson import LessonScreen
from clocktowers_tui.text.i18n import SOURCE, languages
from protocol.from_client import CreateTable
from protocol.games.wild_wild_pattern import Shoot
from protocol.games.wild_wild_pattern.cards import FIRST_COLOUR
from protocol.ids import Seat as Place
from server.config import Limits
from tests.clocktowers_tui.games.test_lessons import every_game
from tests.stage.house import House, house
from tests.stage.pilot import SMALL, Playing, click_on, playing, press, seen, sees, until

PARTS = ("houses", "blocks", "gems", "parks", "rails", "shops", "schools")
NOTES = {"scoring": "cats", "ladder": "Next roof", "row": "Market", "wild": "WILD"}
NOTES |= {part: part.title() for part in PARTS}
"""What towers score, what the next roofs need, and what the score of a town counts; in a match all
of it is there at once."""


class Pupil:
    """A newcomer in a lesson on this server."""

    def __init__(self, player: Playing, at: House) -> None:
        self.player = player
        self.at = at

    @property
    def screen(self) -> LessonScreen:
        screen = self.player[0].screen
        assert isinstance(screen, LessonScreen)
        return screen

    @property
    def board(self) -> Board[Any, Any]:
        return self.screen.query_one(Board)

    @property
    def version(self) -> int:
        match = self.player[0].state.match
        return -1 if match is None else match.version

    @property
    def sentence(self) -> str:
        return str(self.screen.query_one("#said").render())

    def lit(self) -> set[str]:
        """What is marked on the board, of what can be seen."""
        panes = self.board.query(Pane)
        return {pane.id or "" for pane in panes if pane.lit and pane.region.area}

    def on_the_board(self) -> str:
        """Without what the lesson says above and below it."""
        rows = self.board.region
        return "\n".join(seen(self.player[0]).splitlines()[rows.y : rows.bottom])

    def notes(self) -> set[str]:
        """What the board explains so far."""
        return {name for name, words in NOTES.items() if words in self.on_the_board()}

    async def comes_to(self, at: int) -> None:
        """The step is in view with its whole sentence, and the match waits for the player."""
        there = self.screen._course._replace(at=at)
        place = f"{at + 1}/{len(there.lesson.steps)} "
        await sees(self.player, place, there.words(DEFAULT_KEYS))
        await until(self.player[1], lambda: self.player[0].state.match.pending is None)  # type: ignore[union-attr]

    async def does(self, step: Any) -> None:
        if step.do is None:
            await press(self.player, "enter")
        else:
            self.board.post_message(Board.Chosen(step.wanted(self.view)[0]))
            await self.player[1].pause()

    @property
    def view(self) -> Any:
        match = self.player[0].state.match
        return None if match is None else match.view

    @property
    def keys(self) -> list[str]:
        """Everything that the board answers to."""
        return [*self.board._bindings.key_to_bindings]

    def keys_of(self, step: Any) -> list[str]:
        """What the sentence of a step names; where the player has to find the action, a hint and
        the key that then takes it."""
        if step.do is None:
            return ["enter"]
        if not step.is_free:
            return [key.keys[0] for key in self.screen._course.lesson.pressed(step)]
        best = step.wanted(self.view)[0]
        return ["H", str(best.place + 1) if isinstance(best, Shoot) else "enter"]

    async def trapped_after(self, wrong: Iterable[Sequence[str]], step: Any) -> list[Any]:
        """The wrong keys after which those of the step do not choose what it wants. The board is
        asked without the terminal and the server, and is then as it was."""
        board, wanted, caught = self.board, step.wanted(self.view), list[Any]()
        assert isinstance(board, Board)

        async def chosen_by(keys: Sequence[str]) -> Any:
            """As the screen does it: an action that is not wanted is dropped."""
            for key in keys:
                caught.clear()
                if key == "H":
                    board.suggest(wanted[0])
                else:
                    await board.run_action(board._bindings.key_to_bindings[key][0].action)
                for chosen in (one.action for one in caught if isinstance(one, Board.Chosen)):
                    board.change(waiting=False)
                    if chosen in wanted:
                        return chosen
                    assert step.is_free, f"{keys} chose {chosen}"
                    before = board.scene
                    board.put_right(chosen)
                    assert board.scene == before or board.FACE.game != "architetti_attenti"
            return None

        found = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(board, "post_message", caught.append)
            patch.setattr(board, "redraw", lambda: None)
            for keys in wrong:
                board.guide(None if step.is_free else wanted)
                if await chosen_by(keys) is None and await chosen_by(self.keys_of(step)) is None:
                    found.append(keys)
        board.guide(None if step.is_free else wanted)
        return found

    async def led_astray(self, offered: KeyGroups, step: Any) -> list[str]:
        """Which of these actions lead nowhere, though the sentence does not name them."""
        board, caught = self.board, list[Any]()
        assert isinstance(board, Board)
        named = self.screen._course.lesson.pressed(step)
        found = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(board, "post_message", caught.append)
            for action in (one for together, _words in offered for one in together):
                caught.clear()
                board.guide(step.wanted(self.view))
                await board.run_action(board._bindings.key_to_bindings[action.keys[0]][0].action)
                board.change(waiting=False)
                strayed = any(isinstance(one, Board.Strayed) for one in caught)
                if strayed and action not in named:
                    found.append(action.keys[0])
        board.guide(step.wanted(self.view))
        return found

    def legal(self) -> list[Any]:
        """Every legal action, as the server's own rules list them."""
        (table,) = self.at.server.lobby.tables.values()
        assert table.match is not None
        state = table.match._course.state
        return list(table.game.rules.legal_actions(state, Place(0)))


SCREENS = {*actions.CONFIRM.keys, *actions.CHOOSE.keys, *actions.BACK.keys}
"""While there is something to read these mean something to the screen."""


@asynccontextmanager
async def learning(game: str, size: tuple[int, int] = SMALL) -> AsyncIterator[Pupil]:
    async with (
        house(limits=Limits()) as at,
        playing(lesson_of(game), at=Address(*at.address), size=size) as player,
    ):
        await sees(player, f"1/{len(LESSONS[game].steps)} ")
        yield Pupil(player, at)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """People read first; the race's board does not believe keys that come sooner."""
    monkeypatch.setattr("clocktowers_tui.games.wild_wild_pattern.board._MEANT_S", 0)


@pytest.mark.usefixtures("quick")
@every_game
async def test_the_keys_of_every_step_lead_on_whatever_was_pressed_before(game: str) -> None:
    lesson, rng = LESSONS[game], Random(5)
    async with learning(game, (120, 40)) as pupil:
        for at, step in enumerate(lesson.steps):
            await pupil.comes_to(at)
            assert pupil.lit() == set(step.lit)
            assert all(one in pupil.legal() for one in step.wanted(pupil.view)), "by the rules"
            taught = {name for before in lesson.steps[: at + 1] for name in before.shows}
            assert pupil.notes() == taught, "a note comes with the step that teaches it"
            wrong = [[key] for key in pupil.keys]
            wrong += [rng.choices(pupil.keys, k=2) for _pair in range(len(wrong))]
            if step.do is not None:
                assert await pupil.trapped_after(wrong, step) == [], step.say
            if step.do is not None and not step.is_free:
                offered = [one.keys[0] for keys, _words in pupil.screen.taken() for one in keys]
                assert pupil.keys_of(step)[0] in offered
                assert await pupil.led_astray(pupil.screen.taken(), step) == [], step.say
            before = pupil.version
            vain = rng.choice([keys for keys in wrong if not SCREENS & {*keys}])
            await press(pupil.player, *vain if step.do is None else "$")
            wrong_key = f"{pupil.screen._pressed} does nothing here yet."
            said = pupil.screen._course.objection(DEFAULT_KEYS, against=wrong_key)
            assert pupil.sentence == said
            assert pupil.version == before and pupil.screen._course.at == at
            if step.is_free:
                for vain in [one for one in pupil.legal() if one not in step.wanted(pupil.view)][
                    :1
                ]:
                    pupil.board.post_message(Board.Chosen(vain))
                    await sees(pupil.player, pupil.screen._course.objection(DEFAULT_KEYS))
            if step.worse:
                pupil.board.post_message(Board.Chosen(step.wanted(pupil.view)[1]))
                await sees(pupil.player, step.worse)
                assert pupil.version == before and pupil.screen._course.at == at
            await press(pupil.player, *pupil.keys_of(step))
        await sees(pupil.player, f"You know {title_of(game)} now", ": 1 bot")
        await press(pupil.player, "escape")
        await sees(pupil.player, f"You know {title_of(game)} now: Enter plays", ": 1 bot")
        assert isinstance(pupil.player[0].screen, HomeScreen)
        assert "New here?" not in seen(pupil.player[0])
        assert load(settings_file()).lessons[game] == 0
    assert unfinished() == [], "a lesson leaves no seat behind"


async def test_a_wrong_key_does_not_ask_again_for_keys_that_were_pressed() -> None:
    steps = LESSONS["architetti_attenti"].steps
    async with learning("architetti_attenti") as pupil:
        for at, step in enumerate(steps[:2]):
            await pupil.comes_to(at)
            await press(pupil.player, *pupil.keys_of(step))
        await pupil.comes_to(2)
        await press(pupil.player, "down")
        await sees(pupil.player, "Down does nothing here yet. Press Up, which moves it")
        await press(pupil.player, "up", "down")
        assert pupil.sentence.startswith("Down does nothing here yet. Enter builds")


async def test_what_the_rules_forbid_and_what_is_not_wanted_are_told_apart() -> None:
    steps = LESSONS["clocktowers"].steps
    async with learning("clocktowers") as pupil:
        for at, step in enumerate(steps[:3]):
            await pupil.comes_to(at)
            if step.do is not None:
                await press(pupil.player, "f", shows="That is not possible now. Press 1 to take")
                await press(pupil.player, "n", shows="n does nothing here yet. Press 1 to take")
                await press(pupil.player, "2", shows="2 does nothing here yet. Press 1 to take")
            await pupil.does(step)
        await pupil.comes_to(3)
        await press(pupil.player, "f", shows="f does nothing here yet. Press c: you draw a clock.")
        await press(pupil.player, "$", shows="$ does nothing here yet. Press c: you draw a clock.")


@pytest.mark.usefixtures("quick")
async def test_what_was_right_of_a_wrong_declaration_stays() -> None:
    """The player goes on from there, and hears which key was wrong."""
    steps = LESSONS["wild_wild_pattern"].steps
    async with learning("wild_wild_pattern", (80, 24)) as pupil:
        says = [at for at, step in enumerate(steps) if step.is_free and "picker" in step.lit]
        for at, step in enumerate(steps[: says[1] + 1]):
            await pupil.comes_to(at)
            if at == says[0]:
                await press(pupil.player, "c", shows="First declare before or after")
                await press(pupil.player, *">1b")
                await sees(pupil.player, "Not “after” but “before” (<). What comes before")
                await press(pupil.player, *"<1r")
                await sees(
                    pupil.player, "Before every star comes …", "You declared red. What comes"
                )
                await press(pupil.player, "b")
            elif at == says[1]:
                await press(pupil.player, *"<41r")
                await sees(pupil.player, "Before every … comes …", "Not star but barrel (4).")
                await press(pupil.player, *"4r")
            else:
                await pupil.does(step)
        await pupil.comes_to(says[1] + 1)


async def declares_by_every_letter(player: Playing) -> None:
    """In each language, as it is typed, with the letter that stands there."""
    app, pilot = player
    board = app.screen.query_one(Board)
    await press(player, "<")
    for code in languages():
        app.speak(code)
        await pilot.pause()
        for feature, letter in enumerate(LETTERS, FIRST_COLOUR):
            await press(player, *DEFAULT_KEYS.keys(letter))
            assert board.choice.anchor == feature, (code, letter.id)
    app.speak(SOURCE)


@pytest.mark.usefixtures("quick")
async def test_colours_and_suits_have_the_letters_of_every_language() -> None:
    """In a lesson and in a match; and no key is kept for what comes next."""
    steps = LESSONS["wild_wild_pattern"].steps
    async with learning("wild_wild_pattern", (80, 24)) as pupil:
        says = next(at for at, step in enumerate(steps) if step.is_free and "picker" in step.lit)
        for at, step in enumerate(steps[:says]):
            await pupil.comes_to(at)
            await press(pupil.player, *pupil.keys_of(step))
        await pupil.comes_to(says)
        await declares_by_every_letter(pupil.player)
        await press(pupil.player, *"11b")
        await pupil.comes_to(says + 1)
    alone = CreateTable(id=0, game="wild_wild_pattern", seats=1, options={"practice": "on"})
    async with playing(Solo(alone), shows="Ready for your card?") as player:
        await press(player, "space", shows="S H O O T")
        await press(player, "4", shows="Before")
        await declares_by_every_letter(player)
        await press(player, "escape", "escape", "q", shows="Leave this match?")


async def test_a_click_on_a_key_in_the_sentence_is_the_key() -> None:
    steps = LESSONS["clocktowers"].steps
    first = next(at for at, step in enumerate(steps) if step.do is not None)
    async with learning("clocktowers", (80, 24)) as pupil:
        for at in range(first):
            await pupil.comes_to(at)
            await click_on(pupil.player, "to go on.")
        await pupil.comes_to(first)
        await click_on(pupil.player, "to take the floor")
        assert pupil.sentence.startswith("Press 1 to take"), "which of two keys?"
        await press(pupil.player, "n", shows="n does nothing here yet. Press 1 to take the floor")
        assert pupil.screen.query_one("#said").size.height == 1, "it lies on no card"
        await click_on(pupil.player, " 1 to take")
        await sees(pupil.player, "Enter: play it.")
        await click_on(pupil.player, "Enter: play it.")
        await pupil.comes_to(first + 1)
        await click_on(pupil.player, "you draw a clock")
        await pupil.comes_to(first + 2)


async def test_only_keys_that_lead_on_are_offered_and_a_long_sentence_leaves_them_in_sight() -> (
    None
):
    """What the player has to find is not chosen at first; a hint chooses it."""
    steps = LESSONS["architetti_attenti"].steps
    async with learning("architetti_attenti") as pupil:

        def offers_to_confirm() -> bool:
            return any(actions.CONFIRM in keys for keys, _words in pupil.screen.taken())

        for at, step in enumerate(steps):
            await pupil.comes_to(at)
            await sees(pupil.player, pupil.screen._course.order(DEFAULT_KEYS))
            assert offers_to_confirm() == (step.do is None), step.say
            if step.is_free:
                keys = seen(pupil.player[0]).splitlines()[-1]
                pupil.screen.say("word " * 30)
                await sees(pupil.player, "word word")
                assert pupil.screen.query_one("#said").size.height > 1
                assert seen(pupil.player[0]).splitlines()[-1] == keys
                await press(pupil.player, "H")
                assert offers_to_confirm(), step.say
            await pupil.does(step)


async def test_the_step_before_can_be_read_once_more(address: Address) -> None:
    """From there Enter leads to the next; any other key is the present step's again."""
    async with playing(lesson_of("clocktowers"), at=address, size=SMALL, shows=" 1/") as player:
        await press(player, "escape", shows=" 1/")
        await press(player, "enter", "enter", shows=(" 3/", "Press 1 to take"))
        await press(player, "escape", "escape", shows=(" 1/", "Press Enter to go on.", "Go on"))
        await press(player, "enter", shows=(" 2/", "Press Enter to go on.", "Esc Step before"))
        await press(player, "enter", shows=(" 3/", "Press 1 to take"))
        await press(player, "escape", "escape", shows=" 1/")
        await press(player, "x", shows=(" 3/", "x does nothing here yet. Press 1 to take"))
        await press(player, "escape", "1", shows=" 3/")
        await press(player, "escape", "escape", shows=" 2/")


async def test_what_means_nothing_is_told(address: Address) -> None:
    """While there is something to read; and while there is something to do, nothing is taken
    back, and a hint is the step again and why."""
    async with playing(lesson_of("clocktowers"), at=address, size=SMALL, shows=" 1/") as player:
        assert "H Hint" not in seen(player[0]), "there is nothing to hint at"
        await press(player, "x", shows="Press Enter to go on.")
        await press(player, "enter", "enter")
        await sees(player, " 3/", "Press 1 to take", "1 Take card", "H Hint")
        await press(player, "3", shows="A clock needs a tower of floors without a clock. Press 1")
        assert "Press Enter to go on." not in seen(player[0])
        await press(player, "H", shows=("Press 1 to take", "with a cat scores more than"))
        await press(player, "2", shows="2 does nothing here yet. Press 1 to take")
        await press(player, "u", shows="You need no take-back in a lesson")
        await click_on(player, " 3/")
        assert " 3/" in seen(player[0]), "a click reads on only where there is something to read"
