"""Pictures of tours and of faults."""

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from fontTools.ttLib import TTFont
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from kt_cp import Board, FaultKind, InputError, Tour, features, validate
from kt_cp.board import Topology
from kt_cp.draw import output
from kt_cp.draw.faults import report_picture
from kt_cp.draw.output import draw_tour, notebook_svg, png
from kt_cp.draw.palette import SHADES, Theme
from kt_cp.draw.picture import Discs, Picture, Shapes, Texts, svg
from kt_cp.draw.puzzle import board_picture
from kt_cp.draw.sheet import Look, Sheet, Style
from kt_cp.draw.tour import animation, tour_picture
from kt_cp.errors import printable
from kt_cp.solving import solve
from kt_cp.tour.feature_table import ANGLES
from kt_cp.tour.validator import Report, validate_moves
from tests.helpers.command import python

ORDERS = [Style.NUMBERS, Style.LINES, Style.ARROWS, Style.ORDER, Style.FILLED]
SVG = "{http://www.w3.org/2000/svg}"

ANGLE_FEATURES = [f"angle-{degrees}" for degrees in (37, 53, 90, 127, 143)]

OPEN_3X4 = [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11]
CLOSED_6X6 = [
    *(0, 8, 4, 17, 28, 20, 9, 5, 16, 29, 33, 25, 12, 1, 14, 22, 35, 27),
    *(31, 18, 7, 3, 11, 15, 23, 34, 26, 30, 19, 6, 2, 10, 21, 32, 24, 13),
]


def open_tour() -> Tour:
    return Tour(Board(3, 4), OPEN_3X4)


def tours() -> list[Tour]:
    """Open and closed, with a hole, of another piece, and on glued edges."""
    boards = [
        (Board(6, 6), True),
        (Board.parse("..#..\n.....\n.....\n.....\n....."), False),
        (Board(6, 6, topology=Topology.TORUS), True),
        (Board(1, 1), False),
    ]
    found = [solve(board, closed=closed).tour for board, closed in boards]
    return [open_tour(), *(tour for tour in found if tour is not None)]


def walk_of_wazir(side: int) -> Tour:
    """A tour of a large board at no cost: row by row, there and back."""
    ids = np.arange(side * side).reshape(side, side)
    ids[1::2] = ids[1::2, ::-1]
    return Tour(Board(side, side, piece="wazir"), ids.ravel())


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def segments(root: ElementTree.Element, name: str) -> int:
    paths = root.findall(f"{SVG}path[@class='{name}']")
    return sum(path.attrib["d"].count("L") for path in paths)


def layers(picture: Picture, name: str) -> list[Shapes]:
    return [each for each in picture.layers if isinstance(each, Shapes) and each.name == name]


def covered(picture: Picture, *fills: str) -> list[int]:
    """The squares of a 4x4 board, 64 pixels each, that are drawn in these colors, or at all."""
    corners = [
        (each - picture.corner) // picture.cell
        for layer in layers(picture, "squares")
        if not fills or layer.fill in fills
        for each in layer.corners
    ]
    runs = [(each[0][1] * 4 + column) for each in corners for column in np.arange(*each[:2, 0])]
    return sorted(map(int, runs))


