"""Make the moving picture at the top of the README: a search and a model on the same board.

``python scripts/hero.py`` writes ``.images/race.gif``. On the left the textbook's depth-first
search is shown step by step, and then at ever larger intervals. On the right the model begins with
a 2-factor of the board, whose cycles are joined until one is left.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from kt_cp import Instance
from kt_cp.compare.replay_recording import record_model, record_visits
from kt_cp.draw.look import Look, glyph
from kt_cp.draw.palette import GROUPS, Theme
from kt_cp.draw.picture import START_MARK, Picture, move_mark
from kt_cp.draw.replay import Lines
from kt_cp.draw.sheet import Sheet
from kt_cp.draw.typesetting import gif

IMAGE = Path(__file__).parents[1] / ".images" / "race.gif"

# The board, its start, and how many visits and backtracks of the search are shown.
INSTANCE = Instance.of("8x8", closed=True, start="a1")
STEPS = 50_000

# Pictures; of the search, squares between the boards, and by how much the words are enlarged.
_FRAMES, _GAP, _ZOOM = 60, 1.0, 1.9


def search_states() -> list[tuple[list[int], int]]:
    """Return the path of the search and its number of backtracks, at ever larger intervals."""
    shown = set(np.geomspace(1, STEPS, 3 * _FRAMES).round().astype(int).tolist())
    path: list[int] = []
    backtracks = 0
    states: list[tuple[list[int], int]] = []
    for step, event in enumerate(record_visits(INSTANCE, "dfs", STEPS).events, start=1):
        if event < 0:
            path.pop()
            backtracks += 1
        else:
            path.append(event)
        if step in shown:
            states.append(([*path], backtracks))
    chosen = np.linspace(0, len(states) - 1, _FRAMES).round().astype(int)
    return [states[index] for index in chosen]


def pictures() -> Iterator[Picture]:
    """Yield the pictures of the race, one after the other."""
    frames = record_model(INSTANCE).frames
    states = search_states()
    for number, (path, backtracks) in enumerate(states):
        index = min(number * 2 * len(frames) // len(states), len(frames) - 1)
        yield picture(path, backtracks, frames[index])


def picture(path: list[int], backtracks: int, cycles: Lines) -> Picture:
    """Return one picture: the path of the search beside the cycles of the model."""
    board = INSTANCE.board
    caption = "Depth-first search beside the circuit model"
    sheet = Sheet(board, caption, Look(theme=Theme.LIGHT, coordinates=False, title=""))
    sheet.zoom = _ZOOM
    model = sheet.beside(board, board.columns + _GAP, 0)
    sheet.fill("visited", path)
    sheet.draw_moves([*itertools.pairwise(path)], "line", thickness=1.6)
    sheet.draw_mark(START_MARK, path[:1], radius=0.2)
    sheet.write_words(path[-1:], glyph(board), share=1.6, blank=True)
    largest_first = sorted(cycles, key=len, reverse=True)
    for cycle, role in zip(largest_first, itertools.cycle(GROUPS), strict=False):
        if len(cycles) > 1:
            model.fill(role, cycle)
        model.draw_moves([*itertools.pairwise(cycle)], "start", thickness=1.8)
    count = f"{len(path)} of {len(board)} squares, {backtracks:,} backtracks"
    sheet.add_legend(f"Depth-first search: {count}", move_mark("line"))
    told = "a closed tour" if len(cycles) == 1 else f"{len(cycles)} cycles"
    sheet.add_legend(f"Circuit model: {told}", move_mark("start"))
    return sheet.finish(caption)


def main() -> int:
    """Make the picture."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.parse_args()
    IMAGE.write_bytes(gif(pictures()))
    print(f"{IMAGE.name}: {IMAGE.stat().st_size / 1024:.0f} KiB", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
