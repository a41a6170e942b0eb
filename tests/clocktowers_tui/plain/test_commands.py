"""Each action has its command in plain mode, or a reason why it has none; what cannot be
taken back is asked about first; `yes`, `no`, `quit` and `help` are understood at every place."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from clocktowers_tui.deeds.finished import MATCHES, REVIEWED, WHAT_IF
from clocktowers_tui.deeds.home import HOME
from clocktowers_tui.deeds.match import LESSON, MATCH
from clocktowers_tui.deeds.places import ALL_ACTIONS
from clocktowers_tui.deeds.table import LOBBY, TABLE
from clocktowers_tui.games.registry import SPOKEN
from clocktowers_tui.keys.actions import Deed
from clocktowers_tui.net.seats import Progress, Seat, Seats
from clocktowers_tui.net.trust import Trust
from clocktowers_tui.plain import words
from clocktowers_tui.plain.lobby import TablePlace
from clocktowers_tui.plain.place import Everywhere, PlainPlace
from clocktowers_tui.plain.words import begun, behind, find, words_of
from clocktowers_tui.screens.place import DeedScreen
from clocktowers_tui.screens.replay import ReplayScreen
from clocktowers_tui.screens.result import Result
from clocktowers_tui.screens.table import TableScreen
from clocktowers_tui.text import i18n
from protocol.from_client import Join, Say
from protocol.from_server import LeftTable
from tests.stage.house import READY, House, Peer, eventually, house
from tests.stage.pseudo_terminal import ESC, PseudoTerminal, environment
from tests.stage.typist import Typist, settings, typing, visit


def places() -> dict[str, Sequence[Deed]]:
    """The deeds of each place; in a match with those of each game."""
    typist = Typist(settings())
    typist.end()
    everywhere = Everywhere(typist.client)
    here: dict[str, Sequence[Deed]] = {"home": HOME, "lobby": LOBBY, "table": TABLE}
    here |= {"matches": MATCHES, "replay": REVIEWED}
    for game, spoken in SPOKEN.items():
        here |= {game: (*spoken.deeds, *MATCH), f"lesson of {game}": (*spoken.deeds, *LESSON)}
        here[f"what if in {game}"] = (*spoken.deeds, *WHAT_IF)
    found = {}
    for name, deeds in here.items():
        place = PlainPlace(typist.client)
        place.all_deeds = deeds
        found[name] = everywhere.with_those_of(place)
    return found


async def test_each_action_has_a_word_or_a_reason() -> None:
    done = {action for deeds in places().values() for deed in deeds for action in deed.keys}
    assert {one.id for one in ALL_ACTIONS if not one.moves and one not in done} == {
        *("theme", "theme.before", "architetti_attenti.layout", "board.layout"),  # no look
        *("rules.next", "rules.previous"),  # a text is said whole; the terminal scrolls
        *("result.copy", "replay.speed"),  # it is said with the result; each ply is asked for
    }


@pytest.mark.parametrize("code", i18n.languages())
async def test_a_word_means_one_thing_at_each_place(code: str) -> None:
    """In English and in the player's language; on a Russian keyboard all that is typed counts."""
    i18n.speak(code)
    for name, deeds in places().items():
        known = [word for one in deeds for word in (*words_of(one), one.short) if word]
        here = [word for word in known if name in ("home", "lobby") or word != "rules"]
        assert len(set(here)) == len(here), (name, sorted(here))
        assert code == "en" or sum(len(words_of(one)) > 1 for one in deeds) > len(deeds) / 2
    assert code != "it" or "risultato" in begun(places()["clocktowers"], "ri")
    assert find(places()["wild_wild_pattern"], "play") is None, "it is not play on"
    play = find(places()["clocktowers"], "здфн")
    assert play is not None and play.word == "play"
    assert behind(play, ["здфн", "1", "туц"]) == ["1", "new"]
    assert code != "it" or behind(play, ["gioca", "1", "nuova"]) == ["1", "new"]
    assert len({*map(words._folded, words._behind().values())}) == len(words._behind())
    for typed in ("new --title torri --password mazzi", "rules torri", "join fine mano"):
        word, *rest = typed.split()
        deed = find(places()["lobby"], word)
        assert deed is not None and behind(deed, [word, *rest]) == rest  # the player's own words


