"""The page as a visitor uses it, without a browser."""

import asyncio
import multiprocessing
import time
from collections.abc import Awaitable, Callable

import pytest

pytest.importorskip("nicegui")
from nicegui import ui
from nicegui.testing import User
from nicegui.testing.user_interaction import UserInteraction
from nicegui.testing.user_simulation import user_simulation

from kt_cp.play import jobs
from kt_cp.play.page import Playground
from kt_cp.play.state import Position

CROSS = "##...##\n##...##\n.......\n.......\n.......\n##...##\n##...##"
BROKEN = "1 7 4 10\n12 9 2 5\n3 6 11 8\n"


def play(board: str, visit: Callable[[User], Awaitable[None]], closed: bool = False) -> None:
    """Open the page, and do what a visitor does."""

    async def main() -> None:
        async with user_simulation(lambda: Playground(Position.parse(board, closed))) as user:
            await user.open("/")
            await visit(user)

    asyncio.run(main())


def status(user: User) -> str:
    [label] = (each for each in user.find(ui.label).elements if each.props.get("role") == "status")
    return str(label.text)


def label(user: User, name: str) -> str:
    [square] = user.find(marker=name).elements
    return str(square.props["aria-label"])


async def until(user: User, begins: str, seconds: float = 30) -> str:
    deadline = time.monotonic() + seconds
    while not status(user).startswith(begins):
        assert time.monotonic() < deadline, status(user)
        await asyncio.sleep(0.05)
    return status(user)


def press(user: User, name: str) -> None:
    [button] = (each for each in user.find(ui.button).elements if each.text == name)
    UserInteraction(user, {button}, None).click()


def choose(user: User, name: str, value: object) -> None:
    [element] = (
        each
        for kind in (ui.select, ui.radio, ui.number, ui.checkbox, ui.textarea)
        for each in user.find(kind).elements
        if name
        in (each.props.get("label"), each.props.get("aria-label"), getattr(each, "text", ""))
    )
    element.set_value(value)


def test_a_tour_is_found_and_another_and_taken_away() -> None:
    async def visit(user: User) -> None:
        press(user, "Solve")
        assert "closed tour of 6x6, 36 squares" in await until(user, "found: ")
        press(user, "Another")
        await until(user, "found: closed tour of 6x6, 36 squares, another")
        press(user, "Download")
        tour = (await user.download.next()).text
        assert sorted(map(int, tour.split())) == [*range(1, 37)]

    play("6x6", visit, closed=True)


def test_a_board_without_tour_has_a_reason_and_a_certificate() -> None:
    async def visit(user: User) -> None:
        press(user, "Solve")
        assert "14 components" in await until(user, "impossible: ")
        press(user, "Download certificate")
        assert '"steps"' in (await user.download.next()).text

    play(CROSS, visit)


def test_clicks_change_the_board_and_are_undone_and_done_again() -> None:
    async def visit(user: User) -> None:
        choose(user, "A click on a square", "hole")
        user.find(marker="a1").click()
        assert label(user, "a1") == "a1, hole"
        choose(user, "A click on a square", "start")
        user.find(marker="a3").click()
        choose(user, "A click on a square", "require")
        user.find(marker="d1").click()
        user.find(marker="b2").click()
        assert label(user, "d1") == "d1, required move to b2"
        user.find(marker="d1").click()
        user.find(marker="c1").click()
        assert status(user) == "d1 to c1 is no knight's move"
        for _ in range(3):
            press(user, "Undo")
        assert label(user, "a1") == "a1, empty"
        press(user, "Redo")
        assert label(user, "a1") == "a1, hole"
        choose(user, "Columns", 5)
        assert label(user, "e3") == "e3, empty"
        choose(user, "Rows", 40)
        assert status(user) == "a board here has at most 20 rows and columns"
        choose(user, "Preset", ".....\n" * 5 + "; kind: closed\n; topology: torus")
        press(user, "Solve")
        assert "closed tour of 5x5" in await until(user, "found: ")

    play("3x4", visit)


def test_a_visitor_draws_a_tour_with_hints() -> None:
    async def visit(user: User) -> None:
        names = ["a3", "c2", "a1", "b3", "d2", "b1", "c3", "a2", "c1", "d3", "b2", "d1"]
        for name in names[:2]:
            user.find(marker=name).click()
        assert label(user, "c2") == "c2, step 2"
        press(user, "Hint")
        await until(user, "hint: ")
        press(user, "Still possible?")
        await until(user, "possible: ")
        user.find(marker="d1").click()
        assert status(user) == "c2 to d1 is no knight's move"
        for name in names[2:]:
            user.find(marker=name).click()
        assert status(user).startswith("solved: valid open tour of 3x4, 12 squares, in 0:")
        user.find(marker="a1").click()
        assert label(user, "b3") == "b3, empty"
        press(user, "Undo")
        for name in ("a3", "a3", "b2", "d1"):  # back to the start, take it away, and go astray
            user.find(marker=name).click()
        for question in ("Still possible?", "Hint"):
            press(user, question)
            await until(user, "impossible: ")

    play("3x4", visit)


def test_a_pasted_path_is_checked_and_its_board_is_shown() -> None:
    async def visit(user: User) -> None:
        choose(user, "Path", BROKEN)
        press(user, "Check")
        told = await until(user, "not a tour: ")
        assert "is not a knight's move" in told
        assert label(user, "d3") == "d3, empty"
        choose(user, "Path", "<img src=x onerror=alert(1)>")
        press(user, "Check")
        await until(user, "invalid: it fits no notation")
        choose(user, "Path", "1 . #\n. . .\n; kind: closed")
        press(user, "Check")
        await until(user, "board: closed tour of 2x3")
        assert label(user, "a2") == "a2, step 1, start"

    play("6x6", visit)


def test_a_puzzle_is_made_and_solved() -> None:
    async def visit(user: User) -> None:
        press(user, "New puzzle")
        await until(user, "puzzle: open tour of 5x5, 25 squares; easy, effort ")
        press(user, "Download puzzle")
        assert "<script>" in (await user.download.next()).text
        press(user, "Solve")
        await until(user, "found: open tour of 5x5")

    play("5x5", visit)


def test_a_search_is_stopped_and_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    async def visit(user: User) -> None:
        choose(user, "Feature", "turns")
        press(user, "Solve")
        await until(user, "searching")
        while not jobs.running:
            await asyncio.sleep(0.01)
        press(user, "Stop")
        await until(user, "stopped")
        while jobs.running:
            await asyncio.sleep(0.01)
        monkeypatch.setattr(jobs, "MOST", 0)
        press(user, "Solve")
        await until(user, "busy: ")

    play("12x12", visit, closed=True)


def test_fifty_visitors_get_answers_or_are_told_that_it_is_busy() -> None:
    async def visit_one(user: User) -> str:
        await user.open("/")
        press(user, "Solve")
        while not status(user).startswith(("found: ", "busy: ")):
            await asyncio.sleep(0.05)
        return status(user).partition(":")[0]

    async def main() -> None:
        position = Position.parse("8x8", closed=True)
        async with user_simulation(lambda: Playground(position)) as first:
            users = [first, *(User(first.http_client) for _ in range(49))]
            told = await asyncio.gather(*map(visit_one, users))
            assert {*told} == {"found", "busy"}
            assert told.count("found") >= 2
            assert len({id(user.client) for user in users}) == 50
            assert jobs.running == 0
            assert multiprocessing.active_children() == []

    asyncio.run(main())
