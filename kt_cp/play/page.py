"""The page of one visitor: what its elements do.

The page holds scenes, which workers compute; it never unpickles a position itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from nicegui import ui

from kt_cp.play import actions, opening, puzzle_actions, search_actions
from kt_cp.play.controls import GRAPHS, LONGEST, Button, Field
from kt_cp.play.downloads import Downloads
from kt_cp.play.elements import PageElements
from kt_cp.play.history import History
from kt_cp.play.jobs import JobError, JobRunner
from kt_cp.play.position import Position
from kt_cp.play.scene import Scene
from kt_cp.play.search import Outcome, Search


class Playground:
    """One visitor's page: everything that was shown on it, and the search that runs for it."""

    def __init__(self, jobs: JobRunner, first: Scene) -> None:
        """Build the page, and show the first scene."""
        self._jobs = jobs
        self._history = History((first,))
        self._move_start: int | None = None  # the first square of a move to require or forbid
        self._typed_scene: Scene | None = None  # the scene after the last step that was typed
        self._search: Search | None = None  # the running search
        self._lock = asyncio.Lock()  # so that changes come one after the other
        self._elements = PageElements()
        self._controls, self._card = self._elements.controls, self._elements.card
        with self._elements.download_menu:
            self._downloads = Downloads(jobs, lambda: self.scene, self._card.say)
        self._connect_buttons()
        self._connect_fields()
        self._elements.stage.listen(
            on_tap=self._tap,
            on_drag=self._drag,
            on_type=self._set_step,
            on_take_back=self._take_back_step,
        )
        self._elements.tabs.on_value_change(lambda: self._show())
        self._elements.upload.on_upload(self._open_file)
        ui.timer(0.25, self._tick)
        self._show()
        ui.context.client.on_delete(self.forget_search)

    @property
    def scene(self) -> Scene:
        """The scene that is shown."""
        return self._history.now

    def _connect_buttons(self) -> None:
        """Connect each button to what it does."""
        button_actions: dict[Button, Callable[[], Any]] = {
            Button.UNDO: lambda: self._go_to(self._history.undo()),
            Button.REDO: lambda: self._go_to(self._history.redo()),
            Button.HINT: lambda: self._start_search(search_actions.hint),
            Button.SHOW_GRAPH: self._show_graph,
            Button.CLEAR: lambda: self._run_change(actions.clear),
            Button.SOLVE: self._solve,
            Button.ANOTHER: lambda: self._start_search(search_actions.random_tour),
            Button.STOP: self._stop,
            Button.CERTIFICATE: self._downloads.send_certificate,
            Button.PUZZLE: self._make_puzzle,
            Button.RACE: self._race,
            Button.CHECK: self._check,
            Button.CHECK_COMPLETABLE: lambda: self._start_search(search_actions.check_completable),
            Button.OPEN_FILE: lambda: self._elements.upload.run_method("pickFiles"),
        }
        for button, action in button_actions.items():
            self._controls.on_press(button, action)

    def _connect_fields(self) -> None:
        """Connect each field whose change does something at once."""
        for field in (Field.ROWS, Field.COLUMNS, Field.CLOSED, Field.PIECE, Field.TOPOLOGY):
            self._controls.on_change(field, self._change_shape)
        for field in (Field.EDGES, Field.PATH):
            self._controls.on_change(field, self._enable_buttons)
        self._controls.on_change(Field.PRESET, self._show_preset)

    # -- what is shown

    def _show(self) -> None:
        """Show the scene, and the state of the search."""
        self._card.say(self._status())
        if self._search is None:
            self._card.show_elapsed("")
        self._elements.show(self.scene, self._move_start)
        self._enable_buttons()

    def _status(self) -> str:
        """Return the answer of the scene, or what the search is doing."""
        if self._search is None:
            return self.scene.message
        if self._search.drawn is None:
            return "searching …"
        return f"{self.scene.message}; looking for a better one"

    def _enable_buttons(self) -> None:
        """Disable the buttons and downloads that have nothing to do."""
        scene = self.scene
        is_searching = self._search is not None
        has_path = bool(scene.path_names)
        is_board = scene.board is not None
        self._controls.enable(
            {
                Button.UNDO: self._history.can_undo,
                Button.REDO: self._history.can_redo,
                Button.HINT: is_board,
                Button.STOP: is_searching,
                Button.SOLVE: not is_searching,
                Button.ANOTHER: not is_searching,
                Button.CERTIFICATE: bool(scene.certificate),
                Button.PUZZLE: is_board,
                Button.RACE: is_board,
                Button.CHECK: has_path or bool(self._controls.value(Field.PATH)),
                Button.CHECK_COMPLETABLE: has_path and not is_searching,
                Button.SHOW_GRAPH: bool(self._controls.value(Field.EDGES)),
                Button.CLEAR: not scene.is_bare,
            }
        )
        self._downloads.update()

    def _go_to(self, history: History[Scene]) -> None:
        """Show the current scene of a history, and stop the search."""
        self.forget_search()
        self._move_start = None
        self._history = history
        self._show()
        ui.navigate.history.replace(f"/?{self.scene.query}")

    # -- changes of the position

    def _tap(self, vertex: int) -> Any:
        """Do what the tool does to a square; on a graph, which has no tools, draw the path."""
        if self.scene.board is None:
            return self._run_change(actions.tap, vertex)
        match self._controls.value(Field.TOOL):
            case "hole":
                return self._run_change(actions.toggle_hole, vertex)
            case "start" | "end" as role:
                return self._run_change(actions.toggle_end, role, vertex)
            case "require" | "forbid" as role:
                return self._choose_move(role, vertex)
            case _:
                return self._run_change(actions.tap, vertex)

    def _choose_move(self, role: str, square: int) -> Any:
        """Remember the first square of a move; at the second, require or forbid the move."""
        if self._move_start is None:
            self._move_start = square
            self._show()
            return None
        source, self._move_start = self._move_start, None
        return self._run_change(actions.toggle_move, role, source, square)

    async def _drag(self, source: int, target: int) -> None:
        """Draw a move, or require or forbid it."""
        tool = self._controls.value(Field.TOOL)
        if tool == "visit":
            await self._run_change(actions.drag, source, target)
        elif tool in ("require", "forbid"):
            await self._run_change(actions.toggle_move, tool, source, target)

    async def _set_step(self, square: int, step: int | None) -> None:
        """Set the step of a square, or with None remove it."""
        async with self._lock:
            before = self.scene
            await self._run_and_show(actions.set_step, before.position, square, step)
            self._typed_scene = None if self.scene is before else self.scene

    async def _take_back_step(self) -> None:
        """Undo the last step, since it was the beginning of a longer one that is being typed."""
        async with self._lock:
            if self.scene is self._typed_scene:
                self._go_to(self._history.undo())

    def _change_shape(self) -> Any:
        """Change the board to that in the fields, when the visitor has set both sides."""
        shape = self._controls.read_shape()
        is_incomplete = not (shape.rows and shape.columns)
        if self._controls.is_updating or (is_incomplete and self.scene.board is not None):
            return None
        return self._run_change(actions.set_shape, *shape)

    async def _show_graph(self) -> None:
        """Show the graph whose edges are in the field."""
        await self._run_opening(opening.show_graph, self._controls.value(Field.EDGES))

    async def _show_preset(self) -> None:
        """Show the board or the graph that was chosen from the list."""
        text = self._controls.value(Field.PRESET)
        if text in GRAPHS:
            await self._run_opening(opening.show_graph, text)
        elif text:
            await self._run_opening(opening.show_board, text)
        self._controls.set_value(Field.PRESET, None)  # so that it can be chosen again

    async def _run_change(self, work: Callable[..., Scene], *arguments: Any) -> None:
        """Run a change of the position in a worker, and show its scene."""
        async with self._lock:  # the position is read after the changes before this one
            await self._run_and_show(work, self.scene.position, *arguments)

    async def _run_opening(self, work: Callable[..., Scene], *arguments: Any) -> None:
        """Run a function that makes a new position in a worker, and show its scene."""
        async with self._lock:
            await self._run_and_show(work, *arguments)

    async def _run_and_show(self, work: Callable[..., Scene], *arguments: Any) -> None:
        """Run a function in a worker, and show its scene, or say why there is none."""
        try:
            scene = await self._jobs.run_brief(work, *arguments)
        except JobError as error:
            self._show()
            self._card.say(error.reason)
            return
        if (scene.position, scene.message) != (self.scene.position, self.scene.message):
            self._go_to(self._history.add(scene))

    # -- searches

    async def _solve(self) -> None:
        """Search for a tour, or for the best one by the chosen goal."""
        goal = self._controls.value(Field.GOAL)
        if goal == LONGEST:
            await self._start_search(search_actions.find_longest)
            return
        sense, _, feature = goal.partition(" ")
        await self._start_search(search_actions.solve, feature, sense)

    async def _make_puzzle(self) -> None:
        """Make a puzzle of the chosen level."""
        level = self._controls.value(Field.LEVEL)
        await self._start_search(puzzle_actions.make_new_puzzle, level)

    async def _race(self) -> None:
        """Record the two chosen searches side by side."""
        racers = map(self._controls.value, (Field.FIRST_SEARCH, Field.SECOND_SEARCH))
        await self._start_search(search_actions.race, *racers)

    async def _check(self) -> None:
        """Check the path in the text field, and show it."""
        await self._start_search(search_actions.check, self._controls.value(Field.PATH))

    async def _open_file(self, event: Any) -> None:
        """Show what is in an uploaded file."""
        content = await event.file.read()
        event.sender.reset()
        await self._start_search(opening.open_file, event.file.name, content)

    async def _start_search(self, work: Callable[..., Scene], *arguments: Any) -> None:
        """Run a search in a worker, and show its answer, unless the visitor has gone on or left."""
        while self._search is not None:
            earlier = self._search
            self.forget_search()
            await earlier.outcome()  # so that its worker is free
        search = self._search = Search(self._jobs, work, self.scene.position, *arguments)
        self._show()
        outcome = await search.outcome()
        if self._search is search:
            self._show_answer(search, outcome)

    def _show_answer(self, search: Search, outcome: Outcome) -> None:
        """Show the answer of a search that has ended, or the best tour that it had found."""
        self._search = None
        scene = outcome.scene or search.best
        if scene is None:
            self._show()
            self._card.say(outcome.problem)
            return
        if outcome.problem:
            message = f"{outcome.problem}: the best so far has {scene.message}"
            scene = replace(scene, message=message)
        if search.is_drawn(scene):
            # The improvement that the page has shown is already an entry of the history.
            self._go_to(self._history.replace_now(scene))
        else:
            self._go_to(self._history.add(scene))

    def _stop(self) -> None:
        """Stop the search; the best tour that it has found stays."""
        if self._search is not None:
            self._search.stop()

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
        self._card.show_elapsed(f"{search.seconds:.0f} s")
        if search.best is not None and search.best is not search.drawn:
            search.drawn = search.best
            self._history = self._history.add(search.best)
            self._show()


async def first_scene(jobs: JobRunner, query: Mapping[str, str], default: Position) -> Scene:
    """Return the scene that an address describes, or that of the ``default`` position.

    The default is shown if the address has neither a board nor a graph, and with a message on the
    reason if what it has cannot be shown.
    """
    try:
        scene: Scene = await jobs.run_brief(opening.open_address, dict(query), default)
    except JobError as error:
        scene = await jobs.run_brief(opening.open_address, {}, default)
        message = f"the address asks for what cannot be shown: {error.reason}"
        scene = replace(scene, message=message)
    return scene