NUDGE = """
from clocktowers_tui.deeds import table
from clocktowers_tui.keys.actions import Action, Context, Deed
async def nudge(client, ask):
    ask.say(f"{client.state.table.info.table} is nudged.")
told, key = "tell the others that you wait", ("x",)
action = Action("table.ring", key, "Nudge them all", Context.TABLE)
table.TABLE = (Deed("nudge", told, (action,), nudge, shown=True), *table.TABLE)
from clocktowers_tui.__main__ import main
main()
"""


async def test_a_deed_of_the_table_is_in_both_faces(home: Path) -> None:
    """One more row and what it does are enough; a keymap reaches its key. In the smallest window
    Leave stays in the line of keys."""
    keymap = home / ".config" / "clocktowers" / "keymap.toml"
    keymap.parent.mkdir(parents=True)
    keymap.write_text('"table.ring" = ["y"]')
    async with house() as at:
        code = await (await at.peer("Ben")).create()
        there = f"127.0.0.1:{at.address[1]}/{code}"
        given = ["-c", NUDGE, "join", there, "--unencrypted", "--name", "Ann"]
        async with PseudoTerminal.run(given, environment(str(home)), 60, 20) as screen:
            await screen.sees("y Nudge them all", "q Esc Leave")
            for key, shown in (("y", f"{code} is nudged."), ("?", "Help"), ("G", "Nudge them all")):
                await screen.cost(key)
                await screen.sees(shown)
            await screen.cost(ESC)
            await screen.cost(":")
            await screen.sees("What you can do here", "Nudge them all")
        async with PseudoTerminal.run([*given, "--plain"], environment(str(home))) as lines:
            await lines.sees("Ann, you, not ready")
            lines.press("help\rnudge\r")
            await lines.sees("nudge: tell the others that you wait.", f"{code} is nudged.")


async def test_each_face_has_its_own_way_where_the_deed_has_none() -> None:
    """And only there: what a deed does, and that it does it twice, is read in the list."""
    ways: list[tuple[type[Any], Deed]] = [
        (kind, deed) for kind in kinds(PlainPlace) for deed in kind.all_deeds if deed.told
    ]
    for screen in kinds(DeedScreen):
        does = {binding.action for _key, binding in screen._merge_bindings()}
        ways += [(screen, one) for one in screen.deeds if any(f"'{one.word}'" in it for it in does)]
    assert {TablePlace, TableScreen, ReplayScreen} <= {kind for kind, _deed in ways}
    for kind, deed in ways:
        own = hasattr(kind, deed.method) or (kind is Result and deed.does is None)
        assert own == (deed.does is None), (kind.__name__, deed.word)


def kinds(of: type[Any]) -> Iterator[type[Any]]:
    for kind in of.__subclasses__():
        yield kind
        yield from kinds(kind)


NEW = "new clocktowers --seats 2 --bots 1 --option first_seat=0"
"""The player begins: nothing is told of a bot before they have acted."""


async def beside_ben(at: House, typist: Typist, flags: str = "") -> Peer:
    """The player has made a table, and Ben has come to it."""
    await typist.types(f"new clocktowers {flags}", "Table ")
    assert typist.client.state.table is not None
    ben = await at.peer("Ben")
    await ben.done(Join(id=0, table=typist.client.state.table.info.table))
    await typist.hears("Ben, not ready")
    return ben