def words(root: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("style", [Style.LINES, Style.ARROWS])
def test_an_svg_has_one_segment_for_each_move(style: Style) -> None:
    for tour in tours():
        if tour.board.topology is Topology.FLAT:
            root = parsed(svg(tour_picture(tour, Look(style))))
            assert segments(root, "move") == len(tour) - (not tour.closed)


def test_a_move_across_a_glued_edge_is_drawn_in_two_parts_that_stay_on_the_board() -> None:
    board = Board(6, 6, topology=Topology.TORUS)
    tour = solve(board, closed=True).tour
    assert tour is not None
    squares = np.append(tour.squares, tour.squares[0])
    wrapped = ~Board(6, 6).are_moves(squares[:-1], squares[1:])
    assert wrapped.any()
    picture = tour_picture(tour)
    assert segments(parsed(svg(picture)), "move") == 36 + wrapped.sum()
    path = parsed(svg(picture)).find(f"{SVG}path[@class='move']")
    assert path is not None
    points = re.findall(r"[ML]([\d.]+) ([\d.]+)", path.attrib["d"])
    for x, y in ((float(x), float(y)) for x, y in points):
        assert 0 < x < picture.width
        assert 0 < y < picture.height


@pytest.mark.parametrize(
    "style", [pytest.param(Style.LINES, marks=pytest.mark.exhaustive), Style.HEAT]
)
@pytest.mark.exhaustive
def test_a_board_of_a_million_squares_becomes_a_png(style: Style, tmp_path: Path) -> None:
    draw_tour(walk_of_wazir(1000), tmp_path / "large.png", style=style)
    with Image.open(tmp_path / "large.png") as image:
        assert min(image.size) >= 3000


@pytest.mark.parametrize("tour", tours()[:3], ids=repr)
def test_crossings_and_angles_are_marked_as_often_as_the_features_count_them(tour: Tour) -> None:
    counts = features(tour)
    picture = tour_picture(tour, Look(Style.CROSSINGS))
    root = parsed(svg(picture))
    texts = f"{counts['crossings']} crossings", f"{counts['uncrossed']} moves that no other crosses"
    assert set(texts) <= {word.replace("1 move that", "1 moves that") for word in words(root)}
    marks = next(layer for layer in picture.layers if isinstance(layer, Discs))
    assert len(marks.centers) == counts["crossings"]
    shown = words(parsed(svg(tour_picture(tour, Look(Style.ANGLES)))))
    for degrees, name in zip(ANGLES, [*ANGLE_FEATURES, "straight"], strict=True):
        assert shown.count(str(degrees)) == counts[name]
        assert any(word.startswith(f"{degrees}°: {counts[name]} square") for word in shown)


def test_features_that_are_not_defined_are_not_drawn() -> None:
    torus = solve(Board(6, 6, topology=Topology.TORUS), closed=True).tour
    assert torus is not None
    for tour, style in (
        (torus, Style.CROSSINGS),
        (torus, Style.ANGLES),
        (walk_of_wazir(3), Style.ANGLES),
    ):
        with pytest.raises(InputError, match=r"feature (crossings|angle-90): "):
            tour_picture(tour, Look(style))


def _write_font(file: Path, letters: str) -> None:
    """Write a font of another name that has these letters too."""
    font = TTFont(Path(output.FONTS[0]) / "DejaVuSans.ttf")
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap.update(dict.fromkeys(map(ord, letters), "a"))
    for record in font["name"].names:
        if record.nameID in (1, 4, 16):
            record.string = "Two Letters"
    font.save(file)


def broken() -> Report:
    """A path on a 6x6 board with two holes and one fault of most kinds."""
    path = [*CLOSED_6X6]
    path[30], path[12], path[25] = path[2], 40, 14
    return validate(Board(6, 6, holes=[14, 15]), path, closed=True)


def test_a_report_on_moves_in_no_order_is_drawn_too() -> None:
    moves = np.array([[0, 5], [6, 1], [2, 7], [7, 0], [0, 1], [5, 4], [3, 99]])
    report = validate_moves(Board(3, 3, holes=[4]), moves, closed=True)
    assert not report.valid
    assert set(report.phrases.values()) <= set(words(parsed(svg(report_picture(report)))))
    open_path = validate_moves(Board(3, 3, holes=[4]), np.array([[0, 5], [5, 6]]), closed=True)
    assert FaultKind.NOT_CLOSED in open_path.counts
    assert not layers(report_picture(open_path), "fault")  # a mark, as no move is wrong


def test_a_numbered_board_with_gaps_is_drawn_with_its_own_numbers() -> None:
    report = validate(Board(3, 4), {0: 1, 6: 2, 8: 2, 1: 9})
    assert {FaultKind.SAME_STEP, FaultKind.NO_STEP} <= set(report.counts)
    picture = report_picture(report)
    shown = words(parsed(svg(picture)))
    assert [word for word in shown if word.isdigit()].count("2") == 2 + 1  # and the rank
    assert "9" in shown
    lines = [x for x in picture.layers if isinstance(x, Shapes) and x.corners.shape[1] == 2]
    underlined = [len(layer.corners) for layer in lines if layer.name == "mark"]
    assert underlined == [2, 1]  # the numbers before and after the gap, and the legend


@given(st.lists(st.integers(-(10**20), 10**20) | st.integers(0, 12)), st.booleans())
def test_any_path_at_all_can_be_drawn(path: list[int], closed: bool) -> None:
    report = validate(Board(3, 4, holes=[5]), path, closed)
    parsed(svg(report_picture(report)))


def test_a_notebook_shows_every_value_without_matplotlib_and_typst() -> None:
    code = (
        "import sys; sys.modules |= {'matplotlib': None, 'typst': None}\n"
        "from kt_cp import Board, Tour, solve, validate\n"
        "from kt_cp import Instance\n"
        "from kt_cp.puzzles.puzzle import Puzzle\n"
        f"tour = Tour(Board(3, 4), {OPEN_3X4})\n"
        "assert tour._repr_svg_().startswith('<svg')\n"
        "assert '<svg' in validate(Board(3, 4), [0])._repr_html_()\n"
        "assert 'step 12: ' in solve(Board(3, 4))._repr_svg_()\n"
        "assert 'too few moves: b2' in solve(Board(3, 3))._repr_svg_()\n"
        "assert '3 × 3 (zebra)' in Board(3, 3, piece='zebra')._repr_svg_()\n"
        "assert '>1<' in Puzzle(Instance.of('3x4', start=0), tour)._repr_svg_()\n"
    )
    assert python("-c", code).stderr == ""


def test_a_notebook_shows_a_large_tour_as_text() -> None:
    tour = walk_of_wazir(120)
    assert notebook_svg(tour, tour.board) is None
    assert "<svg" not in validate(Board(200, 200), [])._repr_html_()


def test_lines_show_no_number_and_numbers_show_every_step() -> None:
    for tour in tours():
        steps = {str(step) for step in range(1, len(tour) + 1)}
        sides = {str(rank) for rank in range(1, tour.board.rows + 1)}
        for style in (Style.LINES, Style.ARROWS, Style.ORDER):
            shown = set(words(parsed(svg(tour_picture(tour, Look(style))))))
            assert not shown & (steps - sides)
            assert {"a", "1"} <= shown
        assert steps <= set(words(parsed(svg(tour_picture(tour, Look(Style.NUMBERS))))))


@pytest.mark.parametrize("side", [10, 30, 50, 90, 120])
@pytest.mark.parametrize("style", ORDERS)
def test_no_letter_is_smaller_than_11_pixels(style: Style, side: int) -> None:
    if style is not Style.FILLED:
        picture = tour_picture(walk_of_wazir(side), Look(style))
        texts = [layer for layer in picture.layers if isinstance(layer, Texts)]
        assert min(layer.size for layer in texts) >= 11


def test_numbers_that_would_be_illegible_are_replaced_by_the_order() -> None:
    picture = tour_picture(walk_of_wazir(60), Look(Style.NUMBERS))
    assert "60" not in words(parsed(svg(picture)))
    assert len({layer.stroke for layer in layers(picture, "move")}) == SHADES


def test_heat_is_another_name_for_order() -> None:
    assert Look(Style.HEAT).style is Look("heat").style is Style.ORDER  # type: ignore[arg-type]


def test_holes_are_left_blank_and_the_board_is_outlined() -> None:
    board = Board(4, 4, holes=[0, 3, 12, 15, 5])
    picture = board_picture(board)
    assert covered(picture) == board.squares.tolist()
    (outline,) = layers(picture, "outline")
    assert len(outline.corners) == 16 + 4  # a corner that is a hole has two sides less and two more


def test_a_large_board_has_neither_names_nor_dark_squares_and_its_line_shows_the_order() -> None:
    for style in (Style.LINES, Style.ORDER, Style.ARROWS):
        picture = tour_picture(walk_of_wazir(120), Look(style))
        shown = words(parsed(svg(picture)))
        assert "a" not in shown
        assert "from step 1 to step 14,400" in shown
        assert not layers(picture, "head")
        assert len(layers(picture, "move")) == SHADES


def test_the_interior_of_a_closed_tour_is_filled_by_the_even_odd_rule() -> None:
    tour = Tour(Board(6, 6), CLOSED_6X6, closed=True)
    picture = tour_picture(tour, Look(Style.FILLED))
    (interior,) = layers(picture, "interior")
    assert interior.corners.shape == (1, 36, 2)
    assert 'fill-rule="evenodd"' in svg(picture)
    torus = solve(Board(6, 6, topology=Topology.TORUS), closed=True).tour
    assert torus is not None
    with pytest.raises(InputError, match="style filled: the board has glued edges"):
        tour_picture(torus, Look(Style.FILLED))


def test_there_is_a_chevron_on_each_move() -> None:
    picture = tour_picture(open_tour(), Look(Style.ARROWS))
    assert [len(layer.corners) for layer in layers(picture, "head")] == [2 * 11]


def test_letters_that_the_usual_font_lacks_come_from_another_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = tour_picture(open_tour(), Look(title="骑士"))
    with pytest.raises(InputError, match="font has all of the letters 士骑: install one"):
        png(picture)
    _write_font(tmp_path / "font.ttf", "士骑")
    monkeypatch.setattr(output, "FONTS", [*output.FONTS, str(tmp_path)])
    assert png(picture).startswith(b"\x89PNG")


@given(st.text(), st.sampled_from(Theme))
@example("a <b> & 'c' \"d\"", Theme.AUTO)
def test_any_title_leaves_the_svg_well_formed_and_is_shown(title: str, theme: Theme) -> None:
    root = parsed(svg(tour_picture(open_tour(), Look(title=title, theme=theme))))
    names = ("svg", "title", "desc", "style", "rect", "g", "path", "circle", "text")
    assert {element.tag for element in root.iter()} <= {SVG + name for name in names}
    shown = root.findtext(f"{SVG}title") or ""  # which may be broken where there is no space
    assert shown.replace(" ", "") == printable("".join(title.split())).replace(" ", "")
    description = "open tour of 3x4, 12 squares, from a3 to d1, drawn as lines"
    assert root.findtext(f"{SVG}desc") == description


def test_every_fault_is_marked_once_a_square_and_counted() -> None:
    report = broken()
    picture = report_picture(report)
    root = parsed(svg(picture))
    assert set(report.counts) >= {FaultKind.OFF_BOARD, FaultKind.HOLE, FaultKind.REPEAT}
    assert set(report.phrases.values()) <= set(words(root))
    wrong = report.counts[FaultKind.ILLEGAL_MOVE] + report.counts.get(FaultKind.NOT_CLOSED, 0)
    curves = [len(layer.corners) for layer in layers(picture, "fault")]
    assert sum(curves) == 12 * wrong
    assert words(root).count("?") == report.counts[FaultKind.MISSING]
    assert "3,31" in words(root)
    assert picture.description.startswith(report.verdict)
    order = [getattr(layer, "words", layer.fill) for layer in picture.layers]
    steps = next(i for i, words in enumerate(order) if "3,31" in (words or ""))
    assert picture.layers.index(layers(picture, "fault")[-1]) < steps  # which stay legible


def test_a_square_that_is_visited_often_has_one_ring_and_a_count() -> None:
    picture = report_picture(validate(Board(3, 4), [0, 6, 0, 6, 0, 6, 8]))
    rings = [x for x in picture.layers if isinstance(x, Discs) and x.stroke == "fault"]
    assert [len(layer.centers) for layer in rings] == [2, 1]  # on the board and in the legend
    assert words(parsed(svg(picture))).count("3×") == 2


def test_illegal_moves_between_the_same_squares_are_drawn_apart() -> None:
    picture = report_picture(validate(Board(3, 3), [0, 1, 0, 1]))
    (faults,) = layers(picture, "fault")
    middles = faults.corners.reshape(3, -1, 2, 2)[:, 6, 0]
    assert len(np.unique(middles.round(3), axis=0)) == 3


def test_a_long_legend_is_wrapped_and_a_short_one_stands_in_columns() -> None:
    long, short = "a text that is far too long for one line of so small a picture", "x"
    for texts, lines in (([long, short], 3), ([short, short], 1)):
        sheet = Sheet(Board(3, 3), "")
        for text in texts:
            sheet.tell(text)
        shown = [x for x in sheet.finish("").layers if isinstance(x, Texts)]
        ys = np.concatenate([layer.points[:, 1] for layer in shown if not layer.centered])
        assert len(np.unique(ys)) == lines


def test_an_animation_keeps_board_and_style_and_draws_the_closing_move() -> None:
    tour = Tour(Board(6, 6), CLOSED_6X6, closed=True)
    for style in ORDERS:
        frames = list(animation(tour, Look(style)))
        assert [len(frames), frames[0].description] == [37, "step 1 of 36: a6"]
        assert {(frame.width, frame.height) for frame in frames} == {
            (frames[0].width, frames[0].height)
        }
        assert all(layers(frame, "squares") for frame in frames)
        whole = tour_picture(tour, Look(style))
        last = frames[-1]
        assert last.description == "back to a6"
        assert sum(len(layer.corners) for layer in layers(last, "move")) == sum(
            len(layer.corners) for layer in layers(whole, "move")
        )


def test_on_a_large_board_the_walk_takes_longer_strides() -> None:
    frames = list(animation(walk_of_wazir(120)))
    assert len(frames) == 30
    assert [frame.description for frame in frames[::29]] == [
        "step 1 of 14,400: a120",
        "step 14,400 of 14,400: a1",
    ]
