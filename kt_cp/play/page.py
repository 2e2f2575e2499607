"""The page: a board to click on, and beside it what can be asked about it."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable
from functools import partial
from importlib.resources import files
from typing import Any

import numpy as np
from nicegui import ui
from nicegui.elements.mixins.value_element import ValueElement

from kt_cp.board import Topology
from kt_cp.draw.picture import Picture, svg
from kt_cp.draw.puzzle import puzzle_page
from kt_cp.errors import InputError
from kt_cp.notation.notations import Notation, write_tour
from kt_cp.play import work
from kt_cp.play.jobs import JobError, run_job
from kt_cp.play.picture import position_picture
from kt_cp.play.state import MAX_SIDE, MAX_TEXT, Position, State
from kt_cp.problem.instance import Instance
from kt_cp.puzzles.deduction import Grade
from kt_cp.puzzles.puzzle import Puzzle
from kt_cp.tour.feature_table import FEATURES
from kt_cp.tour.tour import InvalidTourError, Tour
from kt_dfs import METHODS

PRESETS = {
    "6 × 6": "6x6",
    "8 × 8": "8x8",
    "Cross without a tour": "##...##\n##...##\n.......\n.......\n.......\n##...##\n##...##",
    "Heart": ".##..##.\n........\n........\n........\n#......#\n##....##\n###..###",
    "Ring": ".......\n.......\n..###..\n..###..\n..###..\n.......\n.......",
    "Torus": ".....\n.....\n.....\n.....\n.....\n; kind: closed\n; topology: torus",
    "Zebra": "..........\n" * 10 + "; kind: closed\n; piece: zebra",
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
SENSES = {"minimize": "fewest", "maximize": "most"}


def asset(name: str) -> str:
    """Return the text of a file of the page."""
    return files("kt_cp.play").joinpath("assets", name).read_text(encoding="utf-8")


class Playground:
    """One visitor's page: its state, what is shown of it, and the job that runs for it."""

    def __init__(self, position: Position) -> None:
        self.state = State(position)
        self.tool = "visit"
        self.chosen: int | None = None
        self.task: asyncio.Task[Any] | None = None
        self.answer = work.Answer("")
        self.seeds = itertools.count(1)
        self.asked = self.began = 0.0  # when the search, and when the visitor's own path, began
        self.puzzle: Puzzle | None = None
        self.lost: set[int] = set()
        self.news = ""

    def build(self) -> None:
        """Make the elements of the page."""
        ui.colors(primary="#005a94")
        ui.add_css(asset("play.css"))
        keys = files("kt_cp.draw").joinpath("pages", "keys.js").read_text(encoding="utf-8")
        ui.add_body_html(f"<script>{keys}\n{asset('play.js')}</script>")
        ui.html("<h1>Knight's tours</h1>", sanitize=False)
        with ui.element("div").classes("table"):
            with ui.element("div").classes("left"):
                self.status = ui.label("").classes("status").props("role=status")
                self.elapsed = ui.label("").classes("told").props("aria-live=off")
                with ui.element("div").classes("board"):
                    self.picture = ui.html("", sanitize=False).props("aria-hidden=true")
                    self.squares = ui.element("div").classes("squares")
                    self.squares.props('role=group aria-label="Board"')
                    self.squares.on("typed", self._typed, ["detail"])
                    self.squares.on("dragged", self._dragged, ["detail"])
                self.race = ui.element("div")
            with ui.element("div").classes("right"):
                self._build_controls()
        ui.timer(0.5, self._tick)
        self.buttons: list[ui.element] = []
        self.show()

    def _build_controls(self) -> None:
        with self._section("Board"):
            self.rows, self.columns = (
                ui.number(side, min=1, max=MAX_SIDE, on_change=self._resized)
                .props("dense outlined debounce=300")
                .style("width: 6rem")
                for side in ("Rows", "Columns")
            )
            self.closed = ui.checkbox(
                "Closed", on_change=lambda e: self._do(lambda p: p.with_closed(bool(e.value)))
            )
            self.piece = self._select("Piece", PIECES, "knight", self._moves_changed)
            self.topology = self._select("Edges", [*Topology], "flat", self._moves_changed)
            self._select("Preset", [*PRESETS], None, self._preset_chosen)
        with self._section("A click on a square"):
            tools = ui.radio(TOOLS, value="visit", on_change=self._tool_chosen).props("inline")
            tools.props('aria-label="A click on a square"')
            self.undo = ui.button("Undo", on_click=lambda: self._go(self.state.undo()))
            self.redo = ui.button("Redo", on_click=lambda: self._go(self.state.redo()))
        with self._section("Solve"):
            ui.button("Solve", on_click=self._solve)
            ui.button("Another", on_click=lambda: self._ask(work.another, self._seed()))
            self.stop = ui.button("Stop", on_click=self.cancel)
            self.sense = self._select("Best", SENSES, "minimize")
            self.feature = self._select("Feature", ["", *FEATURES], "")
        with self._section("Play"):
            ui.button("Hint", on_click=lambda: self._ask(work.hint))
            ui.button("Still possible?", on_click=self._outlook)
            self.moves = ui.checkbox("Show legal moves", on_change=self.show)
            self.grade = self._select("Grade", [*Grade], "easy")
            ui.button("New puzzle", on_click=self._puzzle)
            ui.button("Solution", on_click=self._reveal)
            ui.button("Download puzzle", on_click=self._download_puzzle)
        with self._section("Check"):
            self.path = ui.textarea("Path", placeholder="paste one, or check the path on the board")
            self.path.props(f"outlined autogrow maxlength={MAX_TEXT}").classes("w-full")
            ui.button("Check", on_click=self._check)
        with self._section("Watch"):
            names = [*METHODS]
            self.racers = [
                self._select("Search", names, "dfs"),
                self._select("Against", names, "warnsdorff"),
            ]
            ui.button("Watch", on_click=self._watch)
        with self._section("Take away"):
            self.notation = self._select("Notation", NOTATIONS, "grid")
            ui.button("Download", on_click=self._download)
            ui.button("Download map", on_click=lambda: _send(self.state.now.text, "board.txt"))
            self.certificate = ui.button("Download certificate", on_click=self._download_proof)

    def _section(self, title: str) -> ui.element:
        ui.html(f"<h2>{title}</h2>", sanitize=False)
        return ui.element("section").classes("row").props(f'aria-label="{title}"')

    def _select(
        self, label: str, options: Any, value: Any, changed: Callable[..., Any] | None = None
    ) -> ui.select:
        made = ui.select(options, label=label, value=value, on_change=changed)
        return made.props("dense options-dense outlined").style("min-width: 8rem")

    def show(self) -> None:
        """Draw the position, or the last answer, and say what is on every square."""
        now, tour = self.state.now, self.answer.tour
        shown = now if tour is None else Position(now.instance, tuple(tour))
        picture = self.answer.picture or position_picture(shown, bool(self.moves.value))
        self.picture.set_content(svg(picture))
        self._place(picture, shown)
        self.piece.set_options(list(dict.fromkeys([*PIECES, now.board.piece.name])))
        fields: list[tuple[ValueElement[Any], object]] = [
            (self.rows, now.board.rows),
            (self.columns, now.board.columns),
            (self.closed, now.instance.closed),
            (self.piece, now.board.piece.name),
            (self.topology, now.board.topology.value),
        ]
        for field, value in fields:
            if field.value != value:
                field.set_value(value)
        self.undo.set_enabled(bool(self.state.past))
        self.redo.set_enabled(bool(self.state.future))
        self.stop.set_enabled(self.task is not None)
        self.certificate.set_enabled(self.answer.certificate is not None)

    def _place(self, picture: Picture, shown: Position) -> None:
        """Put a control over each square of the picture, with its name and state."""
        board = shown.board
        (left, top), (across, down) = picture.corner, (100 / picture.width, 100 / picture.height)
        self.squares.style(
            f"left:{left * across:.3f}%;width:{board.columns * picture.cell * across:.3f}%;"
            f"top:{top * down:.3f}%;height:{board.rows * picture.cell * down:.3f}%;"
            f"grid-template:repeat({board.rows},1fr)/repeat({board.columns},1fr)"
        )
        self.squares.props(f"data-columns={board.columns}")
        if len(self.buttons) != board.area:
            self.squares.clear()
            with self.squares:
                self.buttons = [ui.element("button") for _ in range(board.area)]
            for square, button in enumerate(self.buttons):
                tabindex = -1 if square else 0
                button.props(f"type=button data-square={square} tabindex={tabindex}")
                button.on("click", partial(self.pick, square)).mark(shown.name(square))
        for square, button in enumerate(self.buttons):
            if button.props.get("aria-label") != (label := shown.label(square)):
                button.props["aria-label"] = label
                button.update()
            is_marked = {"chosen": square == self.chosen, "lost": square in self.lost}
            for name, value in is_marked.items():
                if value != (name in button.classes):
                    button.classes(**{"add" if value else "remove": name})

    def tell(self, words: str) -> None:
        """Write the last answer."""
        self.status.set_text(words)

    def pick(self, square: int) -> None:
        """Do what the tool does to a square that was clicked."""
        match self.tool:
            case "hole":
                self._do(lambda now: now.toggled_hole(square))
            case "start" | "end":
                self._do(lambda now: now.with_end(self.tool, square))
            case "visit":
                self._visit(square)
            case _ if self.chosen is None:
                self.chosen = square
                self.show()
            case _:
                source, self.chosen = self.chosen, None
                self._do(lambda now: now.with_move(self.tool, source, square))
                self.show()

    def _visit(self, square: int) -> None:
        if not self.state.now.path and (self.puzzle is None or not self.began):
            self.began = time.monotonic()
        if not self._do(lambda now: now.visited(square)):
            return
        now = self.state.now
        if len(now.path) == len(now.board):
            path = np.array(now.path)
            if now.instance.closed and now.path[0] not in now.board.neighbors(now.path[-1]):
                self.tell(f"{now.name(now.path[-1])} to {now.name(now.path[0])} does not close it")
            elif now.instance.satisfied_by(path):
                tour = Tour(now.board, path, now.instance.closed)
                self.tell(f"solved: {tour.summary}, in {_clock(self.began)}")
                self.began = 0.0
            else:
                self.tell(f"a tour of {now.board.title}, but not the one that was asked for")

    def _do(self, change: Callable[[Position], Position]) -> bool:
        """Change the position, or say why that is impossible."""
        try:
            self._go(self.state.do(change(self.state.now)))
        except InputError as error:
            self.tell(str(error))
            return False
        return True

    def _go(self, state: State) -> None:
        """Show another state; an answer to an earlier one goes away."""
        if state.now == self.state.now:
            return
        self.cancel()
        self.state, self.answer, self.lost = state, work.Answer(""), set()
        self.tell("")
        self.race.clear()
        self.show()
        ui.navigate.history.replace(f"/?{state.now.query}")

    def _tool_chosen(self, event: Any) -> None:
        self.tool, self.chosen = event.value, None
        self.show()

    def _resized(self) -> None:
        rows, columns = self.rows.value, self.columns.value
        if rows and columns:
            self._do(lambda now: now.resized(int(rows), int(columns)))

    def _moves_changed(self) -> None:
        piece, topology = self.piece.value, self.topology.value
        self._do(lambda now: now.with_moves(piece, topology))

    def _preset_chosen(self, event: Any) -> None:
        if event.value is not None:
            self._do(lambda now: Position.parse(PRESETS[event.value]))

    def _typed(self, event: Any) -> None:
        detail = event.args["detail"]
        self._do(lambda now: now.with_step(detail["square"], detail["step"]))

    def _dragged(self, event: Any) -> None:
        source, target = event.args["detail"]["from"], event.args["detail"]["to"]
        if self.tool in ("require", "forbid"):
            self._do(lambda now: now.with_move(self.tool, source, target))
        elif self.tool in ("start", "end"):
            self.pick(target)
        else:
            for square in (source, target):
                if self.tool != "visit" or square not in self.state.now.path[-1:]:
                    self.pick(square)

    async def _ask(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what a job answers, and show it; None if it has no answer or was stopped."""
        self.cancel()
        self.tell("searching …")
        self.asked, self.news = time.monotonic(), ""
        job = run_job(function, self.state.now, *arguments, tell=partial(setattr, self, "news"))
        task = self.task = asyncio.create_task(job)
        self.stop.set_enabled(True)
        try:
            answer = await task
        except (JobError, asyncio.CancelledError) as error:
            if self.task is task:
                self.tell(str(error) or "stopped")
            return None
        finally:
            if self.task is task:
                self.task = None
                self.stop.set_enabled(False)
        if isinstance(answer, work.Answer):
            self.answer = answer
            self.tell(answer.words)
            self.show()
        return answer

    def cancel(self) -> None:
        """Stop the search, if there is one."""
        if self.task is not None:
            self.task.cancel()

    async def _solve(self) -> None:
        await self._ask(work.solve, self.feature.value or None, self.sense.value)

    async def _outlook(self) -> None:
        self.lost = set(self.state.now.cut_off)
        await self._ask(work.outlook)

    def _seed(self) -> int:
        return next(self.seeds)

    async def _check(self) -> None:
        answer = await self._ask(work.check, self.path.value or "")
        if answer is not None and answer.board not in (None, self.state.now.board):
            self.state = self.state.do(Position(Instance(answer.board)))
            self.show()

    async def _puzzle(self) -> None:
        puzzle = await self._ask(work.puzzle, str(self.grade.value), self._seed())
        if puzzle is None:
            return
        self._go(self.state.do(Position(puzzle.instance)))
        self.puzzle, self.began = puzzle, time.monotonic()
        self.tell(f"puzzle: {puzzle.solution.summary}; {puzzle.grade}, effort {puzzle.effort}")

    def _current_puzzle(self) -> Puzzle | None:
        if self.puzzle is None or self.puzzle.solution.board != self.state.now.board:
            self.tell("there is no puzzle here: New puzzle makes one")
            return None
        return self.puzzle

    def _reveal(self) -> None:
        if puzzle := self._current_puzzle():
            self.answer = work.Answer("", puzzle.solution)
            self.tell(f"the solution: {puzzle.solution.summary}")
            self.show()

    def _download_puzzle(self) -> None:
        if puzzle := self._current_puzzle():
            _send(puzzle_page(puzzle), "puzzle.html")

    async def _watch(self) -> None:
        one, other = (select.value for select in self.racers)
        answer = await self._ask(work.race, one, other)
        if answer is not None:
            self.race.clear()
            with self.race:
                frame = ui.element("iframe").classes("race").props("sandbox=allow-scripts")
            frame.props["title"] = f"{one} and {other}, step by step"
            frame.props["srcdoc"] = answer.page

    def _download(self) -> None:
        tour, now = self.answer.tour, self.state.now
        try:
            tour = tour or Tour(now.board, now.path, now.instance.closed)
            text = "\n".join(write_tour(tour, str(self.notation.value)))
        except (InputError, InvalidTourError) as error:
            return self.tell(f"there is no tour to download: {error}")
        return _send(text, "tour.txt")

    def _download_proof(self) -> None:
        if self.answer.certificate is not None:
            _send("\n".join(self.answer.certificate.lines()), "certificate.json")

    def _tick(self) -> None:
        """Show the time since the search began, or else the visitor's own path."""
        if self.task is not None:
            self.elapsed.set_text(f"{_clock(self.asked)} {self.news}")
        elif self.began:
            self.elapsed.set_text(_clock(self.began))


def _clock(began: float) -> str:
    minutes, seconds = divmod(int(time.monotonic() - began), 60)
    return f"{minutes}:{seconds:02}"


def _send(text: str, name: str) -> None:
    ui.download.content(f"{text}\n".encode(), name)


def open_page(default: Position, board: str | None, closed: bool) -> None:
    """Make a visitor's page, with the board of the address."""
    words = ""
    try:
        position = default if board is None else Position.parse(board, closed)
    except InputError as error:
        position, words = default, f"{error}"
    playground = Playground(position)
    playground.build()
    playground.tell(words or "Choose a board, and press Solve, or click squares to draw a tour.")
    ui.context.client.on_delete(playground.cancel)