async def test_a_match_that_is_given_up_is_asked_about() -> None:
    async with house() as at, typing(visit(at)) as typist:
        typist.type(NEW, "start")
        await typist.types("leave end", "nobody wins. It is not kept")
        await typist.types("look", "On the piles: ")
        await typist.types("yes", "Nothing was asked.")  # something else was typed meanwhile
        await typist.types("leave end", "Type yes or no.")
        await typist.types("y", "tables lists the tables")


async def test_somebody_is_sent_away_only_after_a_yes() -> None:
    async with house() as at, typing(visit(at)) as typist:
        ben = await beside_ben(at, typist)
        state, older = typist.client.state, "The server is older than this program"
        assert state.table is not None
        typist.client.change(replace(state, table=replace(state.table, hushed=None)))
        for unknown_there in ("hush", "unsay Ben", "change --clock no"):
            await typist.types(unknown_there, older)
        await typist.types("kick", "Type whom")
        await typist.types("kick Bea", "Nobody called Bea is at this table.")
        await typist.types("mute Bea", "Choose one of Ben.")
        await typist.types("mute ben", "You no longer hear Ben.")
        await typist.types("kick ben", "Send Ben away from the table?")
        await typist.types("no", "You said no.")
        typist.type("kick Ben", "yes")
        await ben.until(LeftTable)
        await typist.types("leave", "Type leave menu to keep your seat, or leave end")
        await typist.types("leave end", "tables lists the tables")  # nobody is left to be the host


async def test_what_you_say_is_answered_once_and_look_begins_with_whose_turn_it_is() -> None:
    async with house() as at, typing(visit(at)) as typist:
        ben = await beside_ben(at, typist)
        await typist.types("say hello", "You: hello")
        await ben.request(Say(id=0, text="hi"))
        await typist.hears("Ben: hi")
        assert typist.lines.count("You: hello") == 1
    async with house() as at, typing(visit(at)) as typist:
        typist.type(NEW, "start")
        await typist.hears("look tells what is where")
        mark = len(typist.lines)
        await typist.types("look", "A roof needs a tower of 1 or 2 floors now")
        looked = next(line for line in typist.lines[mark:] if "Clocktowers. " in line)
        assert looked.startswith("Your turn: ")
        await typist.types("discard 1", "Your turn: draw a card.")
        await typist.types("floors", "Your turn: ")
        await typist.types("floors 2", "Type floors alone: nothing can stand behind it.")
        await typist.types("floors ", "You cannot draw yet: ")
        mark = len(typist.lines)
        await typist.types("again", "Your turn: ")
        assert any(line.startswith("Wren ") for line in typist.lines[mark:])


async def test_the_menu_and_waiting_say_what_waits_and_host_asks_for_a_game(home: Path) -> None:
    away, held = Seat(host="h", port=9, name="Ann", table="AAAA", game="clocktowers"), Seats()
    await held.keep(away)
    await held.keep(replace(away, table="BBBB", match="m", progress=Progress(("ben",), 0, 4)))
    await held.let_go()
    waits = "Clocktowers against ben, turn 4, table BBBB at h:9, as Ann"
    async with typing() as typist:
        await typist.types("host", "Choose a game: 1 Clocktowers, ")
        await typist.types("waiting", f"1: No answer: {waits}\n2: Clocktowers, not begun, table ")
        own = replace(away, host="127.0.0.1", table="CCCC", trust=Trust(b"k" * 32).on_disk())
        await held.keep(own)
        await held.let_go()
        await typist.types("host 2", "continue 1 goes on with it, host 2 new opens another table.")
    assert f"1 waits: {waits}.\n2 waits: Clocktowers, not begun, table AAAA at" in typist.heard


