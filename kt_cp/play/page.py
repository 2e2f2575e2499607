"""The page: a board at the left, a card that says what is going on, and tabs of what can be asked.

The page holds scenes, which workers compute; it never looks into a position itself.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from importlib.resources import files
from typing import Any

from nicegui import ui

from kt_cp.board import Topology
from kt_cp.board.names import file_letters
from kt_cp.draw.palette import variables
from kt_cp.draw.player_words import PLAYER_WORDS
from kt_cp.draw.puzzle_player import PLAYER_SCRIPTS, PLAYER_STYLES
from kt_cp.notation.notations import Notation
from kt_cp.play import actions, jobs
from kt_cp.play.scene import Scene
from kt_cp.play.state import MAX_TEXT, History
from kt_cp.puzzles.level import Level
from kt_cp.tour.feature_table import FEATURES
from kt_dfs import METHODS

PRESETS = {
    "##...##\n##...##\n.......\n.......\n.......\n##...##\n##...##": "Cross without a tour",
    ".##..##.\n........\n........\n........\n#......#\n##....##\n###..###": "Heart",
    ".......\n.......\n..###..\n..###..\n..###..\n.......\n.......": "Ring",
    ".....\n.....\n.....\n.....\n.....\n; kind: closed\n; topology: torus": "Torus",
}
TOOLS = {
    "visit": "draws a path",
    "hole": "makes a hole",
    "start": "sets the start",
    "end": "sets the end",
    "require": "requires a move",
    "forbid": "forbids a move",
}
PIECES = ["knight", "camel", "zebra", "giraffe", "wazir", "ferz", "king", "horse"]
NOTATIONS = [each.value for each in Notation if each is not Notation.NPY]
GOALS = {"": "any tour"} | {
    f"{sense} {feature}": f"{word} {feature}"
    for feature in FEATURES
    for sense, word in (("minimize", "fewest"), ("maximize", "most"))
}
"""What to look for: the sense and the feature, and how it is called."""

SEARCHES = [*METHODS, "circuit"]
SHAPE = ("Rows", "Columns", "Closed", "Piece", "Joined edges")
"""The fields that tell the board and the kind of tour."""

_PAGES = "draw/pages"
_SCRIPTS = [*(f"{_PAGES}/{name}" for name in PLAYER_SCRIPTS), "play/assets/play.js"]
_STYLES = [*(f"{_PAGES}/{name}" for name in PLAYER_STYLES), "play/assets/play.css"]
_TABS = ("Edit", "Solve", "Puzzle", "Race", "Check")


class Playground:
    """One visitor's page: everything that was shown on it, and the search that runs for it."""

    def __init__(self, first: Scene) -> None:
        """Build the page, and show the first scene."""
        self.history = History((first,))
        self.chosen: int | None = None  # the first square of a move
        self.task: asyncio.Task[Scene] | None = None
        self.best: Scene | None = None  # of a search that goes on
        self.drawn: Scene | None = None  # the last of these that was drawn
        self.began = 0.0
        self.lock = asyncio.Lock()  # changes come one after the other
        self.squares: list[ui.element] = []
        self.fields: dict[str, Any] = {}
        self.buttons: dict[str, ui.button] = {}
        self.is_showing = True  # then a change of a field is no wish of the visitor
        self._build()
        self._show()
        ui.context.client.on_delete(self.cancel)

    @property
    def now(self) -> Scene:
        """What is shown."""
        return self.history.now

    # -- the elements

    def _build(self) -> None:
        scripts, styles = (
            "\n".join(files("kt_cp").joinpath(name).read_text("utf-8") for name in names)
            for names in (_SCRIPTS, _STYLES)
        )
        ui.colors(primary="#005a94")
        ui.add_css(f"{variables()}\n{styles}")
        words = json.dumps(PLAYER_WORDS).replace("<", r"\u003c")
        ui.add_body_html(f"<script>const playerWords = {words};\n{scripts}</script>")
        with ui.element("main").classes("page"):
            with ui.element("div").classes("board-side"):
                self._build_card()
                self._build_board()
            with ui.element("div").classes("control-side"):
                ui.html("<h1>Knight's tours</h1>", sanitize=False)
                self._build_tabs()
            self.theater = ui.element("div").classes("theater")
        ui.timer(0.25, self._tick)

    def _build_card(self) -> None:
        with ui.element("div").classes("card own-card"):
            with ui.element("div").classes("told"):
                self.status = ui.label("").props("role=status")
                self.elapsed = ui.label("").props("aria-live=off").classes("clock")
            with ui.element("div").classes("history"):
                self._button("Undo", self._undo)
                self._button("Redo", self._redo)
        ui.element("div").classes("puzzle-card")

    def _build_board(self) -> None:
        with ui.element("div").classes("frame"):
            self.ranks = ui.element("div").classes("ranks").props("aria-hidden=true")
            with ui.element("div").classes("board") as self.board:
                self.picture = ui.html("", sanitize=False).props("aria-hidden=true")
                self.picture.classes("picture-of-board")
                self.grid = ui.element("div").classes("squares")
                self.grid.props('role=group aria-label="Board"')
                self.grid.on("dragged", self._dragged, ["detail"])
                self.grid.on("typed", self._typed, ["detail"])
            self.files = ui.element("div").classes("files").props("aria-hidden=true")
        ui.element("div").classes("puzzle-board")

    def _build_tabs(self) -> None:
        with ui.tabs().props("dense no-caps align=left") as self.tabs:
            for name in _TABS:
                ui.tab(name)
        builders = (
            self._build_edit,
            self._build_solve,
            self._build_puzzle,
            self._build_race,
            self._build_check,
        )
        with ui.tab_panels(self.tabs, value="Edit", animated=False, keep_alive=True):
            for name, build in zip(_TABS, builders, strict=True):
                with ui.tab_panel(name), ui.element("div").classes("controls"):
                    build()
        self.tabs.on_value_change(lambda: self._show())

    def _build_edit(self) -> None:
        for side in ("Rows", "Columns"):
            number = ui.number(side, format="%.0f", on_change=self._board_changed)
            self.fields[side] = number.props("dense outlined debounce=400").classes("side")
        self.fields["Closed"] = ui.checkbox("Closed", on_change=self._board_changed)
        self._select("A tap", TOOLS, "visit")
        self._search_button("Hint", actions.hint, filled=True)
        with ui.expansion("More").classes("more"), ui.element("div").classes("controls"):
            self._select("Piece", PIECES, "knight", self._board_changed)
            self._select("Joined edges", [*Topology], "flat", self._board_changed)
            self._select("Preset", PRESETS, None, self._preset_chosen)
            self._button("Clear the board", lambda: self._change(actions.clear))

    def _build_solve(self) -> None:
        self._select("Look for", GOALS, "").classes("wide")
        self._button("Solve", self._solve, filled=True)
        self._search_button("Another", actions.another)
        self._button("Stop", self.cancel)
        with self._button("Download", lambda: None), ui.menu():
            for notation in NOTATIONS:
                ui.menu_item(f"Tour: {notation}", partial(self._download_tour, notation))
            ui.menu_item("Map of the board", self._download_map)
            ui.menu_item("Puzzle to play offline", self._download_puzzle)
        self._button("Certificate", self._download_certificate)
        self.legend = ui.html("", sanitize=False).props("aria-hidden=true").classes("legend")

    def _build_puzzle(self) -> None:
        self._select("Grade", [*Level], "easy")
        self._search_button("New puzzle", actions.puzzle, "Grade", filled=True)
        ui.element("div").classes("puzzle-panel")

    def _build_race(self) -> None:
        self._select("Search", SEARCHES, "dfs")
        self._select("Against", SEARCHES, "circuit")
        self._search_button("Race", actions.race, "Search", "Against", filled=True)

    def _build_check(self) -> None:
        path = ui.textarea(
            "Path",
            placeholder="Paste a path or a map, or check the drawn path",
            on_change=lambda: self._enable(self.now),
        )
        self.fields["Path"] = path.props(f"outlined autogrow maxlength={MAX_TEXT}")
        self._search_button("Check", actions.check, "Path", filled=True)
        self._search_button("Can it be completed?", actions.outlook)
        upload = ui.upload(on_upload=self._uploaded, auto_upload=True, max_file_size=MAX_TEXT)
        upload.classes("hidden").props('accept=".txt,.json,.map"')
        self._button("Open a file", lambda: upload.run_method("pickFiles"))

    def _select(
        self, label: str, options: Any, value: Any, changed: Callable[..., Any] | None = None
    ) -> ui.select:
        made = ui.select(options, label=label, value=value, on_change=changed)
        self.fields[label] = made.props("dense options-dense outlined").classes("choice")
        return made

    def _button(self, name: str, action: Callable[..., Any], filled: bool = False) -> ui.button:
        made = ui.button(name, on_click=action, color=None).props("unelevated no-caps")
        made.classes("filled" if filled else "outlined")
        self.buttons[name] = made
        return made

    def _search_button(
        self, name: str, work: Callable[..., Scene], *fields: str, filled: bool = False
    ) -> None:
        async def ask() -> None:
            await self._ask(work, *(self.fields[each].value for each in fields))

        self._button(name, ask, filled)

    # -- what is shown

    def _show(self) -> None:
        """Show the scene that is there now, in the chosen tab."""
        scene = self.best or self.now
        self.status.set_text(scene.words)
        self._place(scene)
        self._show_labels(scene)
        self._show_fields(scene)
        self._show_tab(scene)
        self._enable(scene)

    def _place(self, scene: Scene) -> None:
        """Show the part of the picture that is the board, and below the buttons its legend."""
        drawing = scene.drawing
        left, top, width, height = drawing.board
        self.picture.set_content(drawing.svg)
        scale = 100 / width
        self.picture.style(
            f"width:{drawing.width * scale:.3f}%;left:{-left * scale:.3f}%;"
            f"top:{-top * 100 / height:.3f}%"
        )
        self.board.style(f"aspect-ratio:{scene.columns}/{scene.rows}")
        self.board.style(f"--columns:{scene.columns};--rows:{scene.rows}")
        self.grid.style(f"grid-template:repeat({scene.rows},1fr)/repeat({scene.columns},1fr)")
        self.legend.set_content("")
        if drawing.legend is not None:
            _, start, full, rest = drawing.legend
            box = f"aspect-ratio:{full:.1f}/{rest:.1f};"
            shift = f"top:{-start / rest * 100:.2f}%"
            self.legend.set_content(f'<div style="{box}"><div style="{shift}">{drawing.svg}</div>')

    def _show_labels(self, scene: Scene) -> None:
        """Put a control with its accessible name over every square."""
        if len(self.squares) != len(scene.labels):
            self.grid.clear()
            with self.grid:
                self.squares = [ui.element("button") for _ in scene.labels]
            for square, button in enumerate(self.squares):
                button.props(f"type=button data-square={square} tabindex={-1 if square else 0}")
                button.on("click", lambda square=square: self._pick(square))
        self.grid.props(f"data-columns={scene.columns} data-count={scene.squares}")
        for square, (button, label) in enumerate(zip(self.squares, scene.labels, strict=True)):
            if button.props.get("aria-label") != label:  # others need not be sent again
                button.props["aria-label"] = label
                button.update()
            state = "lost" if square in scene.lost else ""
            button.classes(replace="chosen" if square == self.chosen else state)
        self._show_names(scene)

    def _show_names(self, scene: Scene) -> None:
        """Write the names of files and ranks beside the board."""
        ranks = [str(rank) for rank in range(scene.rows, 0, -1)]
        lines = [file_letters(column) for column in range(scene.columns)]
        for element, names in ((self.ranks, ranks), (self.files, lines)):
            element.clear()
            with element:
                for name in names:
                    ui.label(name)

    def _show_fields(self, scene: Scene) -> None:
        shape = (scene.rows, scene.columns, scene.closed, scene.piece, scene.topology)
        self.is_showing = True
        self.fields["Piece"].set_options([*dict.fromkeys([*PIECES, scene.piece])])
        for name, value in zip(SHAPE, shape, strict=True):
            self.fields[name].set_value(value)
        self.is_showing = False

    def _show_tab(self, scene: Scene) -> None:
        """Show the player of a puzzle in its tab, and the theater of a race in its own."""
        tab = self.tabs.value
        is_puzzle = tab == "Puzzle" and scene.puzzle is not None
        is_race = tab == "Race" and bool(scene.race)
        data = json.dumps(scene.puzzle) if is_puzzle else "null"
        ui.run_javascript(f"showPuzzle({data})")
        self.theater.clear()
        if is_race:
            with self.theater:
                frame = ui.element("iframe").props('sandbox=allow-scripts title="The race"')
            frame.props["srcdoc"] = scene.race
        ui.run_javascript(f"document.body.classList.toggle('race', {json.dumps(is_race)})")

    def _enable(self, scene: Scene) -> None:
        """Disable what has nothing to do."""
        is_searching = self.task is not None
        has_path = scene.visited > 0
        enabled = {
            "Undo": self.history.can_undo,
            "Redo": self.history.can_redo,
            "Stop": is_searching,
            "Solve": not is_searching,
            "Another": not is_searching,
            "Download": True,
            "Certificate": bool(scene.certificate),
            "Check": has_path or bool(self.fields["Path"].value),
            "Can it be completed?": has_path and not is_searching,
        }
        for name, is_enabled in enabled.items():
            self.buttons[name].set_enabled(is_enabled)

    # -- what the visitor does

    def _pick(self, square: int) -> Any:
        """Do what the tool does to a square that was tapped."""
        match self.fields["A tap"].value:
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

    async def _dragged(self, event: Any) -> None:
        source, target = event.args["detail"]["from"], event.args["detail"]["to"]
        tool = self.fields["A tap"].value
        if tool == "visit":
            if self.now.visited == 0:
                await self._act("visited", source)
            await self._act("visited", target)
        elif tool in ("require", "forbid"):
            await self._act("with_move", tool, source, target)

    async def _typed(self, event: Any) -> None:
        await self._act("with_step", event.args["detail"]["square"], event.args["detail"]["step"])

    def _board_changed(self) -> Any:
        """Change the board as the visitor has set the fields."""
        rows, columns, *others = (self.fields[name].value for name in SHAPE)
        if self.is_showing or not rows or not columns:
            return None
        return self._act("shaped", int(rows), int(columns), *others)

    async def _preset_chosen(self, event: Any) -> None:
        if event.value:
            await self._change(actions.preset, event.value, of_position=False)

    async def _uploaded(self, event: Any) -> None:
        text = (await event.file.read()).decode("utf-8", errors="replace")
        self.fields["Path"].set_value(text)
        event.sender.reset()
        await self._ask(actions.check, text)

    async def _act(self, name: str, *arguments: Any) -> None:
        await self._change(actions.change, name, *arguments)

    async def _change(
        self, work: Callable[..., Scene], *arguments: Any, of_position: bool = True
    ) -> None:
        """Have a worker change the position, and show it, or say why that is impossible."""
        async with self.lock:
            try:
                given = (self.now.position, *arguments) if of_position else arguments
                scene = await jobs.briefly(work, *given)
            except jobs.JobError as error:
                self._show()
                self.status.set_text(str(error).removeprefix("invalid: "))
                return
            if (scene.position, scene.words) != (self.now.position, self.now.words):
                self._add(scene)

    def _add(self, scene: Scene) -> None:
        """Show something else; what is searched for is no longer wanted."""
        self.cancel()
        self.chosen = self.best = None
        self.history = self.history.add(scene)
        self._went()

    def _undo(self) -> None:
        self._travel(self.history.undo())

    def _redo(self) -> None:
        self._travel(self.history.redo())

    def _travel(self, history: History[Scene]) -> None:
        self.cancel()
        self.chosen = self.best = None
        self.history = history
        self._went()

    def _went(self) -> None:
        self._show()
        ui.navigate.history.replace(f"/?{self.now.query}")

    async def _solve(self) -> None:
        sense, _, feature = self.fields["Look for"].value.partition(" ")
        await self._ask(actions.solve, feature, sense)

    async def _ask(self, work: Callable[..., Scene], *arguments: Any) -> None:
        """Have a worker search, and show its answer, unless the visitor has gone on or left."""
        while self.task is not None:
            self.cancel()
            await asyncio.sleep(0.01)
        asked, self.began, self.best = self.now, time.monotonic(), None
        self.drawn = None
        job = jobs.search(work, asked.position, *arguments, tell=self._improved)
        self.task = asyncio.create_task(job)
        self.status.set_text("searching …")
        self._enable(asked)
        told = ""
        try:
            scene: Scene | None = await self.task
        except jobs.JobError as error:
            scene, told = self.best, str(error)
        except asyncio.CancelledError:
            scene, told = self.best, "stopped"
        finally:
            self.task = None
        self.best = None
        if self.now is not asked or self.status.is_deleted:
            return
        self.elapsed.set_text("")
        if scene is None:
            self._show()
        else:
            if told:
                words = scene.words.partition(";")[0]
                scene = replace(scene, words=f"{told}: the best so far has {words}")
            self._add(scene)
        if told and scene is None:
            self.status.set_text(told)

    def _improved(self, scene: Scene) -> None:
        """Take a better tour, which is drawn at the next tick, as several may come at once."""
        self.best = scene

    def cancel(self) -> None:
        """Stop the search, if there is one."""
        if self.task is not None:
            self.task.cancel()

    def _tick(self) -> None:
        """Show the time since the search began, and the best tour so far."""
        if self.task is not None:
            if self.best is not self.drawn:
                self.drawn = self.best
                self._show()
            self.elapsed.set_text(f"{time.monotonic() - self.began:.0f} s")

    # -- files

    async def _download_tour(self, notation: str) -> None:
        await self._download("tour.txt", actions.written, self.now.position, notation)

    async def _download_map(self) -> None:
        await self._download("board.txt", actions.board_map, self.now.position)

    async def _download_puzzle(self) -> None:
        if self.now.puzzle is None:
            self.status.set_text("nothing to download: make a puzzle first")
            return
        await self._download("puzzle.html", actions.puzzle_file, self.now.position)

    def _download_certificate(self) -> None:
        ui.download.content(f"{self.now.certificate}\n".encode(), "proof.json")

    async def _download(self, name: str, work: Callable[..., str], *arguments: Any) -> None:
        try:
            content = await jobs.briefly(work, *arguments)
        except jobs.JobError as error:
            self.status.set_text(f"nothing to download: {error}")
            return
        ui.download.content(f"{content}\n".encode(), name)


async def first_scene(query: Mapping[str, str], board: str) -> Scene:
    """Return what an address asks for; without a board in it, the board that `kt play` was given.

    For an address that cannot be shown, return the usual board and say so.
    """
    try:
        scene: Scene = await jobs.briefly(actions.begin, dict(query), board)
    except jobs.JobError as error:
        scene = await jobs.briefly(actions.begin, {}, board)
        told = str(error).removeprefix("invalid: ")
        scene = replace(scene, words=f"the address asks for what cannot be shown: {told}")
    return scene
