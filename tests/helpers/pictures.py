"""Tours to be drawn, and what is in a picture of SVG."""

import re
from xml.etree import ElementTree

import numpy as np

from kt_cp import solve, validate
from kt_cp.board import Board, Topology
from kt_cp.draw.look import Style, color
from kt_cp.draw.picture import Drawing, Picture, svg
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import Report

ORDERS = [Style.NUMBERS, Style.LINES, Style.ARROWS, Style.ORDER, Style.FILLED]
SVG = "{http://www.w3.org/2000/svg}"

OPEN_3X4 = [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11]
CLOSED_6X6 = [
    *(0, 8, 4, 17, 28, 20, 9, 5, 16, 29, 33, 25, 12, 1, 14, 22, 35, 27),
    *(31, 18, 7, 3, 11, 15, 23, 34, 26, 30, 19, 6, 2, 10, 21, 32, 24, 13),
]


def open_tour() -> Tour:
    return Tour(Board(3, 4), OPEN_3X4)


def closed_tour() -> Tour:
    return Tour(Board(6, 6), CLOSED_6X6, closed=True)


def torus_tour() -> Tour:
    tour = solve(Board(6, 6, topology=Topology.TORUS), closed=True).tour
    assert tour is not None
    return tour


def tours() -> list[Tour]:
    """Return tours of many kinds: open, closed, with a hole, of one square, and on a torus."""
    boards = (Board.parse("..#..\n.....\n.....\n.....\n....."), Board(1, 1))
    found = (solve(board).tour for board in boards)
    return [open_tour(), closed_tour(), *filter(None, found), torus_tour()]


def walk_of_wazir(side: int) -> Tour:
    """Return a tour of a large board without a search: row by row, there and back."""
    ids = np.arange(side * side).reshape(side, side)
    ids[1::2] = ids[1::2, ::-1]
    return Tour(Board(side, side, piece="wazir"), ids.ravel())


def parsed(drawn: Drawing | str) -> ElementTree.Element:
    return ElementTree.fromstring(svg(drawn) if isinstance(drawn, Drawing) else drawn)


def elements(drawn: Drawing | str, tag: str, **values: str) -> list[ElementTree.Element]:
    """Return the elements of SVG that have these attributes."""
    found = parsed(drawn).iter(SVG + tag)
    return [each for each in found if values.items() <= each.attrib.items()]


def corners(path: ElementTree.Element) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"[ML]([\d.]+) ([\d.]+)", path.attrib["d"])]


def segments(drawn: Drawing | str, name: str) -> int:
    """Return the number of lines in the paths of a class."""
    paths = elements(drawn, "path", **{"class": name})
    return sum(len(re.findall("[LQ]", path.attrib["d"])) for path in paths)


def words(drawn: Drawing | str) -> list[str]:
    return [text.text or "" for text in elements(drawn, "text")]


def covered(picture: Picture, *fills: str) -> list[int]:
    """Return the squares of a board of 4 columns that are drawn in these colors, or in any."""
    found: list[int] = []
    for path in elements(picture, "path", **{"class": "squares"}):
        if not fills or path.attrib["fill"] in map(color, fills):
            places = (np.array(corners(path)) - picture.corner) // picture.cell
            for (left, top), (right, _), *_ in places.reshape(-1, 4, 2).astype(int).tolist():
                found += range(4 * top + left, 4 * top + right)
    return sorted(found)


def broken() -> Report:
    """Return the report on a path on 6x6 with two holes, which has one fault of most kinds."""
    path = [*CLOSED_6X6]
    path[30], path[12], path[25] = path[2], 40, 14
    return validate(Board(6, 6, holes=[14, 15]), path, closed=True)
