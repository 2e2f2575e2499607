"""Make the moving picture at the top of the README: a search and a model on the same board.

``python scripts/hero.py`` writes ``.images/hero.svg``, an SVG whose frames are shown one after the
other, in the colors of the reader's screen. On the left the textbook's depth-first search is shown
step by step, and then at ever larger intervals. On the right the model begins with a 2-factor of
the board, whose cycles are joined until one is left. The end is shown first, and alone by programs
that move nothing.
"""

from __future__ import annotations

import argparse
import itertools
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from kt_cp import Instance
from kt_cp.draw.replays import record_model, record_visits
from kt_cp.draw.look import Look, glyph
from kt_cp.draw.look import GROUPS
from kt_cp.draw.picture import START_MARK, Picture, move_mark, svg
from kt_cp.draw.replays import Lines
from kt_cp.draw.sheet import Sheet

IMAGE = Path(__file__).parents[1] / ".images" / "hero.svg"

# The board, its start, and how many visits and backtracks of the search are shown.
INSTANCE = Instance.of("8x8", closed=True, start="a1")
STEPS = 50_000

_FRAMES = 60
_SECONDS_EACH, _SECONDS_AT_END = 0.25, 4.0  # for which a frame, and the last one, is shown
_GAP = 1.0  # squares between the boards
_ZOOM = 1.5  # by which the words are enlarged: 16 pixels at a width of 766, as the text beside them

_CAPTION = "Depth-first search beside the circuit model"  # for screen readers

# The last frame is shown first, and the others follow it. It is also all that is seen by a reader
# who wants less motion, and in programs that move nothing. The words are larger where the picture
# is shown on a phone: 12 pixels at a width of 358, with the second line moved down.
_STYLE = """<style>
.frame{{visibility:hidden;animation:frame {total:g}s step-end infinite}}
@keyframes frame{{0%{{visibility:visible}}{share:.3%}{{visibility:hidden}}}}
.frame:last-of-type{{visibility:visible;animation-name:last}}
@keyframes last{{0%{{visibility:visible}}{share_at_end:.3%}{{visibility:hidden}}}}
@media (prefers-reduced-motion:reduce){{
.frame{{animation:none}}
}}
@media (max-width:500px){{
.words-below g{{font-size:38.1px}}
.words-below .entry:last-of-type{{transform:translateY(12px)}}
}}
</style>"""

# The sheet below the boards, which is left out: the page on which the picture stands shows through.
_PAPER = re.compile(r'<rect width="[\d.]+" height="[\d.]+" fill="#ffffff"/>\n?')


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
        # The model is twice as fast as the search, and rests when it is done.
        index = min(2 * number * len(frames) // len(states), len(frames) - 1)
        yield picture(path, backtracks, frames[index])


def picture(path: list[int], backtracks: int, cycles: Lines) -> Picture:
    """Return one picture: the path of the search beside the cycles of the model."""
    board = INSTANCE.board
    sheet = Sheet(board, _CAPTION, Look(coordinates=False, title=""))
    sheet.least_zoom = _ZOOM
    model = sheet.again(board.columns + _GAP, 0)
    sheet.fill("visited", path)
    sheet.draw_moves([*itertools.pairwise(path)], "line", thickness=1.6)
    sheet.draw_mark(START_MARK, path[:1], radius=0.2)
    sheet.write_words(path[-1:], glyph(board), share=1.6, on_disc=True)
    largest_first = sorted(cycles, key=len, reverse=True)
    for cycle, role in zip(largest_first, itertools.cycle(GROUPS), strict=False):
        if len(cycles) > 1:
            model.fill(role, cycle)
        model.draw_moves([*itertools.pairwise(cycle)], "start", thickness=1.8)
    sheet.add_legend(
        f"Depth-first: {len(path)} of {len(board)} squares, {backtracks:,} backtracks",
        move_mark("line"),
    )
    result = "a closed tour" if len(cycles) == 1 else f"{len(cycles)} cycles to join"
    sheet.add_legend(f"Circuit model: {result}", move_mark("start"))
    return sheet.finish(_CAPTION)


def moving_picture() -> str:
    """Return the race as SVG: its pictures, one after the other, beginning with the last."""
    frames = [*pictures()]
    total = (len(frames) - 1) * _SECONDS_EACH + _SECONDS_AT_END
    shares = {"share": _SECONDS_EACH / total, "share_at_end": _SECONDS_AT_END / total}
    groups = [_STYLE.format(total=total, **shares)]
    *others, last = ("".join(frame.elements) for frame in frames)
    for number, elements in enumerate(others):
        begin = _SECONDS_AT_END + number * _SECONDS_EACH
        groups.append(f'<g class="frame" style="animation-delay:{begin:g}s">{elements}</g>')
    groups.append(f'<g class="frame">{last}</g>')
    moving = replace(frames[-1], caption=_CAPTION, elements=tuple(groups))
    return _PAPER.sub("", svg(moving), count=1)


def main() -> int:
    """Make the picture."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.parse_args()
    IMAGE.write_text(moving_picture())
    print(f"{IMAGE.name}: {IMAGE.stat().st_size / 1024:.0f} KiB", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
