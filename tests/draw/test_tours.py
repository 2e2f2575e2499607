"""Pictures of tours and of faults."""

import io
import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typst
from fontTools.ttLib import TTFont
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from kt_cp import solve, validate
from kt_cp.board import Board, Topology
from kt_cp.draw import output
from kt_cp.draw.faults import report_picture
from kt_cp.draw.layout import centers
from kt_cp.draw.look import SHADES, Look, Style, Theme, color
from kt_cp.draw.output import draw_tour, notebook_svg, pdf, picture_of, png
from kt_cp.draw.picture import svg
from kt_cp.draw.puzzles import board_picture
from kt_cp.draw.tours import _crossing_shares, animation, tour_picture, upper_sides
from kt_cp.messages import InputError, escape_unprintable
from kt_cp.solving import longest_cycle, longest_path, path_cover
from kt_cp.tour.features import ANGLES, MovePairs, ends_of, features
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import FaultKind, validate_moves
from tests.helpers.command import kt, python
from tests.helpers.pictures import (
    OPEN_3X4,
    ORDERS,
    SVG,
    broken,
    closed_tour,
    corners,
    covered,
    elements,
    open_tour,
    parsed,
    segments,
    torus_tour,
    tours,
    walk_of_wazir,
    words,
)


@pytest.mark.parametrize("tour", tours(), ids=repr)
def test_what_a_style_shows(tour: Tour) -> None:
    steps = {str(step) for step in range(1, len(tour) + 1)}
    sides = {str(rank) for rank in range(1, tour.board.rows + 1)}
    for style in (Style.LINES, Style.ARROWS, Style.ORDER):
        picture = tour_picture(tour, Look(style))
        shown = set(words(picture))
        assert not shown & (steps - sides)
        assert {"a", "1"} <= shown
        if tour.board.topology is Topology.FLAT and style is not Style.ORDER:
            assert segments(picture, "move") == len(tour.moves)
    assert steps <= set(words(tour_picture(tour, Look(Style.NUMBERS))))


def test_a_move_across_a_glued_edge_is_drawn_in_two_parts_that_stay_on_the_board() -> None:
    tour = torus_tour()
    squares = np.append(tour.squares, tour.squares[0])
    wrapped = ~Board(6, 6).are_moves(squares[:-1], squares[1:])
    assert wrapped.any()
    picture = tour_picture(tour)
    assert segments(picture, "move") == 36 + wrapped.sum()
    (path,) = elements(picture, "path", **{"class": "move"})
    places = (np.array(corners(path)) - picture.corner) / picture.cell
    assert -0.01 < places.min() < places.max() < 6.01


@pytest.mark.exhaustive
@pytest.mark.parametrize("style", [Style.LINES, Style.ORDER])
def test_a_board_of_a_million_squares_becomes_a_png(style: Style, tmp_path: Path) -> None:
    draw_tour(walk_of_wazir(1000), tmp_path / "large.png", style=style)
    with Image.open(tmp_path / "large.png") as image:
        assert min(image.size) >= 3000


@pytest.mark.parametrize("tour", tours()[:3], ids=repr)
def test_crossings_and_angles_are_marked_as_often_as_the_features_count_them(tour: Tour) -> None:
    counts = features(tour)
    picture = tour_picture(tour, Look(Style.CROSSINGS))
    texts = [f"{counts['crossings']} crossings"]
    if counts["uncrossed"]:
        texts.append(f"{counts['uncrossed']} moves that no other crosses")
    shown = {word.replace("1 move that", "1 moves that") for word in words(picture)}
    assert set(texts) <= shown
    assert not any(word.startswith("0 ") for word in shown)
    rings = elements(picture, "g", stroke=color("fault"))
    assert [len(each) for each in rings] == [counts["crossings"], 1]  # and in the legend
    angles = words(tour_picture(tour, Look(Style.ANGLES)))
    for degrees in ANGLES:
        count = counts["straight" if degrees == 180 else f"angle-{degrees}"]
        assert angles.count(f"{degrees}°") == count
        is_explained = any(word.startswith(f"{degrees}°: {count} square") for word in angles)
        assert is_explained == (count > 0), "nothing is explained that is not there"
    assert "angle between the two moves at a square; 180° is straight on" in " ".join(angles)


