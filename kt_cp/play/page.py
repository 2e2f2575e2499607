"""The page: a board to click on, and beside it what can be asked about it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial
from importlib.resources import files
from typing import Any

import numpy as np
from nicegui import ui

from kt_cp.board import Topology
from kt_cp.draw.look import Look
from kt_cp.draw.picture import Picture, svg
from kt_cp.draw.puzzle import instance_picture
from kt_cp.errors import InputError
from kt_cp.notation.detect import validate
from kt_cp.notation.notations import Notation, write_tour
from kt_cp.play import jobs
from kt_cp.play.jobs import Answer
from kt_cp.play.state import MAX_SIDE, MAX_TEXT, Position, State
from kt_cp.puzzles.deduction import Grade
from kt_cp.tour.feature_table import FEATURES
from kt_cp.tour.tour import InvalidTourError, Tour
from kt_dfs import METHODS

PRESETS = {
    "##...##\n##...##\n.......\n.......\n.......\n##...##\n##...##": "Cross without a tour",
    ".##..##.\n........\n........\n........\n#......#\n##....##\n###..###": "Heart",
    ".......\n.......\n..###..\n..###..\n..###..\n.......\n.......": "Ring",
    ".....\n.....\n.....\n.....\n.....\n; kind: closed\n; topology: torus": "Torus",
}
TOOLS = {
    "visit": "Draw a path",
    "hole": "Make a hole",
    "start": "Set the start",
    "end": "Set the end",
    "require": "Require a move",
    "forbid": "Forbid a move",
}
PIECES = ["knight", "camel", "zebra", "giraffe", "wazir", "ferz", "king", "horse"]
NOTATIONS = [each.value for each in Notation if each is not Notation.NPY]
ASSETS = ("draw/pages/keys.js", "play/assets/play.css", "play/assets/play.js")
SHAPE = ("Rows", "Columns", "Closed", "Piece", "Edges")  # the fields that tell board and kind
BARE = Look(title="", legend=False)  # as the page itself says what is in the picture


class Playground:
    """One visitor's page: its state, what is shown of it, and the job that runs for it."""

    def __init__(self, position: Position, board: str | None = None, closed: bool = False) -> None:
        """Show the board of the address, or else the position."""
        words = "Choose a board, and press Solve, or click squares to draw a tour."
        try:
            position = position if board is None else Position.parse(board, closed)
        except InputError as error:
            words = str(error)
        self.state = State((position,))
        self.chosen: int | None = None  # the first square of a move
        self.answer = Answer(words)
        self.puzzle = ""  # a page
        self.task: asyncio.Task[Any] | None = None
        self.news = ""  # of the search
        self.asked = self.began = 0.0  # when the search, and when the visitor's own path, began
        self.squares: list[ui.element] = []
        self.fields: dict[str, Any] = {}
        self.is_showing = True  # then a change of a field is no wish of the visitor
        self._build()
        self._show(self.answer)
        ui.context.client.on_delete(self.cancel)

    def _build(self) -> None:
        keys, style, script = (files("kt_cp").joinpath(name).read_text("utf-8") for name in ASSETS)
        ui.colors(primary="#005a94")
        ui.add_css(style)
        ui.add_body_html(f"<script>{keys}\n{script}</script>")
        ui.html("<h1>Knight's tours</h1>", sanitize=False)
        with ui.element("div").classes("told"):
            self.status = ui.label("").props("role=status")
            self.elapsed = ui.label("").props("aria-live=off")
        with ui.element("div").classes("sides"):
            with ui.element("div").classes("left"):
                with ui.element("div").classes("board"):
                    self.picture = ui.html("", sanitize=False).props("aria-hidden=true")
                    self.grid = ui.element("div").classes("squares")
                    self.grid.props('role=group aria-label="Board"')
                    self.grid.on("dragged", self._dragged, ["detail"])
                    self.grid.on("typed", self._typed, ["detail"])
                self.race = ui.element("div")
            with ui.element("div").classes("right"):
                self._build_controls()
        ui.timer(0.5, self._tick)

    def _build_controls(self) -> None:
        with _section("Board"):
            for side in ("Rows", "Columns"):
                number = ui.number(side, min=1, max=MAX_SIDE, on_change=self._board_changed)
                self.fields[side] = number.props("dense outlined debounce=300").classes("side")
            self.fields["Closed"] = ui.checkbox("Closed", on_change=self._board_changed)
            self._select("Piece", PIECES, "knight", self._board_changed)
            self._select("Edges", [*Topology], "flat", self._board_changed)
            self._select("Preset", PRESETS, None, self._preset_chosen)
        with _section("A click on a square"):
            self.tool = ui.radio(TOOLS, value="visit")
            self.tool.props('inline aria-label="A click on a square"')
            ui.button("Undo", on_click=lambda: self._go(self.state.go(-1)))
            ui.button("Redo", on_click=lambda: self._go(self.state.go(1)))
        with _section("Solve"):
            self._ask_button("Solve", jobs.solve, "Feature", "Best")
            self._ask_button("Another", jobs.another)
            ui.button("Stop", on_click=self.cancel)
            self._select("Best", {"minimize": "fewest", "maximize": "most"}, "minimize")
            self._select("Feature", ["", *FEATURES], "")
        with _section("Play"):
            self._ask_button("Hint", jobs.hint)
            self._ask_button("Still possible?", jobs.outlook)
            self.moves = ui.checkbox("Show legal moves", on_change=lambda: self._show())
            self._select("Grade", [*Grade], "easy")
            self._ask_button("New puzzle", jobs.puzzle, "Grade")
            self._file_button("Download puzzle", lambda: self.puzzle, "puzzle.html")
        with _section("Check"):
            path = ui.textarea("Path", placeholder="paste one, or check the path on the board")
            self.fields["Path"] = path.props(f"outlined autogrow maxlength={MAX_TEXT}")
            self._ask_button("Check", jobs.check, "Path")
        with _section("Watch"):
            self._select("Search", [*METHODS], "dfs")
            self._select("Against", [*METHODS], "warnsdorff")
            self._ask_button("Watch", jobs.race, "Search", "Against")
        with _section("Take away"):
            self._select("Notation", NOTATIONS, "grid")
            self._file_button("Download", self._written, "tour.txt")
            self._file_button("Download map", lambda: self.state.now.text, "board.txt")
            self._file_button("Download certificate", lambda: self.answer.certificate, "proof.json")

    def _select(
        self, label: str, options: Any, value: Any, changed: Callable[..., Any] | None = None
    ) -> None:
        made = ui.select(options, label=label, value=value, on_change=changed)
        self.fields[label] = made.props("dense options-dense outlined").classes("choice")

    def _ask_button(self, name: str, work: Callable[..., Answer], *fields: str) -> None:
        ui.button(
            name, on_click=lambda: self._ask(work, *(self.fields[each].value for each in fields))
        )

    def _file_button(self, label: str, text: Callable[[], str], name: str) -> None:
        def download() -> None:
            try:
                if content := text():
                    return ui.download.content(f"{content}\n".encode(), name)
                self.status.set_text(f"there is nothing to download as {name} yet")
            except (InputError, InvalidTourError) as error:
                self.status.set_text(f"there is no tour to download: {error}")

        ui.button(label, on_click=download)

    def _written(self) -> str:
        now = self.state.now
        tour = self.answer.tour or Tour(now.board, now.path, now.instance.closed)
        return "\n".join(write_tour(tour, self.fields["Notation"].value))

    def _show(self, answer: Answer | None = None) -> None:
        """Draw the position, with a new answer or the last, and say what is on every square."""
        if answer is not None:
            self.answer = answer
            self.status.set_text(answer.words)
            self.race.clear()
            if answer.race:
                with self.race:
                    frame = ui.element("iframe").props('sandbox=allow-scripts title="Two searches"')
                frame.props["srcdoc"] = answer.race
        now, tour = self.state.now, self.answer.tour
        shown = now if tour is None else Position(now.instance, tuple(tour))
        moves = now.next_squares if self.moves.value else ()
        position = instance_picture(now.instance, BARE, path=shown.path, dotted=moves)
        self._place(self.answer.picture or position, shown)
        board, closed, self.is_showing = now.board, now.instance.closed, True
        shape = (board.rows, board.columns, closed, board.piece.name, board.topology.value)
        self.fields["Piece"].set_options([*dict.fromkeys([*PIECES, board.piece.name])])
        for name, value in zip(SHAPE, shape, strict=True):
            self.fields[name].set_value(value)
        self.is_showing = False

    def _place(self, picture: Picture, shown: Position) -> None:
        """Show a picture with a control over each square, which has its name and state."""
        self.picture.set_content(svg(picture))
        board = shown.board
        (left, top), (across, down) = picture.corner, (100 / picture.width, 100 / picture.height)
        self.grid.style(
            f"left:{left * across:.3f}%;width:{board.columns * picture.cell * across:.3f}%;"
            f"top:{top * down:.3f}%;height:{board.rows * picture.cell * down:.3f}%;"
            f"grid-template:repeat({board.rows},1fr)/repeat({board.columns},1fr)"
        )
        self.grid.props(f"data-columns={board.columns}")
        if len(self.squares) != board.area:
            self.grid.clear()
            with self.grid:
                self.squares = [ui.element("button") for _ in range(board.area)]
            for square, button in enumerate(self.squares):
                button.props(f"type=button data-square={square} tabindex={-1 if square else 0}")
                button.on("click", partial(self._pick, square)).mark(board.name(square))
        for square, (button, label) in enumerate(zip(self.squares, shown.labels, strict=True)):
            if button.props.get("aria-label") != label:  # others need not be sent again
                button.props["aria-label"] = label
            lost = "lost" if square in self.answer.lost else ""
            button.classes(replace="chosen" if square == self.chosen else lost)

    def _pick(self, square: int) -> None:
        """Do what the tool does to a square that was clicked."""
        match self.tool.value:
            case "hole":
                self._do(lambda now: now.toggled_hole(square))
            case "start" | "end" as role:
                self._do(lambda now: now.with_end(role, square))
            case "visit":
                self._visit(square)
            case role if self.chosen is not None:
                source, self.chosen = self.chosen, None
                self._show()
                self._do(lambda now: now.with_move(role, source, square))
            case _:
                self.chosen = square
                self._show()

    def _visit(self, square: int) -> None:
        self.began = self.began or time.monotonic()
        self._do(lambda now: now.visited(square))
        now = self.state.now
        if len(now.path) == len(now.board):
            report = validate(now.board, now.path, now.instance.closed)
            is_asked = report.valid and now.instance.satisfied_by(np.array(now.path))
            verdict = "solved" if is_asked else "not what was asked for"
            self.status.set_text(f"{verdict}: {report.verdict}, in {_clock(self.began)}")
            self.began = 0.0

    def _do(self, change: Callable[[Position], Position]) -> None:
        """Change the position, or say why that is impossible."""
        try:
            self._go(self.state.do(change(self.state.now)))
        except InputError as error:
            self.status.set_text(str(error))

    def _go(self, state: State) -> None:
        """Show another state; an answer to an earlier one goes away."""
        if state.now == self.state.now:
            return
        self.cancel()
        if state.now.board != self.state.now.board:
            self.puzzle, self.began = "", 0.0
        self.state, self.chosen = state, None
        self._show(Answer(""))
        ui.navigate.history.replace(f"/?{state.now.query}")

    def _board_changed(self) -> None:
        rows, columns, *others = (self.fields[name].value for name in SHAPE)
        if rows and columns and not self.is_showing:
            self._do(lambda now: now.shaped(int(rows), int(columns), *others))

    def _preset_chosen(self, event: Any) -> None:
        self._do(lambda now: Position.parse(event.value))

    def _typed(self, event: Any) -> None:
        self._do(lambda now: now.with_step(**event.args["detail"]))

    def _dragged(self, event: Any) -> None:
        if self.tool.value == "visit" and not self.state.now.path:
            self._visit(event.args["detail"]["from"])
        self.chosen = event.args["detail"]["from"]
        self._pick(event.args["detail"]["to"])

    async def _ask(self, work: Callable[..., Answer], *arguments: Any) -> None:
        """Have a job done, and show its answer, unless the visitor has gone on or left."""
        while self.task is not None:
            self.cancel()
            await asyncio.sleep(0.01)
        state, self.asked, self.news = self.state, time.monotonic(), ""
        job = jobs.run_job(work, state.now, *arguments, tell=partial(setattr, self, "news"))
        self.task = asyncio.create_task(job)
        self.status.set_text("searching …")
        try:
            answer = await self.task
        except (jobs.JobError, asyncio.CancelledError) as error:
            if self.state is state and not self.status.is_deleted:
                self.status.set_text(str(error) or "stopped")
            return
        finally:
            self.task = None
        if self.state is not state:
            return
        if answer.position is not None:
            self._go(state.do(answer.position))
        if answer.puzzle:
            self.puzzle, self.began = answer.puzzle, time.monotonic()
        self._show(answer)
        ui.run_javascript("showAnswer()")

    def cancel(self) -> None:
        """Stop the search, if there is one."""
        if self.task is not None:
            self.task.cancel()

    def _tick(self) -> None:
        """Show the time since the search began, or else the visitor's own path."""
        if self.task is not None:
            self.elapsed.set_text(f"{_clock(self.asked)} {self.news}")
        elif self.began:
            self.elapsed.set_text(_clock(self.began))


def _section(title: str) -> ui.element:
    ui.html(f"<h2>{title}</h2>", sanitize=False)
    return ui.element("section").props(f'aria-label="{title}"')


def _clock(began: float) -> str:
    minutes, seconds = divmod(int(time.monotonic() - began), 60)
    return f"{minutes}:{seconds:02}"
