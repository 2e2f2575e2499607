"""Puzzles of the playground, each made by a worker: new ones, those with given clues, and files."""

from __future__ import annotations

import random
from dataclasses import replace

from kt_cp.draw.puzzles import puzzle_data, puzzle_page
from kt_cp.messages import InputError
from kt_cp.play.board_position import BoardPosition
from kt_cp.play.scene import Scene, open_board_position, scene_of
from kt_cp.play.search_actions import SEARCH_SECONDS, result_scene
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import OutOfTimeError
from kt_cp.puzzles.making import make_puzzle
from kt_cp.puzzles.puzzle import Puzzle
from kt_cp.solving import solve
from kt_dfs import Status

# Half the time of a search: if no puzzle is made in it, the rest is for finding a tour.
_PUZZLE_SECONDS = SEARCH_SECONDS / 2


def make_new_puzzle(position: bytes, level: str) -> Scene:
    """Make a puzzle on the board of a position, with other clues and its other constraints.

    Its ends, given steps and required moves are left out, since they would be clues. If there is no
    puzzle, or none is made in half the time of a search, look for a tour that meets the other
    constraints in the rest: its result says whether there is one at all.
    """
    instance = open_board_position(position).instance
    without_clues = replace(instance, start=None, end=None, givens=(), require=())
    try:
        made = make_puzzle(
            without_clues,
            seed=random.randrange(2**31),
            difficulty=level,
            time_limit=_PUZZLE_SECONDS,
        )
    except OutOfTimeError:
        made = None
    if made is not None:
        return _puzzle_scene(made)
    result = solve(without_clues, time_limit=SEARCH_SECONDS - _PUZZLE_SECONDS, certificate=True)
    scene = result_scene(BoardPosition(without_clues), result)
    if result.status is Status.IMPOSSIBLE:
        return scene
    return replace(scene, message=f"no puzzle was made in time; {scene.message}")


def complete_puzzle(position: BoardPosition) -> Scene:
    """Show the clues of a position as a puzzle; clues are added until its solution is unique."""
    made = _puzzle_with_clues(position.instance)
    if made is None:
        return scene_of(position, "impossible: these clues have no solution")
    return _puzzle_scene(made)


def puzzle_file(position: bytes) -> str:
    """Return a page on which the puzzle of a position is played offline.

    Raises `InputError` if its clues have no solution.
    """
    made = _puzzle_with_clues(open_board_position(position).instance)
    if made is None:
        raise InputError("these clues have no solution")
    return puzzle_page(made)


def _puzzle_with_clues(instance: Instance) -> Puzzle | None:
    """Return a puzzle with all constraints of an instance, or None if they have no solution.

    Raises `OutOfTimeError` if no puzzle is made in time.
    """
    return make_puzzle(instance, time_limit=_PUZZLE_SECONDS)


def _puzzle_scene(made: Puzzle) -> Scene:
    """Return the scene on which a puzzle is played."""
    message = f"puzzle: {made.solution.summary}; {made.level}, effort {made.effort}"
    scene = scene_of(BoardPosition(made.instance), message, puzzle=puzzle_data(made))
    return replace(scene, query=f"{scene.query}&puzzle=1")