def test_a_square_that_is_left_out_has_a_cross_and_its_name() -> None:
    result = longest_cycle("5x5", workers=1)
    assert result.tour is not None
    picture = picture_of(result)
    assert picture.caption == "Longest cycle of 5 × 5: 24 of 25 squares"
    left_out = set(Board(5, 5).squares.tolist()) - set(result.tour.squares.tolist())
    assert f"left out: {Board(5, 5).name(left_out.pop())}" in words(picture)
    assert 'stroke="$muted"' in "".join(picture.elements)


def test_the_picture_of_the_best_answer_says_how_good_it_is() -> None:
    assert picture_of(path_cover("4x4")).caption == (
        "2 paths through all squares of 4 × 4: the fewest"
    )
    best = solve("5x6", closed=True, minimize="turns")
    assert picture_of(best).caption.endswith(": turns 28, optimal")
    assert picture_of(best, Look(title="Mine")).caption == "Mine"


def test_the_picture_of_the_longest_path_states_the_conditions_on_it() -> None:
    """Without these it would be false: other paths visit more squares."""
    uncrossed = picture_of(longest_path("4x4", uncrossed=True, workers=1))
    assert uncrossed.caption == "Longest path of 4 × 4 without crossings: 6 of 16 squares"
    induced = picture_of(longest_cycle("4x4", induced=True, start="a1", workers=1))
    assert induced.caption.startswith("Longest cycle of 4 × 4 without chords: ")


def test_the_numbers_of_both_ends_stand_out_and_one_square_is_numbered_once() -> None:
    shown = words(tour_picture(open_tour(), Look(Style.NUMBERS)))
    assert sum(word.startswith(("start: ", "end: ")) for word in shown) == 2
    alone = words(tour_picture(Tour(Board(1, 1), [0]), Look(Style.NUMBERS, coordinates=False)))
    assert alone.count("1") == 1
    assert not any(word.startswith("end: ") for word in alone)


def test_in_gray_the_order_of_a_closed_tour_has_no_tone_twice() -> None:
    closed = solve("6x6", closed=True).tour
    assert closed is not None
    gray = svg(tour_picture(closed, Look(Style.ORDER, theme=Theme.GRAY)))
    moves = elements(gray, "path", **{"class": "move"})
    strokes = [move.attrib["stroke"] for move in moves]
    assert len(set(strokes)) > 0.9 * len(strokes)


def test_a_style_that_the_board_does_not_allow_is_refused() -> None:
    for tour, style, message in (
        (torus_tour(), Style.CROSSINGS, "feature crossings: "),
        (torus_tour(), Style.ANGLES, "feature angle-90: "),
        (walk_of_wazir(3), Style.ANGLES, "feature angle-90: "),
        (torus_tour(), Style.FILLED, "style filled: the board has glued edges"),
        (torus_tour(), Style.WEAVE, "style weave: only for flat boards"),
    ):
        with pytest.raises(InputError, match=message):
            tour_picture(tour, Look(style))


def test_a_report_on_moves_in_no_order_is_drawn_too() -> None:
    moves = np.array([[0, 5], [6, 1], [2, 7], [7, 0], [0, 1], [5, 4], [3, 99]])
    report = validate_moves(Board(3, 3, holes=[4]), moves, closed=True)
    assert not report.valid
    assert set(report.phrases.values()) <= set(words(report_picture(report)))
    open_path = validate_moves(Board(3, 3, holes=[4]), np.array([[0, 5], [5, 6]]), closed=True)
    assert FaultKind.NOT_CLOSED in open_path.counts


