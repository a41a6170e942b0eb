"""Small questions and answers on top of a screen; an invitation and a finished match for others."""

import os
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input, OptionList, Static

from clocktowers_tui.games.registry import title_of
from clocktowers_tui.games.spans import hanging
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.keys.keymap import Keymap, key_in_words, ways_to_move
from clocktowers_tui.phrases import NotDone
from clocktowers_tui.phrases.friends import inviting, ssh_command, ssh_key_in_words
from clocktowers_tui.screens.bound_actions import Entry, KeyLine, Keys, entries, entry
from clocktowers_tui.screens.screen import OurScreen, Returned
from clocktowers_tui.terminal.detect import copies
from clocktowers_tui.text.i18n import N_, _
from clocktowers_tui.widgets.field import Field
from clocktowers_tui.widgets.menu import Column, Menu, Row
from clocktowers_tui.widgets.panel import Flowing, Panel, Reader
from protocol.invitation import Ways, rows_of
from protocol.text import cells, clean

USUAL_WIDTH: Final = 72
DIALOG_FRAME: Final = 4
"""Of its width, as in `places.tcss`."""


class Dialog(OurScreen[Returned]):
    """A panel on top of a screen, which stays in sight around it and goes on being painted."""

    @property
    def is_modal(self) -> bool:
        return True


class TooSmall(Dialog[None], inherit_bindings=False):
    """Covers everything until the terminal is large enough again."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__()
        self._needed = (width, height)

    def compose(self) -> ComposeResult:
        yield Static(id="too-small", markup=False)

    def begin(self) -> None:
        sentence = _("Make this window larger: it needs {needs} cells and has {has}.")
        width, height = self._needed
        has = self.app.size
        said = sentence.format(needs=f"{width}x{height}", has=f"{has.width}x{has.height}")
        self.query_one("#too-small", Static).update(Content(said))

    def on_resize(self) -> None:
        self.begin()


class _Answers(Menu):
    """An arrow that chooses elsewhere must not decide here."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.RIGHT, "move('cursor_down')"),
        bound(actions.LEFT, "move('cursor_up')"),
    ]


