"""The page as a visitor uses it, without a browser: its tools, its files and its limits."""

import asyncio
import functools
import inspect
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

pytest.importorskip("nicegui")
from nicegui import ui
from nicegui.testing import User
from nicegui.testing.user_interaction import UserInteraction
from nicegui.testing.user_simulation import user_simulation

from kt_cp.play import work
from kt_cp.play.jobs import JobRunner
from kt_cp.play.page import Playground
from kt_cp.play.position import Position
from kt_cp.play.work import Scene
from kt_cp.workers import WorkerPool
from tests.helpers.command import kt

CROSS = "##...##\n##...##\n.......\n.......\n.......\n##...##\n##...##"


POOL = WorkerPool("kt_cp.play.work:prepare", ahead=2)


@pytest.fixture(scope="module", autouse=True)
def _end_workers() -> Iterator[None]:
    yield
    POOL.end(busy=True)


def play(
    board: str,
    visit: Callable[[User], Awaitable[None]],
    runner: JobRunner | None = None,
) -> None:
    """Open the page, and do what a visitor does; ``runner`` has the workers."""
    jobs = runner or JobRunner()
    jobs.pool = POOL
    default = Position.parse(board).query

    async def page() -> None:
        Playground(jobs, await jobs.run_brief(work.open_address, {}, default))

    async def main() -> None:
        await jobs.run_brief(work.open_address, {}, default)  # the workers are ready then
        async with user_simulation() as user:
            ui.page("/", response_timeout=60)(page)
            await user.open("/")
            await visit(user)

    asyncio.run(main())


def status(user: User) -> str:
    [label] = (each for each in user.find(ui.label).elements if each.props.get("role") == "status")
    return str(label.text)


def names(user: User) -> list[str]:
    found = user.find(ui.element).elements
    return [str(each.props["aria-label"]) for each in found if "data-square" in each.props]


async def until(user: User, begins: str) -> str:
    """Wait until the status begins with some words, and return the status."""
    await until_so(user, lambda: status(user).startswith(begins), begins)
    return status(user)


async def until_named(user: User, wanted: str) -> None:
    """Wait until a square has this accessible name."""
    await until_so(user, lambda: wanted in names(user), wanted)


async def until_so(user: User, is_so: Callable[[], bool], wanted: str) -> None:
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline, (wanted, status(user))
        await asyncio.sleep(0.02)


def press(user: User, name: str) -> None:
    [button] = (each for each in user.find(ui.button).elements if each.text == name)
    UserInteraction(user, {button}, None).click()


def item(user: User, name: str) -> ui.menu_item:
    """Return the item of a menu with this text."""

    def texts(each: ui.menu_item) -> list[str]:
        return [getattr(part, "text", "") for part in (each, *each.descendants())]

    [found] = [each for each in user.find(ui.menu_item).elements if name in texts(each)]
    return found


def pick(user: User, name: str) -> None:
    UserInteraction(user, {item(user, name)}, None).click()


def is_item_disabled(user: User, name: str) -> bool:
    return bool(item(user, name).props.get("disable", False))


def tap(user: User, name: str) -> None:
    found = user.find(ui.element).elements
    [square] = (each for each in found if str(each.props.get("aria-label")).startswith(f"{name},"))
    UserInteraction(user, {square}, None).click()


def choose(user: User, name: str, value: object) -> None:
    for kind in (ui.select, ui.number, ui.checkbox, ui.textarea):
        for each in user.find(kind).elements:
            if name in (each.props.get("label"), getattr(each, "text", "")):
                each.set_value(value)
                return
    raise AssertionError(name)


def test_taps_change_the_board_and_are_undone_and_done_again() -> None:
    async def visit(user: User) -> None:
        choose(user, "A tap", "hole")
        tap(user, "a1")
        await until_named(user, "a1, hole")
        choose(user, "A tap", "start")
        tap(user, "a3")
        await until_named(user, "a3, clue, 1, start")
        choose(user, "A tap", "require")
        tap(user, "d1")
        tap(user, "b2")
        await until_named(user, "d1, empty, required move to b2")
        tap(user, "d1")
        tap(user, "c1")
        await until(user, "d1 to c1 is no knight's move")
        for _ in range(3):
            press(user, "Undo")
        assert "a1, empty" in names(user)
        press(user, "Redo")
        assert "a1, hole" in names(user)
        choose(user, "Columns", 5)
        await until_named(user, "e3, empty")
        choose(user, "Rows", 40)
        await until(user, "Boards here have at most 20 rows and columns")
        choose(user, "Begin with", ".....\n" * 5 + "; kind: closed\n; topology: torus")
        await until(user, "Closed tour of 5 × 5")
        press(user, "Solve")
        assert "closed tour of 5 × 5" in await until(user, "Found in ")

    play("3x4", visit)