@given(st.lists(st.integers(-(10**20), 10**20) | st.integers(0, 12)), st.booleans())
def test_any_path_at_all_can_be_drawn(path: list[int], closed: bool) -> None:
    parsed(report_picture(validate(Board(3, 4, holes=[5]), path, closed)))


def test_a_notebook_shows_every_value_without_matplotlib_and_typst() -> None:
    code = (
        "import sys; sys.modules |= {'matplotlib': None, 'typst': None}\n"
        "from kt_cp import Board, Tour, solve, validate\n"
        "from kt_cp import Instance\n"
        "from kt_cp.puzzles.puzzle import Puzzle\n"
        f"tour = Tour(Board(3, 4), {OPEN_3X4})\n"
        "assert tour._repr_svg_().startswith('<svg')\n"
        "assert '<svg' in validate(Board(3, 4), [0])._repr_html_()\n"
        "assert 'end: ' in solve(Board(3, 4))._repr_svg_()\n"
        "assert 'b2 has no move' in solve(Board(3, 3))._repr_svg_()\n"
        "assert '3 × 3 (zebra)' in Board(3, 3, piece='zebra')._repr_svg_()\n"
        "assert '>1<' in Puzzle(Instance.of('3x4', start=0), tour)._repr_svg_()\n"
    )
    assert python("-c", code).stderr == ""
    tour = walk_of_wazir(120)
    assert notebook_svg(tour) is None
    assert "<svg" not in validate(Board(200, 200), [])._repr_html_()


@pytest.mark.parametrize("side", [10, 50, 120])
@pytest.mark.parametrize("style", [style for style in ORDERS if style is not Style.FILLED])
def test_no_letter_is_smaller_than_11_pixels(style: Style, side: int) -> None:
    picture = tour_picture(walk_of_wazir(side), Look(style))
    sizes = re.findall(r'font-size="([\d.]+)"', svg(picture))
    assert min(map(float, sizes)) >= 11


def test_an_image_hides_the_words_beside_the_board_where_they_would_be_illegible() -> None:
    for side in (6, 30):
        picture = tour_picture(walk_of_wazir(side))
        assert "@media (max-width" in svg(picture, alone=True)
        assert "@media (max-width" not in svg(picture), "a page that holds it has its own width"
        (below,) = elements(picture, "g", **{"class": "words-below"})
        sizes = [float(each.get("font-size", "inf")) for each in below.iter()]
        assert 7 < min(sizes) * picture.legible_widths["words-below"] / picture.width < 8
    legible = [tour_picture(walk_of_wazir(side)).legible_widths["degrees"] for side in (8, 20)]
    assert legible[0] < 390 < legible[1], "a phone shows no angles of a large board"


def test_holes_amid_squares_are_shaded_and_others_left_blank_and_the_board_is_outlined() -> None:
    board = Board(4, 4, holes=[0, 3, 12, 15, 5])
    picture = board_picture(board)
    assert covered(picture, "hole") == [5]
    assert covered(picture) == [*range(1, 3), *range(4, 12), 13, 14]
    # a corner that is a hole has two sides less and two more
    assert segments(picture, "outline") == 16 + 4


def test_a_large_board_has_neither_names_nor_numbers_and_its_line_shows_the_order() -> None:
    sides = {Style.LINES: 120, Style.ORDER: 120, Style.ARROWS: 120, Style.NUMBERS: 60}
    for style, side in sides.items():
        picture = tour_picture(walk_of_wazir(side), Look(style))
        assert not {"a", "60"} & {*words(picture)}
        assert "first move to last" in words(picture)
        assert not segments(picture, "head")
        moves = elements(picture, "path", **{"class": "move"})
        assert len({each.attrib["stroke"] for each in moves}) == len(moves) == SHADES


