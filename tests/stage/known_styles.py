"""Every app reads the same style sheets and finds the same rules for the same widgets: a run of
tests does both once."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from unittest.mock import patch

from textual.app import App
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode

_READ: Final[dict[tuple[Any, ...], list[RuleSet]]] = {}
_FOUND: Final[dict[tuple[Any, ...], tuple[list[bool], list[Any]]]] = {}
_NOTED: Final = ("_has_hover_style", "_has_focus_within", "_has_order_style", "_has_odd_or_even")
"""What a widget knows of its rules; by the last three they depend on its neighbours."""


@contextmanager
def known_styles() -> Iterator[None]:
    """What apps do meanwhile is known to those that come later."""
    with (
        patch.object(Stylesheet, "_parse_rules", _read(Stylesheet._parse_rules)),
        patch.object(Stylesheet, "apply", _apply(Stylesheet.apply)),
        # The same in C: each widget looks at every rule.
        patch.object(RuleSet, "__hash__", object.__hash__),
    ):
        yield


def _read(plain: Any) -> Any:
    def read(sheet: Stylesheet, *what: Any, **how: Any) -> list[RuleSet]:
        key = (frozenset(sheet._variables.items()), what, *sorted(how.items()))
        if key not in _READ:
            _READ[key] = plain(sheet, *what, **how)
        return _READ[key]

    return read


def _apply(plain: Any) -> Any:
    def apply(sheet: Stylesheet, node: DOMNode, **how: Any) -> None:
        key = _key(sheet, node)
        if key not in _FOUND:
            found: list[Any] = []
            with patch.object(sheet, "replace_rules", _noting(sheet.replace_rules, node, found)):
                plain(sheet, node, **how)
            noted = [getattr(node, name) for name in _NOTED]
            if not any(noted[1:]):
                _FOUND[key] = (noted, found)
            return
        noted, found = _FOUND[key]
        for name, value in zip(_NOTED, noted, strict=True):
            setattr(node, name, value)
        for rules in found:
            sheet.replace_rules(node, rules, animate=how.get("animate", False))
        sheet._process_component_classes(node)

    return apply


def _noting(replace: Any, wanted: DOMNode, found: list[Any]) -> Any:
    def noting(node: DOMNode, rules: Any, animate: bool = False) -> None:
        if node is wanted:
            found.append(rules)
        replace(node, rules, animate)

    return noting


def _key(sheet: Stylesheet, node: DOMNode) -> tuple[Any, ...]:
    """Everything that rules can depend on but neighbours."""
    path = node.css_path_nodes
    app = path[0]
    look = None
    if isinstance(app, App):
        look = (app.current_theme.dark, app.native_ansi_color, app.no_color, app.is_inline)
    return (_sources(sheet), look, *map(_of_node, path))


def _of_node(node: DOMNode) -> tuple[Any, ...]:
    focus = getattr(node, "can_focus", None)
    return type(node), node._id, node.classes, node._pseudo_classes_cache_key, focus


def _sources(sheet: Stylesheet) -> int:
    """The same for sheets that say the same."""
    rules = sheet.rules
    known: tuple[Any, int] = getattr(sheet, "_known_as", (None, 0))
    if known[0] is not rules:
        said = (frozenset(sheet._variables.items()), tuple(sheet.source.items()))
        known = (rules, hash(said))
        sheet._known_as = known  # type: ignore[attr-defined]
    return known[1]
