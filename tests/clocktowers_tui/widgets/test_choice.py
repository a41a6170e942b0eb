"""One of several values, changed with the arrows."""

from textual.app import App, ComposeResult

from clocktowers_tui.widgets.choice import Choice

VALUES = [(1, "one"), (2, "two"), (3, "three")]


class Holder(App[None]):
    def __init__(self, choice: Choice) -> None:
        super().__init__()
        self.choice = choice

    def compose(self) -> ComposeResult:
        yield self.choice


async def test_it_goes_round() -> None:
    choice = Choice("N", VALUES, 2, id="n")
    async with Holder(choice).run_test() as pilot:
        choice.focus()
        for key, value in [("l", 3), ("right", 1), ("h", 3), ("space", 1), ("left", 3)]:
            await pilot.press(key)
            assert choice.value == value


async def test_none_of_them_is_left_to_the_first_or_the_last() -> None:
    choice = Choice("N", VALUES, 9, id="n", other="own")
    async with Holder(choice).run_test() as pilot:
        choice.focus()
        assert choice.value is None and "own" in str(choice.render())
        await pilot.press("right")
        assert choice.value == 1
        choice.set_value(9)
        await pilot.press("left")
        assert choice.value == 3


async def test_other_values_keep_the_choice_if_they_have_it() -> None:
    choice = Choice("N", VALUES, 3, id="n")
    async with Holder(choice).run_test():
        choice.set_values(VALUES[1:])
        assert choice.value == 3
        choice.set_values(VALUES[:2])
        assert choice.value == 1


async def test_where_there_is_nothing_to_choose_it_is_only_read() -> None:
    choice = Choice("Seat 1", [(0, "you")], id="n")
    async with Holder(choice).run_test() as pilot:
        assert not choice.focusable
        await pilot.click(choice)
        assert choice.value == 0
        assert "<" not in str(choice.render())


async def test_a_long_value_keeps_its_brackets() -> None:
    """It takes room from the label; what is longer still is cut."""
    for words, shown in [("x" * 50, "x" * 50), ("x" * 90, "…")]:
        choice = Choice("Seat 1", [(0, words), (1, "-")], id="n")
        async with Holder(choice).run_test(size=(80, 3)):
            row = str(choice.render())
            assert shown in row and row.endswith(" >") and len(row) <= choice.size.width