def test_the_interior_is_filled_by_the_even_odd_rule_and_moves_have_heads() -> None:
    picture = tour_picture(closed_tour(), Look(Style.FILLED))
    assert any(word.startswith("inside: ") for word in words(picture))
    assert 'fill="$dark"' not in "".join(picture.elements), "the interior is the only tint"
    (interior,) = elements(picture, "path", **{"class": "interior"})
    assert len(corners(interior)) == 36
    assert elements(picture, "g", **{"fill-rule": "evenodd"})
    assert segments(tour_picture(open_tour(), Look(Style.ARROWS)), "head") == 2 * 11


@pytest.fixture
def without_installed_fonts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let typst see no font but those of the package, whichever this machine has."""
    fonts = typst.Fonts

    def shipped(include_system_fonts: bool, **options: Any) -> typst.Fonts:
        return fonts(include_system_fonts=False, **options)

    monkeypatch.setattr(typst, "Fonts", shipped)
    output._fonts_with.cache_clear()
    yield
    output._fonts_with.cache_clear()


def install_font(name: str, letters: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a font that has some letters, each drawn as an a."""
    font = TTFont(Path(output.FONT_FOLDERS[0]) / "DejaVuSans.ttf")
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap.update({ord(letter): "a" for letter in letters})
    for record in font["name"].names:
        if record.nameID in (1, 4, 6, 16):
            record.string = name.replace(" ", "") if record.nameID == 6 else name
    font.save(folder / f"{name}.ttf")
    monkeypatch.setattr(output, "FONT_FOLDERS", [*output.FONT_FOLDERS, str(folder)])


@pytest.mark.usefixtures("without_installed_fonts")
def test_letters_that_the_usual_font_lacks_come_from_another_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_font("Two Letters", "骑士", tmp_path, monkeypatch)
    assert png(tour_picture(open_tour(), Look(title="骑士"))).startswith(b"\x89PNG")


@pytest.mark.usefixtures("without_installed_fonts")
def test_a_book_in_japanese_is_refused_before_it_is_made_where_no_font_has_its_letters(
    tmp_path: Path,
) -> None:
    file = tmp_path / "book.pdf"
    answer = kt("puzzle", "12x12", "--language", "ja", "--book", file)
    assert answer.returncode == 2
    assert answer.stderr.count("\n") == 1
    assert "install one, such as Noto Sans CJK" in answer.stderr
    assert not file.exists()


def test_every_face_that_is_shipped_has_its_license() -> None:
    files = [file.name for file in Path(output.FONT_FOLDERS[0]).iterdir()]
    faces = {re.split("[-.]", name)[0] for name in files if "LICENSE" not in name}
    assert faces == {name.partition("-")[0] for name in files if "LICENSE" in name}


@pytest.mark.usefixtures("without_installed_fonts")
def test_pictures_for_print_are_in_the_face_of_print() -> None:
    picture = tour_picture(open_tour(), Look(style=Style.NUMBERS))
    assert color("light") in svg(picture)
    printed = tour_picture(open_tour(), Look(style=Style.NUMBERS, printed=True))
    assert color("light") not in svg(printed), "light squares are printed as no tint"
    assert b"SourceSans3" in pdf(picture)
    assert b"DejaVu" not in pdf(picture)


@given(st.text(), st.sampled_from(Theme))
@example("a <b> & 'c' \"d\"", Theme.AUTO)
@example('="$face"', Theme.AUTO)
@example('="$line"', Theme.DARK)
def test_any_title_leaves_the_svg_well_formed_and_is_shown(title: str, theme: Theme) -> None:
    root = parsed(tour_picture(open_tour(), Look(title=title, theme=theme)))
    names = ("svg", "title", "desc", "style", "rect", "g", "path", "circle", "text")
    assert {element.tag for element in root.iter()} <= {SVG + name for name in names}
    shown = (root.findtext(f"{SVG}title") or "").split()  # a space may be one that does not break
    assert shown == escape_unprintable(" ".join(title.split())).split()
    description = "open tour of 3x4, 12 squares, from a3 to d1, drawn as lines"
    assert root.findtext(f"{SVG}desc") == description


