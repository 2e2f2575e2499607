"""The parts of the page: the board, the lists beside it, fields and folds, and scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from html import escape
from importlib.resources import files
from typing import Any

from nicegui import ui

from kt_cp.draw.look import css_variables
from kt_cp.draw.page import asset, bundle, script_json
from kt_cp.draw.picture import as_sentence
from kt_cp.draw.puzzles import PUZZLE_STYLES
from kt_cp.play.work import Scene
from kt_cp.puzzles.words import ENGLISH

HOW_TO_DRAW = (
    "Tap a square to begin; dots show where the path can go on.",
    "A tap on the last square takes it back, a tap on an earlier one goes back to it.",
    "Drag from a square to another to draw the move between them.",
    "Type a number on a square to ask for it there; Delete takes it away.",
    "Arrows go from square to square, Enter is a tap, Ctrl+Z undoes.",
)
"""Instructions for drawing a path."""

# An arrow down, as the path of a picture: the icons of NiceGUI are a font of 125 KB.
_ARROW = "M7 10l5 5 5-5z"

_MOST_COLUMNS_ON_PHONE = 11  # with more, the numbers are too small to be read on a phone


class Markup(ui.html):
    """An element whose content is HTML of this package: pictures, and lists of escaped lines."""

    def __init__(self) -> None:
        """Make an element without content."""
        super().__init__("", sanitize=False)

    def show_list(self, lines: Iterable[str]) -> None:
        """Show lines of text."""
        self.set_content(_html_list(lines))

    def show_legend(self, scene: Scene) -> None:
        """Show the legend of a picture, each line with its mark."""
        items = (
            f"<li><i aria-hidden=true>{mark}</i>{escape(text)}</li>" for mark, text in scene.legend
        )
        self.set_content(f"<ul>{''.join(items)}</ul>" if scene.legend else "")

    def show_facts(self, scene: Scene) -> None:
        """Show the details of an answer, and the path."""
        content = ""
        if scene.details:
            content = f"<h2>In detail</h2>{_html_list(map(as_sentence, scene.details))}"
        if scene.path_names:
            names = _html_list(scene.path_names, 'ol class="route"')
            content += f"<h2>Path, {len(scene.path_names)} of {scene.size}</h2>{names}"
        self.set_content(content)


def _html_list(lines: Iterable[str], kind: str = "ul") -> str:
    """Return lines of text as an HTML list; ``kind`` is its tag, with attributes."""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<{kind}>{items}</{kind.split()[0]}>"


class Stage:
    """The board: a picture, with a button over each square; scripts draw puzzles in its place."""

    def __init__(self, on_tap: Callable[[int], Any]) -> None:
        """Build the elements; ``on_tap`` is called with a square that was tapped."""
        self._on_tap = on_tap
        self._squares: list[ui.element] = []
        with ui.element("div").classes("board") as self._board:
            self._picture = Markup().props("aria-hidden=true").classes("picture-of-board")
            self._grid = ui.element("div").classes("squares")
            self._grid.props('role=group aria-label="Board"')
            self._puzzle_board = ui.element("div").classes("puzzle-board")
        self._legend = Markup().classes("legend")

    def listen(self, name: str, action: Callable[..., Any], *keys: str) -> None:
        """Call a function when a script sends an event, with the values of its detail."""
        self._grid.on(
            name, lambda event: action(*(event.args["detail"][key] for key in keys)), ["detail"]
        )

    def show(self, scene: Scene, move_start: int | None) -> None:
        """Show the board of a scene.

        ``move_start`` is the first square of a move to require or forbid.
        """
        rows, columns, *_ = scene.shape
        self._picture.set_content(scene.svg)
        self._legend.show_legend(scene)
        is_crowded = columns > _MOST_COLUMNS_ON_PHONE
        self._board.classes(replace="board crowded" if is_crowded else "board")
        for element in (self._board, self._legend):
            element.style(f"--ratio:{scene.ratio:.4f}")
        left, top, width, height = (f"{100 * share:.3f}%" for share in scene.box)
        place = f"left:{left};top:{top};width:{width};height:{height}"
        self._puzzle_board.style(place)
        self._grid.style(f"{place};grid-template:repeat({rows},1fr)/repeat({columns},1fr)")
        self._grid.props(f"data-columns={columns} data-count={scene.size}")
        if len(self._squares) != len(scene.labels):
            self._grid.clear()
            with self._grid:
                self._squares = [ui.element("button") for _ in scene.labels]
            for square, button in enumerate(self._squares):
                button.props(f"type=button data-square={square} tabindex={-1 if square else 0}")
                button.on("click", lambda square=square: self._on_tap(square))
        marks = dict.fromkeys(scene.unreachable, "unreachable")
        for marked, mark in ((scene.hinted, "hinted"), (move_start, "move-start")):
            if marked is not None:
                marks[marked] = mark
        for square, (button, label) in enumerate(zip(self._squares, scene.labels, strict=True)):
            if button.props.get("aria-label") != label:  # others need not be sent again
                button.props["aria-label"] = label
                button.update()
            button.classes(replace=marks.get(square, ""))


def select(label: str, options: Any, value: Any) -> ui.select:
    """Add a field with options, a list or {value: label}."""
    field = ui.select(options, label=label, value=value)
    field.props(f'dense options-dense outlined dropdown-icon="{_ARROW}"')
    return field.classes("choice")


@contextmanager
def fold(title: str) -> Iterator[ui.element]:
    """Add controls that are seen when their title is pressed."""
    with ui.element("details").classes("more") as details:
        with ui.element("summary"):
            ui.label(title)
        with ui.element("div").classes("controls"):
            yield details


def add_scripts() -> None:
    """Add the colors, styles and scripts, and the words of the puzzle player."""
    own = files("kt_cp.play").joinpath("play.css").read_text("utf-8")
    ui.colors(primary="var(--given)")  # of the palette, in both themes
    ui.add_css("\n".join([css_variables(), *map(asset, PUZZLE_STYLES), own]))
    words = f"window.playerWords = {script_json(dict(ENGLISH.texts))};"
    ui.add_body_html(f'<script type="module">{words}\n{bundle("play.js")}</script>')