class Question(Dialog[str]):
    """What is asked, as the title; what to know about it; and the possible answers.

    `safe`: the answer of Esc, the first unless said; it need not be among the others. A question
    that comes `unasked` begins there: an Enter meant for the screen before decides nothing. `at`:
    the id of the answer that another begins at; else, or if there is none, it is the first. `goal`:
    what the help tells of the game in question; without it there are no rules to read either.
    `unbroken`: a line for which the question is as wide as the terminal lets it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.BACK, "safe"),
        bound(actions.RULES, "rules"),
    ]
    menu: ClassVar[type[Menu]] = _Answers

    def __init__(
        self,
        title: str,
        sentences: Sequence[str],
        answers: Sequence[Row],
        safe: Row | None = None,
        *,
        unasked: bool = False,
        at: str = "",
        goal: Sequence[str] = (),
        unbroken: str = "",
    ) -> None:
        super().__init__()
        self._goal = goal
        self._unbroken = unbroken
        self._heading = title
        self._sentences = sentences
        self._answers = answers
        self.safe = safe or answers[0]
        self.unasked = unasked
        begins = next((row for row in answers if at and row.id == at), answers[0])
        self._first = self.safe if unasked else begins

    def compose(self) -> ComposeResult:
        with Panel(self._heading, classes="dialog") as panel:
            if self._unbroken:
                panel.styles.width = max(USUAL_WIDTH, cells(self._unbroken) + DIALOG_FRAME)
                panel.styles.max_width = "100%"
            for sentence in self._sentences:
                yield Static(Content(sentence), markup=False)
            menu = self.menu(self._answers)
            menu.highlighted = self._answers.index(self._first)
            yield menu
        yield KeyLine()

    def keys(self) -> Keys:
        moves = Entry(ways_to_move(self.keymap), _("Move"))
        answer = entry(self.keymap, [actions.CONFIRM], _("Choose"))
        return [moves, answer, entry(self.keymap, [actions.BACK], self.safe.text)]

    def goal(self) -> Sequence[str]:
        return self._goal

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "rules" or bool(self._goal)

    async def action_rules(self) -> None:
        await self.app.run_action("rules")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id or self.safe.id)

    def action_safe(self) -> None:
        self.dismiss(self.safe.id)


class LessonOffer(Question):
    """What the game is about, and where to begin: returns `learn`, `play`, or "" to go back.
    `plays`: what `play` does, in words."""

    menu = Column  # a letter that moves elsewhere opens the lesson
    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.LEARN, "dismiss('learn')"),
        bound(actions.PLAY, "dismiss('play')"),
    ]

    def __init__(self, keymap: Keymap, game: str, about: str, plays: str) -> None:
        learn = Row("learn", _("Learn it in 5 minutes"), key=keymap.name(actions.LEARN))
        play = Row("play", plays, key=keymap.name(actions.PLAY))
        title = _("New to {game}?").format(game=title_of(game))
        super().__init__(title, [about], [learn, play], Row("", _("Back")))


class Quit(Question):
    """`notes`: what becomes of a match that waits."""

    def __init__(self, notes: Sequence[str] = ()) -> None:
        answers = [Row("stay", _("Stay")), Row("quit", _("Quit"))]
        super().__init__(_("Quit the program?"), notes, answers)


class Cover(Question):
    """It covers the hands of several people at one keyboard until an answer is chosen: `show`,
    `undo` or `leave`. `told`: what has happened; `revoker`: who may take that back, "" = nobody."""

    def __init__(self, title: str, told: Sequence[str], revoker: str) -> None:
        rows = [Row("show", _("Show your hand")), Row("leave", _("Leave the match"))]
        if revoker:
            said = _("{name} takes the last move back").format(name=revoker)
            rows.insert(1, Row("undo", said))
        super().__init__(title, told, rows)

    def keys(self) -> Keys:
        return super().keys()[:-1]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "safe" and super().check_action(action, parameters)


class Pages(Dialog[None]):
    """Lines to scroll through; the `newest`, which are the last, are in view first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.BACK, "dismiss"),
        bound(actions.LEAVE, "dismiss", N_("Close")),
        bound(actions.LOG, "dismiss", N_("Close")),
    ]
    reader: ClassVar[type[Reader]] = Reader

    def __init__(self, title: str, lines: Sequence[str], *, newest: bool = True) -> None:
        super().__init__()
        self._heading = title
        self._lines = lines
        self._newest = newest

    def compose(self) -> ComposeResult:
        with Panel(self._heading, classes="dialog tall"), self.reader(id="lines"):
            yield Flowing(self.laid)
        yield KeyLine()

    def laid(self, width: int) -> Iterator[Content | str]:
        yield from chain(*(hanging(line, width) for line in self._lines))

    def keys(self) -> Keys:
        own = [((actions.UP, actions.DOWN), _("Scroll")), ((actions.BACK,), _("Close"))]
        return entries(self.keymap, own)

    def arrive(self) -> None:
        lines = self.query_one(Reader)
        lines.focus()
        if self._newest:
            lines.scroll_end(animate=False)