def test_what_is_shown_can_be_taken_away_as_files() -> None:
    async def visit(user: User) -> None:
        press(user, "Solve")
        assert "14 components" in await until(user, "Impossible: ")
        assert is_item_disabled(user, "Tour: squares")
        pick(user, "Certificate")
        assert '"steps"' in (await user.download.next(timeout=60)).text
        choose(user, "Path or map", "6x6")
        press(user, "Open")
        await until(user, "Open tour of 6 × 6")
        press(user, "Solve")
        await until(user, "Found in ")
        assert not is_item_disabled(user, "Tour: squares")
        assert is_item_disabled(user, "Puzzle to play offline")
        [tabs] = user.find(ui.tabs).elements
        tabs.set_value("Puzzle")
        choose(user, "Level", "easy")
        press(user, "New puzzle")
        await until(user, "Puzzle: ")
        tabs.set_value("Draw")  # where the status is that of the board
        await until(user, "Open tour of 6 × 6")
        pick(user, "Puzzle to play offline")
        assert "class PuzzlePlayer" in (await user.download.next(timeout=60)).text

    play(CROSS, visit)


def test_nothing_that_a_visitor_sends_is_computed_by_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refusing(task: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(task)  # a worker, which gets its name, calls the function itself
        def refuse(*_: object) -> None:
            raise AssertionError(f"the server calls {task.__name__}")

        return refuse

    for name, task in inspect.getmembers(work, inspect.isfunction):
        if task.__module__ == work.__name__:
            monkeypatch.setattr(work, name, refusing(task))

    async def visit(user: User) -> None:
        tap(user, "a1")
        await until_named(user, "a1, 1")
        for button, begins in [
            ("Solve", "Found in "),
            ("Hint", "Every square"),
            ("Check", "Valid "),
        ]:
            press(user, button)
            await until(user, begins)
        press(user, "Clear the board")
        await until(user, "Open tour of 5 × 5")

    play("5x5", visit)


def test_a_search_is_stopped_and_leaves_no_process() -> None:
    jobs = JobRunner()

    async def visit(user: User) -> None:
        choose(user, "Look for", "minimize turns")
        press(user, "Solve")
        while not jobs.pool.busy:
            await asyncio.sleep(0.01)
        [worker] = jobs.pool.busy
        press(user, "Stop")
        await until(user, "Stopped")
        assert not psutil.pid_exists(worker.pid)
        assert (jobs.searches, jobs.pool.busy) == (0, set())
        jobs.max_searches = 0
        press(user, "Solve")
        await until(user, "Busy: ")

    play("12x12", visit, jobs)


def test_a_search_ends_when_its_visitor_leaves() -> None:
    jobs = JobRunner()

    async def visit(user: User) -> None:
        choose(user, "Look for", "minimize turns")
        press(user, "Solve")
        while not jobs.pool.busy:
            await asyncio.sleep(0.01)
        assert user.client is not None
        user.client.delete()
        while jobs.searches:
            await asyncio.sleep(0.01)
        assert not jobs.pool.busy

    play("12x12", visit, jobs)


def test_kt_play_begins_with_a_board_and_refuses_a_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[Position] = []
    monkeypatch.setattr(
        "kt_cp.play.server.serve", lambda position, *_, **__: served.append(position)
    )
    assert kt("play", "3x4", "--closed").returncode == 0
    assert [each.query for each in served] == ["board=3x4&closed=true"]
    file = tmp_path / "triangle.col"
    file.write_text("p edge 3 3\ne 1 2\ne 2 3\ne 3 1\n")
    refused = kt("play", file)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "kt solve" in refused.stderr


class ImprovingRunner(JobRunner):
    """Has a search that finds a path and, when it may, a better one, and then goes on."""

    def __init__(self) -> None:
        super().__init__()
        self.may_improve = asyncio.Event()

    async def run_search(
        self, task: Callable[..., Scene], *arguments: Any, on_improvement: Callable[[Scene], None]
    ) -> Scene:
        scene: Scene = await self.run_brief(work.change, arguments[0], Position.cleared)
        for square in (0, 8):
            scene = await self.run_brief(work.change, scene.query, Position.with_tap, square)
            on_improvement(replace(scene, message=f"length {len(scene.path_names)}"))
            await self.may_improve.wait()  # until the page has drawn it
        await asyncio.Event().wait()
        return scene


def test_undo_after_stop_shows_the_tour_that_was_seen_before() -> None:
    runner = ImprovingRunner()

    async def visit(user: User) -> None:
        press(user, "Solve")
        assert await until(user, "Searching") == "Searching …"
        assert await until(user, "Length 1") == "Length 1; looking for a better one."
        runner.may_improve.set()
        assert await until(user, "Length 2") == "Length 2; looking for a better one."
        press(user, "Stop")
        await until(user, "Stopped: the best so far has length 2")
        press(user, "Undo")
        await until(user, "Length 1")
        assert "c5, empty" in names(user)
        press(user, "Redo")
        await until(user, "Stopped: the best so far has length 2")
        press(user, "Undo")
        press(user, "Undo")
        await until(user, "Open tour of 6 × 6")

    play("6x6", visit, runner)