def test_every_fault_is_marked_once_a_square_and_counted() -> None:
    report = broken()
    picture = report_picture(report)
    shown = words(picture)
    assert set(report.counts) >= {FaultKind.OFF_BOARD, FaultKind.HOLE, FaultKind.REPEAT}
    assert {*report.phrases.values(), "3·31"} <= set(shown)
    wrong = report.counts[FaultKind.ILLEGAL_MOVE] + report.counts.get(FaultKind.NOT_CLOSED, 0)
    assert segments(picture, "fault") == wrong
    assert shown.count("?") == report.counts[FaultKind.MISSING]
    assert picture.description.startswith(report.verdict)
    text = svg(picture)
    assert text.rindex('class="fault"') < text.index(">3·31<")  # which stays legible


def test_an_animation_keeps_board_and_style_and_draws_the_closing_move() -> None:
    tour = closed_tour()
    for style in ORDERS:
        frames = list(animation(tour, Look(style)))
        assert [len(frames), frames[0].description] == [37, "step 1 of 36: a6"]
        assert len({(frame.width, frame.height) for frame in frames}) == 1
        assert all(segments(frame, "squares") for frame in frames)
        assert frames[-1].description == "back to a6"
        whole = segments(tour_picture(tour, Look(style)), "move")
        assert segments(frames[-1], "move") == whole
    first, *_, last = strides = list(animation(walk_of_wazir(120)))
    assert (len(strides), first.description) == (30, "step 1 of 14,400: a120")
    assert last.description == "step 14,400 of 14,400: a1"


def larger_tour() -> Tour:
    tour = solve("10x12", closed=True, seed=1).tour
    assert tour is not None
    return tour


@pytest.mark.parametrize("tour", [closed_tour(), larger_tour()], ids=repr)
def test_a_closed_band_passes_over_and_under_in_turn(tour: Tour) -> None:
    ends = centers(tour.board)[tour.moves]
    pairs = MovePairs(ends_of(tour.board, tour.moves)).crossing
    shares = _crossing_shares(ends, tour, pairs)
    visits = np.lexsort((shares.ravel(), pairs.ravel()))
    crossings, sides = np.divmod(visits, 2)
    is_over = upper_sides(shares, pairs)[crossings] == sides
    assert is_over.tolist() == [number % 2 == 0 for number in range(2 * len(pairs))]


def test_a_tour_of_one_square_has_no_band() -> None:
    picture = tour_picture(Tour(Board(1, 1), [0]), Look(Style.WEAVE))
    assert not segments(picture, "band")
    assert picture.description.endswith("drawn as weave")


@pytest.mark.parametrize(
    ("printed", "font"), [(True, "SourceSans3-Regular.otf"), (False, "DejaVuSans.ttf")]
)
def test_lines_below_a_board_use_the_width_that_their_letters_have(
    printed: bool, font: str
) -> None:
    face = TTFont(Path(output.FONT_FOLDERS[0], font))
    letters, widths, units = face.getBestCmap(), face["hmtx"], face["head"].unitsPerEm

    def width(text: str) -> float:
        return float(16 * sum(widths[letters[ord(letter)]][0] for letter in text) / units)

    title = "The lines below a board end where its last file ends, as far as words allow. " * 9
    picture = tour_picture(closed_tour(), Look(title=title, printed=printed))
    (caption,) = elements(picture, "g", **{"class": "caption"})
    lines = [text.text or "" for text in caption.iter(SVG + "text")]
    room = 6 * picture.cell * 16 / 18
    for line, following in itertools.pairwise(lines):
        assert width(line) <= room < width(f"{line} {following.split()[0]}") + 8


def test_a_picture_is_whole_pixels_as_typst_otherwise_leaves_some_out() -> None:
    for side in (5, 7, 13):
        picture = tour_picture(walk_of_wazir(side), Look(printed=True))
        with Image.open(io.BytesIO(png(picture))) as image:
            assert image.size == (2 * picture.width, 2 * picture.height)