class LineForm(Dialog[str | None]):
    """Asks for a line, called `label`, which `may_be_empty`, or shows something; None after Esc.
    `note`: what to know about it. A `secret` is never shown."""

    BINDINGS: ClassVar[list[BindingType]] = [bound(actions.BACK, "dismiss(None)")]

    def __init__(
        self,
        title: str,
        label: str,
        note: str,
        *,
        value: str = "",
        most: int,
        secret: bool = False,
        may_be_empty: bool = False,
    ) -> None:
        super().__init__()
        self._heading, self._note, self._may_be_empty = title, note, may_be_empty
        self._field = partial(Field, label, value, id="line", password=secret, max_length=most)

    def compose(self) -> ComposeResult:
        with Panel(self._heading, classes="dialog"):
            note = Static(Content(self._note), id="about-line", classes="note", markup=False)
            note.display = bool(self._note)
            yield note
            yield self._field()
        yield KeyLine()

    def keys(self) -> Keys:
        # TRANSLATORS: a key: to the next step or page.
        return typed_keys(self.keymap, _("Go on"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        seen = event.value if event.input.password else clean(event.value)
        if seen or self._may_be_empty:
            self.dismiss(event.value)
            return
        note = self.query_one("#about-line", Static)
        note.update(Content(_("Type at least one visible character.")))
        note.add_class("loud")
        note.display = True


def typed_keys(keymap: Keymap, words: str) -> Keys:
    """What Enter does with a line that is typed, and the key that goes back."""
    enter = Entry(key_in_words("enter"), words, "enter")  # the line's own, which no keymap changes
    return [enter, entry(keymap, [actions.BACK], _("Back"))]


AROUND_ROWS: Final = 16
"""What a code leaves to the words and the frame."""
PAGE_ROWS: Final = 5
"""What the web address takes of that."""
SSH_ROWS: Final = 5
"""What SSH takes of that."""
BREAKS_ROWS: Final = 24
"""Rows that leave room for an invitation on several lines."""
FEW_ROWS: Final = 9
"""What a code leaves to lines that stand alone."""


async def show_invitation(app: App[Any], ways: Ways, table: str, short: Sequence[str]) -> str:
    """Show an invitation until the player closes it. Returns what the player wants to copy: what
    their friend types, or the page that the friend opens; "" = nothing. `ways` as the server says
    them; `table`: its code, where the invitation leads there; `short`: what leads there without an
    invitation. Where there are few rows, an invitation that would be broken is only copied."""
    line, page = clean(ways.invitation), clean(ways.page)
    said, rows, copied, close = [], list[Row](), {}, Row("close", _("Close"))
    typed = _("Your friend types this, or pastes it where the menu asks for a server:")
    if short:
        said += [typed, short[0]]
    if line or short:
        copied["copy"] = inviting(line) if line else short[0]
        rows.append(Row("copy", _("Copy the invitation") if line and short else _("Copy it")))
    unbroken = inviting(line) if line else ""
    breaks = cells(unbroken) + DIALOG_FRAME > app.size.width and app.size.height < BREAKS_ROWS
    if line and short and breaks:
        long = _("Or the invitation, which stands for a password, too.")
        said += [long + " " + _("It is too long for this window: copy it.")]
        unbroken = ""
    elif line:
        said += [_("Or this invitation, one line, which is a password, too:") if short else typed]
        said += [unbroken]
    if page:
        copied["page"] = page
        said += [_("Or opens this in a browser:"), page]
        warns = _("A browser first warns of a home server's certificate: go on.")
        said += [warns] if cells(warns) + DIALOG_FRAME <= app.size.width else []
        rows.append(Row("page", _("Copy the web address")))
    if command := ssh_command(ways, table):
        lines = [line for line in (command, ssh_key_in_words(ways)) if line]
        copied["ssh"] = "\n".join(lines)
        said += [_("With SSH:  {command}").format(command=command), *lines[1:]]
        rows.append(Row("ssh", _("Copy the lines for SSH")))
    code = rows_of(page or line) if line else ()
    around = AROUND_ROWS + PAGE_ROWS * bool(page) + SSH_ROWS * bool(command)
    if code and app.size.height >= len(code) + around:
        said.append("\n".join(code))
    question = Question(_("Invite a friend"), said, [*rows, close], close, unbroken=unbroken)
    return copied.get(await app.push_screen_wait(question), "")


async def show_lines(app: App[Any], title: str, lines: Sequence[str], over: "Future[Any]") -> None:
    """As `Asker.show_lines`, with the last as a QR code, too, where there is room."""
    code = rows_of(lines[-1])
    picture = ["\n".join(code)] if code and app.size.height >= len(code) + FEW_ROWS else []
    stop = [Row("", _("Stop"))]
    question = Question(title, [*lines, *picture], stop, unbroken=lines[-1])
    over.add_done_callback(lambda _over: question.is_current and question.dismiss(""))
    await app.push_screen_wait(question)


# A finished match for others: the player chooses how.


if TYPE_CHECKING:  # a place asks questions
    from asyncio import Future

    from clocktowers_tui.history import ExportForm
    from clocktowers_tui.screens.place import DeedScreen


async def share(
    screen: "DeedScreen[Any]", match: str, lines: Sequence[str] = (), line: str = ""
) -> None:
    """Ask the player how, and do it. `match`: its id in the history. `lines`: those of a deal of
    the day, none for another match. `line`: the invitation to it, "" = there is none.
    Raises NotDone."""
    from clocktowers_tui.deeds.finished import hand_over  # seldom used
    from clocktowers_tui.history import PICTURES, ExportForm

    can_copy = copies(os.environ)
    text = _("Board as text: copy it for a chat") if can_copy else _("Board as text: a file")
    answers = [
        Row(ExportForm.PNG, _("Picture: a file (PNG)")),
        Row(ExportForm.SVG, _("Picture that stays sharp: a file (SVG)")),
        Row(ExportForm.TEXT, text),
        *([Row("lines", _("Deal of the day, for a chat"))] if lines else []),
        *([Row("line", _("Line to it at its server, for a friend"))] if line else []),
        Row(ExportForm.JSON, _("Whole match: a file for a friend")),
    ]
    safe = Row("", _("Close"))
    form = await screen.ask(Question(_("Share this match"), [], [*answers, safe], safe))
    match form:
        case "":
            pass
        case "lines":
            await copy_deal(screen, lines)
        case "line":
            screen.say(_("One moment…"))
            handed, unreached = await hand_over(match, line)
            if unreached:
                raise NotDone(unreached)
            screen.say(handed)
            await _show(screen, inviting(line))
            if handed:  # more to know than that it is copied
                screen.say(handed)
        case _:
            screen.say(
                _("The board is being drawn; you can go on meanwhile.")
                if form in PICTURES
                else _("One moment…")
            )
            copied = can_copy and form == ExportForm.TEXT
            # The app's task: it is done even if the player goes on, and another can be asked for.
            making = _made(screen, match, ExportForm(form), copied=copied)
            screen.app.run_worker(making, group="share")


async def _made(screen: "DeedScreen[Any]", match: str, form: "ExportForm", *, copied: bool) -> None:
    from clocktowers_tui.deeds.finished import exported, in_form  # seldom used

    try:
        if copied:
            screen.app.copy_to_clipboard((await in_form(match, form)).decode())
        said = _("Copied: paste it anywhere.") if copied else await exported(match, form)
    except NotDone as error:
        said = str(error)
    screen.written(said)


async def _show(screen: "DeedScreen[Any]", line: str) -> None:
    """Not every terminal takes a copy: the player sees the line, too."""
    said = [_("Your friend types this, or pastes it where the menu asks for a server:"), line]
    row, close = Row("copy", _("Copy it")), Row("", _("Close"))
    question = Question(_("Share this match"), said, [row, close], close, unbroken=line)
    if not copies(os.environ):
        await _by_hand(screen, said)
    elif await screen.ask(question):
        await copy(screen, line)


async def copy(screen: "DeedScreen[Any]", text: str) -> None:
    """To the clipboard of the terminal, if that is known to take it; else the player sees it."""
    if copies(os.environ):
        screen.app.copy_to_clipboard(text)
        screen.say(_("Copied: paste it anywhere."))
    else:
        await _by_hand(screen, text.splitlines())


async def copy_deal(screen: "DeedScreen[Any]", lines: Sequence[str]) -> None:
    """One line for a chat; that is too long for a dialog, so by hand the player copies several."""
    from clocktowers_tui.phrases.numbers import in_one_line, signs_in_words

    if copies(os.environ):
        await copy(screen, in_one_line(lines))
    else:
        await _by_hand(screen, [*lines, signs_in_words()])


async def _by_hand(screen: "DeedScreen[Any]", lines: Sequence[str]) -> None:
    how = _("Select it with the mouse, in most terminals with Shift held, and copy it.")
    room = screen.app.size.width - DIALOG_FRAME
    # An invitation works alone, too; broken over two lines it does not.
    lines = [one if cells(one) <= room else one.removeprefix(inviting("")) for one in lines]
    close, unbroken = Row("", _("Close")), max(lines, key=cells)
    await screen.ask(Question(_("Copy it"), [*lines, "", how], [close], close, unbroken=unbroken))
