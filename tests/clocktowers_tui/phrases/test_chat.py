"""Lines of the chat in the reader's language."""

from clocktowers_tui.phrases.chat import PHRASES, line_of, styled_line
from clocktowers_tui.text import i18n
from protocol.chat import Phrase
from protocol.from_server import Said
from protocol.text import cells


def test_every_phrase_has_words_and_a_key_s_worth_of_room() -> None:
    assert list(PHRASES) == list(Phrase)
    for code in ("en", "it"):
        i18n.speak(code)
        for words in PHRASES.values():
            assert cells(i18n._(words)) <= 21, "the list of them would be cut"


def test_each_reads_a_phrase_in_their_own_language() -> None:
    said = Said(n=1, name="Ben", seat=1, phrase="good_luck")
    assert line_of(said, "Ann") == "Ben: Good luck!"
    i18n.speak("it")
    assert line_of(said, "Ann") == "Ben: Buona fortuna!"
    assert line_of(said, "Ben") == "Tu: Buona fortuna!"


def test_who_watches_is_marked_and_one_is_you() -> None:
    said = Said(n=1, name="Wim", text="hello")
    assert line_of(said, "Ann") == "Wim (watching): hello"
    assert line_of(said, "Wim") == "You (watching): hello"
    assert line_of(Said(n=1, name="Ann", seat=0, text="hi"), "Ann") == "You: hi"


def test_a_newer_server_s_phrase_is_shown_as_its_code() -> None:
    assert line_of(Said(n=1, name="Ben", seat=1, phrase="well_met"), "Ann") == "Ben: well_met"


def test_text_is_never_markup() -> None:
    text = "[@click=app.quit]x[/] {name} %s"
    shown = styled_line(Said(n=1, name="[b]", seat=1, text=text), "Ann")
    assert shown.plain == f"[b]: {text}"
