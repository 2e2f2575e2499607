"""The elements of the page, before they do anything: `kt_cp.play.page` connects them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files

from nicegui import ui

from kt_cp.draw.look import css_variables
from kt_cp.draw.puzzles import PLAYER_SCRIPTS, PLAYER_STYLES
from kt_cp.notation.graphs import GraphFormat
from kt_cp.play.controls import BOARDS, GOALS, GRAPHS, RACERS, TOOLS, Button, Controls, Field
from kt_cp.play.position import MAX_TEXT
from kt_cp.play.scene import Scene
from kt_cp.play.view import (
    ABOUT_PUZZLES,
    ABOUT_RACES,
    Stage,
    StatusCard,
    details_html,
    legend_html,
    path_html,
)
from kt_cp.puzzles.puzzle import Level
from kt_cp.puzzles.words import ENGLISH

_PAGES = "draw/pages"
_SCRIPTS = [
    *(f"{_PAGES}/{name}" for name in PLAYER_SCRIPTS),
    "play/assets/graph-view.js",
    "play/assets/play.js",
]
_STYLES = [*(f"{_PAGES}/{name}" for name in PLAYER_STYLES), "play/assets/play.css"]
_SUFFIXES = ",".join([".txt", ".json", ".map", *(f".{form}" for form in GraphFormat)])

MAX_FILE = 100_000
"""The largest size of a file that the page opens, in bytes."""


class PageElements:
    """A board at the left, a card with the status above it, and tabs of controls at the right."""

    def __init__(self) -> None:
        """Build the page."""
        self.controls = Controls()
        _add_scripts()
        with ui.element("main").classes("page"):
            with ui.element("div").classes("board-side"):
                self.card = StatusCard()
                with self.card.history:
                    self.controls.add_button(Button.UNDO)
                    self.controls.add_button(Button.REDO)
                self.stage = Stage()
            with ui.element("div").classes("control-side"):
                ui.html("<h1>Knight's tours</h1>", sanitize=False)
                self._add_tabs()
            self._theater = ui.element("div").classes("theater")

    # -- building

    def _add_tabs(self) -> None:
        """Add the tabs with their controls."""
        builders = {
            "Edit": self._add_edit_controls,
            "Solve": self._add_solve_controls,
            "Puzzle": self._add_puzzle_controls,
            "Race": self._add_race_controls,
            "Check": self._add_check_controls,
        }
        with ui.tabs().props("dense no-caps align=left") as self.tabs:
            for name in builders:
                ui.tab(name)
        with ui.tab_panels(self.tabs, value="Edit", animated=False, keep_alive=True):
            for name, build in builders.items():
                with ui.tab_panel(name), ui.element("div").classes("controls"):
                    build()

    def _add_edit_controls(self) -> None:
        """Add the controls that change the board or the graph, and the list of the path."""
        controls = self.controls
        controls.add_shape()
        with ui.element("div").classes("controls") as self._board_tools:
            controls.add_select(Field.TOOL, TOOLS, "visit")
            controls.add_button(Button.HINT, filled=True)
        with ui.element("div").classes("controls") as self._graph_tools:
            controls.add_text(Field.EDGES, "a-b b-c c-a", MAX_TEXT)
            controls.add_button(Button.SHOW_GRAPH, filled=True)
        more = ui.expansion("Other boards, graphs and pieces").classes("more")
        with more, ui.element("div").classes("controls"):
            controls.add_select(Field.PRESET, BOARDS | GRAPHS, None)
            controls.add_piece()
            controls.add_button(Button.CLEAR)
        self._path = ui.html("", sanitize=False).classes("beside")

    def _add_solve_controls(self) -> None:
        """Add the controls that find tours, the downloads, and the legend of an answer."""
        controls = self.controls
        controls.add_select(Field.GOAL, GOALS, "").classes("wide")
        controls.add_button(Button.SOLVE, filled=True)
        controls.add_button(Button.ANOTHER)
        controls.add_button(Button.STOP)
        with controls.add_button(Button.DOWNLOAD):
            self.download_menu = ui.menu()
        controls.add_button(Button.CERTIFICATE)
        self._legend = ui.html("", sanitize=False).classes("legend")

    def _add_puzzle_controls(self) -> None:
        """Add the controls that make a puzzle, and the place for those of the puzzle player."""
        self.controls.add_select(Field.LEVEL, [*Level], "easy")
        self.controls.add_button(Button.PUZZLE, filled=True)
        ui.element("div").classes("puzzle-panel")
        ui.label(ABOUT_PUZZLES).classes("beside about-puzzles")

    def _add_race_controls(self) -> None:
        """Add the controls that start a race."""
        self.controls.add_select(Field.FIRST_SEARCH, RACERS, "dfs")
        self.controls.add_select(Field.SECOND_SEARCH, RACERS, "circuit")
        self.controls.add_button(Button.RACE, filled=True)
        ui.label(ABOUT_RACES).classes("beside about-races")

    def _add_check_controls(self) -> None:
        """Add the controls that check a path, and the details of the answer."""
        placeholder = "Paste a path, a map or edges, or check the drawn path"
        self.controls.add_text(Field.PATH, placeholder, MAX_TEXT)
        self.controls.add_button(Button.CHECK, filled=True)
        self.controls.add_button(Button.CHECK_COMPLETABLE)
        self.upload = ui.upload(auto_upload=True, max_file_size=MAX_FILE).classes("hidden")
        self.upload.props(f'accept="{_SUFFIXES}"')
        self.controls.add_button(Button.OPEN_FILE)
        self._details = ui.html("", sanitize=False).classes("beside")

    # -- showing

    def show(self, scene: Scene, move_start: int | None) -> None:
        """Show a scene in the tab that is open.

        ``move_start`` is the first square of a move to require or forbid.
        """
        self.stage.show(scene, move_start)
        self._legend.set_content(legend_html(scene))
        self._path.set_content(path_html(scene))
        self._details.set_content(details_html(scene))
        self.controls.show_shape(scene)
        self._board_tools.set_visibility(scene.board is not None)
        self._graph_tools.set_visibility(scene.graph is not None)
        self._show_puzzle(scene)
        self._show_race(scene)

    def _show_puzzle(self, scene: Scene) -> None:
        """Show the puzzle player in its tab, if there is a puzzle."""
        is_shown = self.tabs.value == "Puzzle" and scene.puzzle is not None
        data = json.dumps(scene.puzzle) if is_shown else "null"
        ui.run_javascript(f"showPuzzle({data})")
        self.controls.fill(Button.PUZZLE, not is_shown)  # one of the player's buttons is filled

    def _show_race(self, scene: Scene) -> None:
        """Show the race over the whole width in its tab, if there is one."""
        is_shown = self.tabs.value == "Race" and bool(scene.race)
        self._theater.clear()
        if is_shown:
            with self._theater:
                frame = ui.element("iframe").props('sandbox=allow-scripts title="The race"')
            frame.props["srcdoc"] = scene.race
        ui.run_javascript(f"document.body.classList.toggle('race', {json.dumps(is_shown)})")


def _add_scripts() -> None:
    """Add the colors, styles and scripts, and the words of the puzzle player."""
    ui.colors(primary="var(--given)")  # of the palette, in both themes
    ui.add_css(f"{css_variables()}\n{_read_files(_STYLES)}")
    words = json.dumps(dict(ENGLISH.texts)).replace("<", r"\u003c")
    ui.add_body_html(f"<script>const playerWords = {words};\n{_read_files(_SCRIPTS)}</script>")


def _read_files(names: Sequence[str]) -> str:
    """Return the texts of files of the package, one after the other."""
    return "\n".join(files("kt_cp").joinpath(name).read_text("utf-8") for name in names)
