"""The page: a board at the left, a card that says what is going on, and tabs of controls.

The page holds scenes, which workers compute; it never looks into a position itself.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

from nicegui import ui

from kt_cp.draw.palette import css_variables
from kt_cp.draw.puzzle_player import PLAYER_SCRIPTS, PLAYER_STYLES
from kt_cp.notation.graphs import GraphFormat
from kt_cp.play import actions
from kt_cp.play.controls import BOARDS, GOALS, GRAPHS, SEARCHES, TOOLS, Controls
from kt_cp.play.downloads import Downloads
from kt_cp.play.history import History
from kt_cp.play.jobs import JobError, JobRunner
from kt_cp.play.position import MAX_TEXT, Position
from kt_cp.play.scene import Scene
from kt_cp.play.search import Outcome, Search
from kt_cp.play.view import (
    ABOUT_PUZZLES,
    ABOUT_RACES,
    Stage,
    StatusCard,
    details_html,
    legend_html,
    path_html,
)
from kt_cp.puzzles.level import Level
from kt_cp.puzzles.words import ENGLISH

_PAGES = "draw/pages"
_SCRIPTS = [
    *(f"{_PAGES}/{name}" for name in PLAYER_SCRIPTS),
    "play/assets/graph-view.js",
    "play/assets/play.js",
]
_STYLES = [*(f"{_PAGES}/{name}" for name in PLAYER_STYLES), "play/assets/play.css"]
_FILES = ",".join([".txt", ".json", ".map", *(f".{form}" for form in GraphFormat)])

MAX_FILE = 100_000
"""How many bytes a file has at most that the page opens."""


def _read_files(names: Sequence[str]) -> str:
    """Return the texts of files of the package, one after the other."""
    return "\n".join(files("kt_cp").joinpath(name).read_text("utf-8") for name in names)


class Playground:
    """One visitor's page: everything that was shown on it, and the search that runs for it."""

    def __init__(self, jobs: JobRunner, first: Scene) -> None:
        """Build the page, and show the first scene."""
        self.jobs = jobs
        self.history = History((first,))
        self.chosen: int | None = None  # the first square of a move
        self.search: Search | None = None  # that runs now
        self.lock = asyncio.Lock()  # changes come one after the other
        self.controls = Controls()
        self._build()
        self._show()
        ui.context.client.on_delete(self._forget_search)

    @property
    def now(self) -> Scene:
        """What is shown."""
        return self.history.now

    # -- the elements

    def _build(self) -> None:
        ui.colors(primary="#005a94")
        ui.add_css(f"{css_variables()}\n{_read_files(_STYLES)}")
        words = json.dumps(dict(ENGLISH.texts)).replace("<", r"\u003c")
        scripts = f"const playerWords = {words};\n{_read_files(_SCRIPTS)}"
        ui.add_body_html(f"<script>{scripts}</script>")
        with ui.element("main").classes("page"):
            with ui.element("div").classes("board-side"):
                self.card = StatusCard()
                with self.card.history:
                    self.controls.button("Undo", self._undo)
                    self.controls.button("Redo", self._redo)
                self.stage = Stage(self._pick, self._drag, self._type)
            with ui.element("div").classes("control-side"):
                ui.html("<h1>Knight's tours</h1>", sanitize=False)
                self._build_tabs()
            self.theater = ui.element("div").classes("theater")
        ui.timer(0.25, self._tick)

    def _build_tabs(self) -> None:
        builders = {
            "Edit": self._build_edit,
            "Solve": self._build_solve,
            "Puzzle": self._build_puzzle,
            "Race": self._build_race,
            "Check": self._build_check,
        }
        with ui.tabs().props("dense no-caps align=left") as self.tabs:
            for name in builders:
                ui.tab(name)
        with ui.tab_panels(self.tabs, value="Edit", animated=False, keep_alive=True):
            for name, build in builders.items():
                with ui.tab_panel(name), ui.element("div").classes("controls"):
                    build()
        self.tabs.on_value_change(lambda: self._show())

    def _build_edit(self) -> None:
        controls = self.controls
        controls.shape(self._shape_changed)
        with ui.element("div").classes("controls") as self.board_tools:
            controls.select("A tap", TOOLS, "visit")
            self._search_button("Hint", actions.hint, filled=True)
        with ui.element("div").classes("controls") as self.graph_tools:
            controls.text("Edges of the graph", "a-b b-c c-a", MAX_TEXT, self._enable_now)
            controls.button("Show the graph", self._show_graph, filled=True)
        more = ui.expansion("Other boards, graphs and pieces").classes("more")
        with more, ui.element("div").classes("controls"):
            controls.select("Begin with", BOARDS | GRAPHS, None, self._preset_chosen)
            controls.piece(self._shape_changed)
            controls.button("Clear the board", self._clear)
        self.route = ui.html("", sanitize=False).classes("beside")

    def _build_solve(self) -> None:
        controls = self.controls
        controls.select("Look for", GOALS, "").classes("wide")
        controls.button("Solve", self._solve, filled=True)
        self._search_button("Another", actions.random_tour)
        controls.button("Stop", self._stop)
        with controls.button("Download", lambda: None), ui.menu():
            self.downloads = Downloads(self.jobs, lambda: self.now, self.card.say)
        controls.button("Certificate", self.downloads.send_certificate)
        self.legend = ui.html("", sanitize=False).classes("legend")

    def _build_puzzle(self) -> None:
        self.controls.select("Level", [*Level], "easy")
        self._search_button("New puzzle", actions.puzzle, "Level", filled=True)
        ui.element("div").classes("puzzle-panel")
        ui.label(ABOUT_PUZZLES).classes("beside about-puzzles")

    def _build_race(self) -> None:
        self.controls.select("Search", SEARCHES, "dfs")
        self.controls.select("Against", SEARCHES, "circuit")
        self._search_button("Race", actions.race, "Search", "Against", filled=True)
        ui.label(ABOUT_RACES).classes("beside about-races")

    def _build_check(self) -> None:
        placeholder = "Paste a path, a map or edges, or check the drawn path"
        self.controls.text("Path", placeholder, MAX_TEXT, self._enable_now)
        self._search_button("Check", actions.check, "Path", filled=True)
        self._search_button("Can it be completed?", actions.check_completable)
        upload = ui.upload(on_upload=self._uploaded, auto_upload=True, max_file_size=MAX_FILE)
        upload.classes("hidden").props(f'accept="{_FILES}"')
        self.controls.button("Open a file", lambda: upload.run_method("pickFiles"))
        self.details = ui.html("", sanitize=False).classes("beside")

    def _search_button(
        self, name: str, work: Callable[..., Scene], *fields: str, filled: bool = False
    ) -> None:
        """Build a button that has a worker search, with the values of some fields."""

        async def ask() -> None:
            await self._ask(work, *map(self.controls.value, fields))

        self.controls.button(name, ask, filled)

    # -- what is shown

    def _show(self) -> None:
        """Show the scene that is there now, in the chosen tab."""
        scene = self.now
        self.card.say(self._status())
        if self.search is None:
            self.card.show_elapsed("")
        self.stage.show(scene, self.chosen)
        self.legend.set_content(legend_html(scene))
        self.route.set_content(path_html(scene))
        self.details.set_content(details_html(scene))
        self.controls.show_shape(scene)
        self.board_tools.set_visibility(scene.board is not None)
        self.graph_tools.set_visibility(scene.graph is not None)
        self._show_tab(scene)
        self._enable_now()

    def _status(self) -> str:
        """Say what is shown, or what is searched for."""
        if self.search is None:
            return self.now.words
        if self.search.drawn is None:
            return "searching …"
        return f"{self.now.words}; looking for a better one"

    def _show_tab(self, scene: Scene) -> None:
        """Show the player of a puzzle in its tab, and the theater of a race in its own."""
        tab = self.tabs.value
        is_puzzle = tab == "Puzzle" and scene.puzzle is not None
        is_race = tab == "Race" and bool(scene.race)
        data = json.dumps(scene.puzzle) if is_puzzle else "null"
        ui.run_javascript(f"showPuzzle({data})")
        self.controls.fill("New puzzle", not is_puzzle)  # as Hint is filled in a puzzle
        self.theater.clear()
        if is_race:
            with self.theater:
                frame = ui.element("iframe").props('sandbox=allow-scripts title="The race"')
            frame.props["srcdoc"] = scene.race
        ui.run_javascript(f"document.body.classList.toggle('race', {json.dumps(is_race)})")

    def _enable_now(self) -> None:
        """Disable what has nothing to do."""
        scene = self.now
        is_searching = self.search is not None
        has_path = bool(scene.path)
        is_board = scene.board is not None
        self.controls.enable(
            {
                "Undo": self.history.can_undo,
                "Redo": self.history.can_redo,
                "Hint": is_board,
                "Stop": is_searching,
                "Solve": not is_searching,
                "Another": not is_searching,
                "Certificate": bool(scene.certificate),
                "New puzzle": is_board,
                "Race": is_board,
                "Check": has_path or bool(self.controls.value("Path")),
                "Can it be completed?": has_path and not is_searching,
                "Show the graph": bool(self.controls.value("Edges of the graph")),
                "Clear the board": not scene.is_bare,
            }
        )
        self.downloads.enable()

    # -- what the visitor does

    def _pick(self, square: int) -> Any:
        """Do what the tool does to a square that was tapped; a vertex of a graph is visited."""
        if self.now.board is None:
            return self._act("visited", square)
        match self.controls.value("A tap"):
            case "hole":
                return self._act("toggled_hole", square)
            case "start" | "end" as role:
                return self._act("with_end", role, square)
            case "visit":
                return self._act("visited", square)
            case role if self.chosen is not None:
                source, self.chosen = self.chosen, None
                return self._act("with_move", role, source, square)
            case _:
                self.chosen = square
                self._show()
                return None

    async def _drag(self, source: int, target: int) -> None:
        tool = self.controls.value("A tap")
        if tool == "visit":
            if not self.now.path:
                await self._act("visited", source)
            await self._act("visited", target)
        elif tool in ("require", "forbid"):
            await self._act("with_move", tool, source, target)

    async def _type(self, square: int, step: int | None) -> None:
        await self._act("with_step", square, step)

    def _shape_changed(self) -> Any:
        """Change the board as the visitor has set the fields, when both sides are set."""
        shape = self.controls.read_shape()
        is_incomplete = not (shape.rows and shape.columns)
        if self.controls.is_showing or (is_incomplete and self.now.board is not None):
            return None
        return self._change(actions.reshape, *shape)

    async def _clear(self) -> None:
        await self._change(actions.clear)

    async def _show_graph(self) -> None:
        edges = self.controls.value("Edges of the graph")
        await self._change(actions.show_graph, edges, of_position=False)

    async def _preset_chosen(self, event: Any) -> None:
        if event.value in GRAPHS:
            await self._change(actions.show_graph, event.value, of_position=False)
        elif event.value:
            await self._change(actions.show_preset, event.value, of_position=False)
        self.controls.set_value("Begin with", None)  # so that it can be chosen again

    async def _uploaded(self, event: Any) -> None:
        content = await event.file.read()
        event.sender.reset()
        await self._ask(actions.open_file, event.file.name, content)

    async def _act(self, name: str, *arguments: Any) -> None:
        await self._change(actions.change, name, *arguments)

    async def _change(
        self, work: Callable[..., Scene], *arguments: Any, of_position: bool = True
    ) -> None:
        """Have a worker change the position, and show it, or say why that is impossible."""
        async with self.lock:
            try:
                given = (self.now.position, *arguments) if of_position else arguments
                scene = await self.jobs.briefly(work, *given)
            except JobError as error:
                self._show()
                self.card.say(str(error).removeprefix("invalid: "))
                return
            if (scene.position, scene.words) != (self.now.position, self.now.words):
                self._go_to(self.history.add(scene))

    def _undo(self) -> None:
        self._go_to(self.history.undo())

    def _redo(self) -> None:
        self._go_to(self.history.redo())

    def _go_to(self, history: History[Scene]) -> None:
        """Show something else; what is searched for is no longer wanted."""
        self._forget_search()
        self.chosen = None
        self.history = history
        self._show()
        ui.navigate.history.replace(f"/?{self.now.query}")

    # -- searches

    async def _solve(self) -> None:
        sense, _, feature = self.controls.value("Look for").partition(" ")
        await self._ask(actions.solve, feature, sense)

    async def _ask(self, work: Callable[..., Scene], *arguments: Any) -> None:
        """Have a worker search, and show its answer, unless the visitor has gone on or left."""
        while self.search is not None:
            earlier = self.search
            self._forget_search()
            await earlier.outcome()  # so that its place is free
        search = self.search = Search(self.jobs, work, self.now.position, *arguments)
        self._show()
        outcome = await search.outcome()
        if self.search is search:
            self._answer(search, outcome)

    def _answer(self, search: Search, outcome: Outcome) -> None:
        """Show the answer of a search that has ended, or the best tour that it had found."""
        self.search = None
        scene = outcome.scene or search.best
        if scene is None:
            self._show()
            self.card.say(outcome.problem)
            return
        if outcome.problem:
            words = f"{outcome.problem}: the best so far has {scene.words}"
            scene = replace(scene, words=words)
        is_drawn = search.drawn is not None and search.drawn.position == scene.position
        self._go_to(self.history.replace_now(scene) if is_drawn else self.history.add(scene))

    def _stop(self) -> None:
        """Stop the search; the best tour that it has found stays."""
        if self.search is not None:
            self.search.stop()

    def _forget_search(self) -> None:
        """Stop the search, if there is one; nobody waits for its answer."""
        self._stop()
        self.search = None

    def _tick(self) -> None:
        """Show the time since the search began, and its best tour when there is a better one.

        Several may come at once, of which only the last is drawn.
        """
        search = self.search
        if search is None:
            return
        self.card.show_elapsed(f"{search.seconds:.0f} s")
        if search.best is not None and search.best is not search.drawn:
            search.drawn = search.best
            self.history = self.history.add(search.best)
            self._show()


async def first_scene(jobs: JobRunner, query: Mapping[str, str], usual: Position) -> Scene:
    """Return what an address asks for; without a board in it, what `kt play` was given.

    For an address that cannot be shown, return the usual position and say so.
    """
    try:
        scene: Scene = await jobs.briefly(actions.open_address, dict(query), usual)
    except JobError as error:
        scene = await jobs.briefly(actions.open_address, {}, usual)
        told = str(error).removeprefix("invalid: ")
        scene = replace(scene, words=f"the address asks for what cannot be shown: {told}")
    return scene
