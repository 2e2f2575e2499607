"""Pictures of boards: empty, with the numbers of a puzzle, or with groups of squares coloured."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from string import ascii_uppercase

import numpy as np

from kt_cp.board import Board
from kt_cp.board.square_names import chess_names
from kt_cp.draw import palette
from kt_cp.draw.picture import Picture
from kt_cp.draw.sheet import (
    USUAL,
    Entry,
    Look,
    empty,
    finish,
    hatched_holes,
    lay_out,
    swatch,
    tiles,
)
from kt_cp.errors import pluralize
from kt_cp.graph import component_labels
from kt_cp.proof.certificate import Certificate
from kt_cp.proof.checker import Verdict
from kt_cp.proof.reason import Reason, ReasonKind
from kt_cp.proof.separators import component_groups

_MOST_NAMED = 4  # squares of a group in the legend


def board_picture(board: Board, look: Look = USUAL) -> Picture:
    """Describe the picture of an empty board.

    >>> board_picture(Board(3, 3, holes=[4])).description
    'board 3x3, 1 hole'
    """
    title = f"board {board.title}"
    sheet = lay_out(board, title, look)
    holes = [pluralize(len(board.holes), "hole")] if board.holes else []
    return finish(sheet, [tiles(sheet), *hatched_holes(sheet)], [], ", ".join([title, *holes]))


def groups_picture(
    board: Board, groups: Mapping[str, Iterable[int]], title: str, look: Look = USUAL
) -> Picture:
    """Describe the picture of a board on which groups of squares stand out.

    The keys of ``groups`` are their names in the legend. Each group has a colour and, unless
    squares are small, a letter; a square of several groups shows the last one.

    >>> groups = {"removed": [4, 7], "component": range(4)}
    >>> groups_picture(Board(3, 3), groups, "apart").description
    'apart; A: removed (b2 and b1); B: component (a3, b3, c3 and a2)'
    """
    sheet = lay_out(board, title, look)
    colours = empty(sheet)
    letters: dict[int, str] = {}
    legend: list[Entry] = []
    for (label, group), letter, name in zip(
        groups.items(),
        itertools.cycle(ascii_uppercase),
        itertools.chain([palette.FIRST_GROUP], itertools.cycle(palette.GROUPS)),
        strict=False,
    ):
        squares, colour = list(group), palette.rgb(name)
        colours[squares] = colour
        letters |= dict.fromkeys(squares, letter)
        few = 0 < len(squares) <= _MOST_NAMED
        which = chess_names(board, squares) if few else pluralize(len(squares), "square")
        legend.append((swatch(colour), f"{letter}: {label} ({which})"))
    words = sheet.words(np.array(list(letters), dtype=np.int64), letters.values())
    description = "; ".join([title, *(text for _, text in legend)])
    return finish(sheet, [tiles(sheet, colours), *words], legend, description)


def reason_picture(reason: Reason, look: Look = USUAL) -> Picture:
    """Describe the picture of a reason: its groups of squares, with its sentence as the title.

    >>> from kt_cp.problem.instance import Instance
    >>> from kt_cp.proof.reasons import refute
    >>> reason_picture(refute(Instance(Board(3, 3)))).description
    'b2 has no move, and a tour needs one at every square; A: square (b2)'
    """
    board = reason.board
    groups: dict[str, Iterable[int]] = dict(reason.squares)
    if reason.kind is ReasonKind.COLOURS:
        dark = board.dark(board.squares)
        groups = {"dark": board.squares[dark], "light": board.squares[~dark], **groups}
    return groups_picture(board, groups, str(reason), look)


def verdict_picture(certificate: Certificate, verdict: Verdict, look: Look = USUAL) -> Picture:
    """Describe the picture of a certificate: the decisive squares and the components without them.

    >>> from kt_cp.problem.instance import Instance
    >>> from kt_cp.proof.checker import check
    >>> from kt_cp.proof.producer import make_certificate
    >>> certificate = make_certificate(Instance(Board(3, 3)))
    >>> verdict_picture(certificate, check(certificate)).description[:51]
    'holds: open 3x3 has no tour (2 components are left,'
    """
    board = certificate.instance.board
    kept = np.array(board.mask)
    removed = [square for square in verdict.squares if square in board]
    kept[removed] = False
    edges = certificate.instance.edges
    labels = component_labels(board.area, edges[kept[edges].all(axis=1)])
    groups: dict[str, Iterable[int]] = {"decisive squares": removed} if removed else {}
    groups |= component_groups(kept, labels)
    return groups_picture(board, groups, verdict.message, look)