async def test_no_prompt_stands_between_the_moves_of_others() -> None:
    """Nor an empty line."""
    async with house() as at, typing(visit(at), prompts=True) as typist:
        ben = await beside_ben(at, typist, "--option first_seat=0")
        await ben.done(READY)
        await typist.types("start", "without the free seats.")
        await typist.types("discard 1", "Your turn: draw a card.")
        await typist.types("floors", "You drew ")
        mark = len(typist.heard)
        await eventually(lambda: typist.client.saying.awaited)
        await ben.play(Random(1), ply=4)
        await typist.hears("> ", mark)
        said = typist.heard[mark:]
    assert said.count("> ") == 1 and said.endswith("> ")
    assert said.startswith("Ben ") and "\n\n" not in said


async def test_help_lists_what_can_be_done_now() -> None:
    """What leads nowhere is told when it is asked for."""
    async with house() as at, typing(visit(at)) as typist:
        typist.type(NEW, "start")
        await typist.hears("look tells what is where")
        await typist.types("help", "Everywhere: rules, name, ")
        listed = {line.partition(" ")[0].rstrip(":") for line in typist.lines}
        assert {"play", "look", "leave", "say", "undo"} <= listed
        assert not {"rematch", "review", "play on", "yes"} & listed
        assert not {"rules", "settings", "quit"} & listed
        await typist.types("help rematch", "rematch: play again.")
        await typist.types("help rematsh", "command rematsh here. Did you mean rematch? Type yes")
        await typist.types("yes", "rematch: play again.")
        await typist.types("hand 2", "Did you mean look hand?")
        await typist.types("yes", "Card 2: ")
        await typist.types("help look", "The parts: points, hand, piles, towers, own, Ann, ")
        await typist.types("look own", "You have no tower.")
        await typist.types("look wren", "Wren has no tower.")
        await typist.types("look hand 2", "Card 2: ")
        await typist.types("draw roofs", "You cannot draw yet: ")
        for typed in ("draw 1", "draw quit", "draw"):
            await typist.types(typed, "Type it so: floors or clocks or roofs")
        await typist.types("help all", "quit: leave the program")
        await typist.types("rules", "6: Points.")
        await typist.types("rules 6", "Cats only: points 4.")
        await typist.types("rules clock", "clock")
        await typist.types("rules mouse", "It stands also here: The cards; Setting up; ")
        await typist.types("leave end", "Type yes or no.")
        mark = len(typist.lines)
        await typist.types("help", "Everywhere: ")
        assert [line[:3] for line in typist.lines[mark : mark + 2]] == ["yes", "no:"]


@pytest.mark.parametrize("place", ["the menu", "the lobby", "a table", "a match", "its matches"])
async def test_quit_ends_the_program_anywhere(place: str) -> None:
    typed = {
        "the menu": ["leave"],
        "the lobby": [],
        "a table": ["new clocktowers"],
        "a match": [NEW, "start"],
        "its matches": ["leave", "matches"],
    }
    async with house() as at, typing(visit(at)) as typist:
        typist.type(*typed[place], "quit", "settings")
        await typist.ends()
        assert "pace: " not in typist.heard
        for said, where in ((" waits for you: ", "a match"), ("waits a while for you", "a table")):
            assert (said in typist.heard) is (place == where)


async def test_a_command_is_no_name_and_tables_give_a_listener_more_time() -> None:
    async with house() as at, typing(name="") as typist:
        typist.client.own_pace = True
        ben = await at.peer("Ben")
        ben.game = "wild_wild_pattern"
        there = f"{at.address[0]}:{at.address[1]}/{await ben.create()}"
        await typist.types(f"join {there}", "Who plays? Type a name")
        await typist.types("help", "Who plays? Type a name")
        await typist.types("start", "The host starts the match.")
        await typist.types("help", "ready (r): ")
        typist.client.own_pace = False
        assert "Ask the host for this rule: To take or lay a card no time limit." in typist.heard
        await typist.types("leave end", "tables lists the tables")
        await typist.types("new wild_wild_pattern", "To take or lay a card: no time limit.")
        typist.type("leave end", "new arch --bots 1 --option first_seat=0", "start", "buy 1")
        await typist.hears("To build: ")
        await typist.types("look tile", "To build: ")
