"""The page of one visitor: its controls, what they do, and everything that was shown on it.

The page holds scenes, which workers compute; it never opens a position itself.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from nicegui import ui

from kt_cp.board import Topology
from kt_cp.draw.picture import as_sentence
from kt_cp.draw.replays import RACERS
from kt_cp.notation.notations import Notation
from kt_cp.play import work
from kt_cp.play.jobs import JobError, JobRunner
from kt_cp.play.position import MAX_PASTED, Position
from kt_cp.play.view import HOW_TO_DRAW, Markup, Stage, add_scripts, fold, select
from kt_cp.play.work import LONGEST, Scene
from kt_cp.puzzles.puzzle import Level
from kt_cp.puzzles.words import ENGLISH
from kt_cp.tour.features import FEATURES

MAX_FILE = 100_000
"""The largest size of a file that the page opens, in bytes."""

MAX_HISTORY = 200
"""The largest number of scenes that are kept."""

BOARDS = {
    "##...##\n##...##\n.......\n.......\n.......\n##...##\n##...##": "Cross without a tour",
    ".##..##.\n........\n........\n........\n#......#\n##....##\n###..###": "Heart",
    ".......\n.......\n..###..\n..###..\n..###..\n.......\n.......": "Ring",
    ".....\n.....\n.....\n.....\n.....\n; kind: closed\n; topology: torus": "Torus",
}
"""Boards to begin with: {map: label}."""

TOOLS = {
    "visit": "draws a path",
    "hole": "makes a hole",
    "start": "sets the start",
    "end": "sets the end",
    "require": "requires a move",
    "forbid": "forbids a move",
}
"""What a tap on a square does: {tool: label}."""

PIECES = ["knight", "camel", "zebra", "giraffe", "wazir", "ferz", "king", "horse"]
"""The pieces to choose from: the named ones that have tours of many boards."""

GOALS = {"": "any tour", LONGEST: "longest path or cycle"} | {
    f"{sense} {feature}": f"{word} {feature}"
    for feature in FEATURES
    for sense, word in (("minimize", "fewest"), ("maximize", "most"))
}
"""What to look for: {goal: label}; a goal is `LONGEST` or a sense and a feature."""

_USUAL_GOALS = (
    "",
    LONGEST,
    "minimize turns",
    "maximize turns",
    "minimize crossings",
    "maximize uncrossed",
)
_ALL_GOALS = "all"

_INVITATIONS = {
    "Puzzle": (
        "A puzzle gives some numbers of a tour of this board, and you write the others: "
        "press New puzzle."
    ),
    "Race": "Two searches go through this board side by side, step by step: press Race.",
}
"""What can be done in a tab that has no answer yet: {tab: sentence}."""

_ABOUT_PUZZLES = (
    "A puzzle has exactly one solution. It is made for the board that you see, with its holes, its "
    "piece and its rules.",
    "You may write numbers in any order. A hint names one of them and says why.",
    "The higher the level, the more there is to think of between two numbers.",
    "Download, in the tab Draw, saves the puzzle as a page that needs no network.",
)

_LONG_MESSAGE = 90  # characters; a longer message is written smaller on a phone
_WORKING = "Searching …"


class _Search:
    """A running search, with the best scene that it has sent, and the last that was shown."""

    def __init__(self, jobs: JobRunner, *call: Any) -> None:
        """Start the search: a function of `kt_cp.play.work` with its arguments."""
        self.began = time.monotonic()
        self.best: Scene | None = None
        self.drawn: Scene | None = None
        self.task = asyncio.create_task(jobs.run_search(*call, on_improvement=self._improve))

    def _improve(self, scene: Scene) -> None:
        """Keep a better scene that the worker has sent."""
        self.best = scene


class Playground:
    """One visitor's page: everything that was shown on it, and the search that runs for it."""

    def __init__(self, jobs: JobRunner, first: Scene) -> None:
        """Build the page, and show the first scene."""
        self._jobs = jobs
        self._scenes = [first]  # what was shown
        self._index = 0  # of the scene that is shown now
        self._move_start: int | None = None  # the first square of a move to require or forbid
        self._search: _Search | None = None
        self._lock = asyncio.Lock()  # so that changes come one after the other
        self._buttons: dict[str, ui.button] = {}
        self._is_updating = False  # whether the page itself sets fields
        add_scripts()
        with ui.element("div") as self._page:
            with ui.element("div").classes("board-side"):
                self._add_status()
                self._stage = Stage(self._tap)
                self._theater = ui.element("div").classes("theater")
            with ui.element("div").classes("control-side"):
                with ui.element("h1"):
                    ui.label("Knight's tours")
                self._add_tabs()
        self._stage.listen("dragged", self._drag, "source", "target")
        self._stage.listen("typed", partial(self._change, Position.with_step), "square", "step")
        self._tabs.on_value_change(lambda: self._show())
        ui.timer(0.25, self._tick)
        self._show()
        ui.context.client.on_delete(self.forget_search)

    @property
    def scene(self) -> Scene:
        """The scene that is shown."""
        return self._scenes[self._index]

    # -- building

    def _add_status(self) -> None:
        """Add the card with the status, the seconds of a search, and the buttons of the history."""
        with ui.element("div").classes("card status-card"):
            with ui.element("div").classes("messages"):
                self._status = ui.label("").props("role=status")
                with ui.element("div").classes("search") as self._progress:
                    self._elapsed = ui.label("").props("aria-live=off").classes("clock")
                    self._add_button("Stop", self._stop)
            with ui.element("div").classes("history") as self._history:
                self._add_button("Undo", lambda: self._go_to(self._index - 1))
                self._add_button("Redo", lambda: self._go_to(self._index + 1))
        ui.element("div").classes("puzzle-card")

    def _add_tabs(self) -> None:
        """Add the tabs with their controls; one button in each is filled."""
        builders = {
            "Draw": self._add_draw_controls,
            "Puzzle": self._add_puzzle_controls,
            "Race": self._add_race_controls,
        }
        with ui.tabs().props("dense no-caps align=left") as self._tabs:
            for name in builders:
                ui.tab(name)
        with ui.tab_panels(self._tabs, value="Draw", animated=False, keep_alive=True):
            for name, build in builders.items():
                with ui.tab_panel(name), ui.element("div").classes("controls"):
                    build()
        with ui.element("div").classes("controls board-controls"):
            self._add_board_controls()
        self._facts = Markup().classes("beside")

    def _add_draw_controls(self) -> None:
        """Add the controls that solve and check."""
        self._add_button(
            "Solve", lambda: self._start_search(work.solve, self._goal.value), filled=True
        )
        self._add_button("Hint", lambda: self._start_search(work.hint))
        self._add_button("Check", lambda: self._start_search(work.check))
        with self._add_button("Download", lambda: None), ui.menu():
            self._downloads = [
                ui.menu_item(
                    f"Tour: {each.value}",
                    partial(self._send, "tour.txt", work.path_text, each.value),
                )
                for each in Notation
                if each is not Notation.NPY  # the others are text
            ]
            ui.menu_item("Map of the board", lambda: self._send("board.txt", work.board_text))
            self._puzzle_file = ui.menu_item(
                "Puzzle to play offline", lambda: self._send("puzzle.html", work.puzzle_file)
            )
            self._certificate = ui.menu_item("Certificate", self._send_certificate)
        usual = {goal: GOALS[goal] for goal in _USUAL_GOALS}
        self._goal = select("Look for", {**usual, _ALL_GOALS: "all features …"}, "")
        self._goal.classes("wide").on_value_change(self._show_all_goals)

    def _add_board_controls(self) -> None:
        """Add the controls that change the board, which are the same in every tab."""
        sides = [ui.number(name, format="%.0f") for name in ("Rows", "Columns")]
        for side in sides:
            side.props("dense outlined debounce=400").classes("side-length")
        closed = ui.checkbox("Closed")
        self._about = Markup().classes("beside about")
        with fold("Other boards and rules"):
            self._preset = select("Begin with", BOARDS, None)
            self._piece = select("Piece", [*PIECES], "knight")
            topology = select("Glued edges", [*Topology], "flat")
            self._tool = select("A tap", TOOLS, "visit")
            self._add_button("Clear the board", lambda: self._change(Position.cleared))
        with fold("Open a path or a board"):
            placeholder = "a1 b3 c5, or a board of numbers, or a map of '.' and '#'"
            self._text = ui.textarea("Path or map", placeholder=placeholder)
            self._text.props(f"outlined autogrow maxlength={MAX_PASTED}")
            self._add_button(
                "Open", lambda: self._start_search(work.open_text, self._text.value or "")
            )
            upload = ui.upload(auto_upload=True, max_file_size=MAX_FILE, on_upload=self._open_file)
            upload.classes("hidden").props('accept=".txt,.json,.map"')
            self._add_button("Open a file", lambda: upload.run_method("pickFiles"))
        with fold("How to draw") as self._help:
            Markup().show_list(HOW_TO_DRAW)
        self._preset.on_value_change(self._open_preset)
        self._shape_fields: list[Any] = [*sides, closed, self._piece, topology]
        for field in self._shape_fields:
            field.on_value_change(self._change_shape)

    def _add_puzzle_controls(self) -> None:
        """Add the controls that make a puzzle, and the place for the puzzle player's own."""
        level = select("Level", {each: ENGLISH.level(each) for each in Level}, Level.EASY)
        self._add_button(
            "New puzzle",
            lambda: self._start_search(work.make_new_puzzle, level.value),
            filled=True,
        )
        ui.element("div").classes("puzzle-panel")

    def _add_race_controls(self) -> None:
        """Add the controls that start a race."""
        self._racers = (
            select("Search", [*RACERS], "dfs"),
            select("Against", [*RACERS], "warnsdorff"),
        )
        for racer in self._racers:
            racer.on_value_change(self._show_beside)
        self._add_button(
            "Race",
            lambda: self._start_search(work.race, *(each.value for each in self._racers)),
            filled=True,
        )

    def _add_button(self, name: str, action: Callable[[], Any], filled: bool = False) -> ui.button:
        """Add a button, ``filled`` if it is the main one of its tab."""
        button = ui.button(name, color=None, on_click=action).props("unelevated no-caps")
        self._buttons[name] = button
        return button.classes("filled" if filled else "outlined")

    # -- what is shown

    def _show(self) -> None:
        """Show the scene in the tab that is open, and the state of the search."""
        self._say(self._message())
        self._progress.classes(replace="search idle" if self._search is None else "search")
        self._stage.show(self.scene, self._move_start)
        self._show_shape()
        self._show_puzzle()
        self._show_race()
        self._show_beside()
        self._enable_buttons()

    def _message(self) -> str:
        """Return what the status says.

        The answer of a puzzle or a race is told in its tab only; elsewhere, the status says how far
        the path has come, or what the tab is for.
        """
        scene = self.scene
        tab = self._tabs.value
        is_elsewhere = (scene.puzzle and tab != "Puzzle") or (scene.race and tab != "Race")
        message = scene.state if is_elsewhere else scene.message
        if self._search is not None:
            return f"{message}; looking for a better one" if self._search.drawn else _WORKING
        return _INVITATIONS.get(tab, message) if message == scene.state else message

    def _say(self, message: str) -> None:
        """Show a message, which screen readers read out; on a phone a long one is smaller."""
        self._status.set_text(message if message == _WORKING else as_sentence(message))
        self._status.classes(replace="long" if len(message) > _LONG_MESSAGE else "")

    def _show_shape(self) -> None:
        """Show the shape of the board in its fields."""
        self._is_updating = True
        _rows, _columns, _closed, piece, _topology = self.scene.shape
        self._piece.set_options([*dict.fromkeys([*PIECES, piece])])  # a map may have its own
        for field, value in zip(self._shape_fields, self.scene.shape, strict=True):
            field.set_value(value)
        self._is_updating = False

    def _show_puzzle(self) -> None:
        """Show the puzzle of the scene in place of the board, in its tab and unless one is made."""
        is_played = self._tabs.value == "Puzzle" and self._search is None and self.scene.puzzle
        ui.run_javascript(f"showPuzzle({json.dumps(self.scene.puzzle if is_played else None)})")
        # One of the player's buttons is filled.
        self._buttons["New puzzle"].classes(replace="outlined" if is_played else "filled")

    def _show_race(self) -> None:
        """Show the race of the scene in place of the board, in its tab and unless one is made."""
        is_run = self._tabs.value == "Race" and self._search is None and self.scene.race
        self._theater.clear()
        if is_run:
            with self._theater:
                frame = ui.element("iframe").props('sandbox=allow-scripts title="The race"')
            frame.props["srcdoc"] = self.scene.race
        self._page.classes(replace="page race" if is_run else "page")

    def _show_beside(self) -> None:
        """Show what is beside the board: how to draw and facts on the path, or about the tab."""
        tab = self._tabs.value
        names = dict.fromkeys(each.value for each in self._racers)
        races = [f"{name}: {RACERS[name]}." for name in names]
        self._about.show_list({"Puzzle": _ABOUT_PUZZLES, "Race": races}.get(tab, ()))
        for element in (self._help, self._facts):
            element.set_visibility(tab == "Draw")
        self._facts.show_facts(self.scene)

    def _enable_buttons(self) -> None:
        """Disable the buttons and downloads that have nothing to do."""
        can_undo = self._index > 0
        can_redo = self._index < len(self._scenes) - 1
        self._buttons["Undo"].set_enabled(can_undo)
        self._buttons["Redo"].set_enabled(can_redo)
        self._buttons["Clear the board"].set_enabled(not self.scene.is_bare)
        self._history.set_visibility(self._tabs.value == "Draw" or can_undo or can_redo)
        is_complete = len(self.scene.path_names) == self.scene.size
        for item, is_enabled in (
            *((item, is_complete) for item in self._downloads),
            (self._puzzle_file, self.scene.puzzle is not None),
            (self._certificate, bool(self.scene.certificate)),
        ):  # items of a menu have no method for that
            item.props["disable"] = not is_enabled
            item.update()

    def _go_to(self, place: int) -> None:
        """Show an earlier or later scene, if there is one, and stop the search."""
        self.forget_search()
        self._move_start = None
        self._index = min(max(place, 0), len(self._scenes) - 1)
        self._show()
        ui.navigate.history.replace(f"/?{self.scene.address}")

    def _keep(self, scene: Scene) -> None:
        """Put a scene after the one that is shown, in place of all later ones."""
        scenes = [*self._scenes[: self._index + 1], scene]
        self._scenes = scenes[-MAX_HISTORY:]
        self._index = len(self._scenes) - 1

    # -- changes of the position

    def _tap(self, square: int) -> Any:
        """Do what the tool does to a square."""
        match self._tool.value:
            case "hole":
                return self._change(Position.toggled_hole, square)
            case "start" | "end" as role:
                return self._change(Position.toggled_end, role, square)
            case "require" | "forbid" as role:
                source = self._move_start
                if source is not None:
                    self._move_start = None
                    return self._change(Position.toggled_move, role, source, square)
                self._move_start = square
                return self._show()
        return self._change(Position.with_tap, square)

    async def _drag(self, source: int, target: int) -> None:
        """Draw a move, or require or forbid it."""
        tool = self._tool.value
        if tool == "visit":
            await self._change(Position.with_drag, source, target)
        elif tool in ("require", "forbid"):
            await self._change(Position.toggled_move, tool, source, target)

    def _change_shape(self) -> Any:
        """Change the board to that in the fields, when the visitor has set both sides."""
        rows, columns, *kind = (field.value for field in self._shape_fields)
        if self._is_updating or not (rows and columns):
            return None
        return self._change(Position.with_shape, int(rows), int(columns), *kind)

    def _show_all_goals(self) -> None:
        """Offer every feature, when the visitor asks for them."""
        if self._goal.value == _ALL_GOALS:
            self._goal.set_options(GOALS, value="")
            self._goal.run_method("showPopup")

    async def _open_preset(self) -> None:
        """Show the board that was chosen from the list."""
        if self._preset.value:
            await self._run_and_show(work.show_board, self._preset.value)
        self._preset.set_value(None)  # so that it can be chosen again

    async def _change(self, method: Callable[..., Position], *arguments: Any) -> None:
        """Show the position that a method of `Position` returns."""
        await self._run_and_show(work.change, method, *arguments)

    async def _run_and_show(self, task: Callable[..., Scene], *arguments: Any) -> None:
        """Run a function of the position in a worker; show its scene, or say why there is none."""
        async with self._lock:  # the position is read after the changes before this one
            try:
                scene = await self._jobs.run_brief(task, self.scene.query, *arguments)
            except JobError as error:
                self._show()
                self._say(str(error))
                return
            if (scene.query, scene.message) != (self.scene.query, self.scene.message):
                self._keep(scene)
                self._go_to(self._index)

    # -- searches

    async def _open_file(self, event: Any) -> None:
        """Show what is in an uploaded file."""
        content = await event.file.read()
        event.sender.reset()
        await self._start_search(work.open_file, event.file.name, content)

    async def _start_search(self, task: Callable[..., Scene], *arguments: Any) -> None:
        """Run a search in a worker, and show its answer, unless the visitor has gone on or left."""
        while (earlier := self._search) is not None:
            self.forget_search()
            await asyncio.wait([earlier.task])  # so that its worker is free
        search = self._search = _Search(self._jobs, task, self.scene.query, *arguments)
        self._elapsed.set_text("0 s")
        self._show()
        scene = None
        problem = ""
        try:
            scene = await search.task
        except (JobError, asyncio.CancelledError) as error:
            problem = str(error) or "stopped"
        if self._search is search:
            self._show_answer(search, scene, problem)

    def _show_answer(self, search: _Search, scene: Scene | None, problem: str) -> None:
        """Show the answer of a search that has ended, or the best tour that it had found."""
        self._search = None
        if scene is None and search.best is not None:
            message = f"{problem}: the best so far has {search.best.message}"
            scene = replace(search.best, message=message)
        if scene is None:
            self._show()
            self._say(problem)
            return
        if search.drawn is not None and search.drawn.query == scene.query:
            self._scenes[self._index] = scene  # that improvement is already in the history
        else:
            self._keep(scene)
        self._go_to(self._index)

    def _stop(self) -> None:
        """Stop the search; the best tour that it has found stays."""
        if self._search is not None:
            self._search.task.cancel()

    def forget_search(self) -> None:
        """Stop the search, if there is one; its answer will not be shown."""
        self._stop()
        self._search = None

    def _tick(self) -> None:
        """Show how long the search has run, and its best tour when there is a better one.

        Several improvements may arrive at once; only the last is drawn.
        """
        search = self._search
        if search is None:
            return
        self._elapsed.set_text(f"{time.monotonic() - search.began:.0f} s")
        if search.best is not None and search.best is not search.drawn:
            search.drawn = search.best
            self._keep(search.best)
            self._show()

    # -- downloads

    def _send_certificate(self) -> None:
        """Send the certificate of the scene."""
        ui.download.content(f"{self.scene.certificate}\n".encode(), "proof.json")

    async def _send(self, name: str, task: Callable[..., str], *arguments: Any) -> None:
        """Send the text that a worker makes of the position."""
        try:
            content = await self._jobs.run_brief(task, self.scene.query, *arguments)
        except JobError as error:
            self._say(f"nothing to download: {error}")
            return
        ui.download.content(f"{content}\n".encode(), name)
