"""Any source: what people and programs print is read as meant, or refused.

A tour is never called none, and a path that is none never a tour.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from kt_cp import Board, InputError, Reading, parse_path, solve

Place = tuple[int, int]
Template = tuple[str, str, str, str]

LISTS: dict[str, Template] = {
    "ids": ("", "{i}", " ", ""),
    "ids of Python": ("[", "{i}", ", ", "]"),
    "ids of C": ("int path[{count}] = {{", "{i}", ", ", "}};"),
    "ids by arrows": ("Path: ", "{j}", " -> ", ""),
    "ids of R": ("c(", "{j}L", ", ", ")"),
    "ids after their number": ("{count}\n", "{i}", " ", ""),
    "a solution": ("Solution 1: ", "{i}", " ", "\n"),
    "names": ("", "{s}", " ", ""),
    "names and words": ("The knight starts on ", "{s}", ", then goes to ", "."),
    "numbered names": ("", "{n}. {s}", "\n", ""),
    "names of a knight": ("", "N{s}", ", ", ""),
    "names in JSON": ('{{"squares": ["', "{s}", '", "', '"]}}'),
    "letters and numbers": ("[", "('{f}', {k})", ", ", "]"),
    "terms": ("Path = [", "sq({R},{C})", ",", "]."),
    "points": ("[", "Point(x={c}, y={r})", ", ", "]"),
    "fields": ("", '{{"row": {r}, "col": {c}}}', "\n", ""),
    "pairs of Lisp": ("(", "({r} . {c})", " ", ")"),
    "pairs by lines": ("", "{R} {C}", "\n", ""),
    "pairs of colons": ("", "{r}:{c}", " ", ""),
    "cells": ("", "R{R}C{C}", " ", ""),
    "calls": ("", "path.push_back({{{r}, {c}}});", "\n", ""),
    "rows of SQL": ("INSERT INTO tour VALUES ", "({n},{r},{c})", ",", ";"),
    "a table": ("step;row;col\n", "{n};{R};{C}", "\n", ""),
    "a table in German": ("Schritt,Spalte,Zeile\n", "{n},{c},{r}", "\n", ""),
    "a frame of R": ("   row col\n", "{n}   {R}   {C}", "\n", ""),
    "steps of numbers": ("", "Step {n}: ({r}, {c})", "\n", "\nDone in 0.5 s\n"),
    "a dump of PHP": (
        "array({count}) {{\n",
        "[{n}]=>\n array(2) {{\n  int({r})\n  int({c})",
        "\n }}\n",
        "}}",
    ),
}
STEPS: dict[str, Template] = {
    "steps of names": ("", "{s}: {n}", "\n", ""),
    "names of steps": ("", "{n} = {s}", "\n", ""),
    "rules": ("{{", "{{{R}, {C}}} -> {n}", ", ", "}}"),
    "a dict of Python": ("{{", "({r}, {c}): {n}", ", ", "}}"),
    "steps of Python": ("{{", "{n}: '{s}'", ", ", "}}"),
    "assignments": ("", "board[{r}][{c}] = {n};", "\n", ""),
}
MOVES: dict[str, Template] = {
    "moves": ("", "{s}-{s2}", " ", ""),
    "moves in words": ("", "Move {n}: from {s} to {s2}", "\n", ""),
    "moves of engines": ("", "{s}{s2}", " ", ""),
    "facts": ("", "move({R},{C},{R2},{C2}).", " ", ""),
    "an answer of clingo": (
        "Solving...\nAnswer: 1\n",
        "move(cell({r},{c}),cell({r2},{c2}))",
        " ",
        "\nSATISFIABLE\n\nModels : 1+\n",
    ),
    "a graph of Graphviz": ("digraph {{\n", "  {s} -> {s2};", "\n", "\n}}"),
    "edges": ("", "{i} {i2}", "\n", ""),
    "edges of Mathematica": ("{{", "{j} \\[UndirectedEdge] {j2}", ", ", "}}"),
    "moves of pairs": ("", "({r},{c}) -> ({r2},{c2})", "\n", ""),
    "numbered moves of pairs": ("", "{n}: ({R}, {C}) to ({R2}, {C2})", "\n", ""),
}
# The text before the board, before a row, between its cells, behind a row, and behind the board.
BOARDS: dict[str, tuple[str, str, str, str, str]] = {
    "blanks": ("", "", " ", "\n", ""),
    "a result": ("ans =\n\n", "   ", "   ", "\n", "\n>> "),
    "sizes": ("{rows} {columns}\n", "", " ", "\n", ""),
    "sizes apart": ("{rows}\n{columns}\n", "", "\t", "\n", ""),
    "a heading": ("Solved in 0.002 s with {count} steps\n", "", " ", "\n", ""),
    "a case": ("Case #1: YES\n", "", " ", "\n", ""),
    "an ending": ("", "", ",", "\n", "Functions called: 4711\n"),
    "a fence": ("```text\n", "", " ", "\n", "```\n"),
    "a quotation": ("On Monday Bob wrote:\n", "> ", " ", "\n", ""),
    "a comment": ("/**\n", " * ", " ", "\n", " */"),
    "ranks": ("", "{rank}  ", " ", " {rank}\n", "   {files}\n"),
    "numbers of rows": ("   {numbers}\n", "{row} ", " ", "\n", ""),
    "words": ("", "Row {R}: ", ", ", "\n", ""),
    "a matrix of R": ("     {heads}\n", "[{R},] ", " ", "\n", ""),
    "TeX": ("\\begin{{array}}{{cc}}\n", "", " & ", " \\\\\n", "\\end{{array}}"),
    "HTML": ("<table>", "<tr><td>", "</td><td>", "</td></tr>", "</table>"),
    "Markdown": ("| |{files}|\n|---|\n", "|{rank}|", "|", "|\n", ""),
    "a wiki": ('{{| class="wikitable"\n', "|-\n| ", " || ", "\n", "|}}"),
    "C": ("int board[{rows}][{columns}] = {{\n", "  {{", ", ", "}},\n", "}};"),
    "Maple": ("Matrix({rows}, {columns}, [", "[", ", ", "], ", "])"),
    "Scheme": ("#(", "#(", " ", ") ", ")"),
    "OCaml": ("[|", "[|", "; ", "|]; ", "|]"),
    "frames": ("+--+--+\n", "| ", " | ", " |\n+--+--+\n", ""),
    "a spreadsheet": ("sep=;\n", "", ";", "\n", ""),
}


def fields(place: Place, rows: int, columns: int, mark: str = "") -> dict[str, object]:
    """Return the ways to name a square; ``mark`` is added to their keys."""
    (row, column), letter = place, chr(97 + place[1])
    values = {
        **{"i": row * columns + column, "j": row * columns + column + 1},
        **{"s": f"{letter}{rows - row}", "f": letter, "k": rows - row},
        **{"r": row, "c": column, "R": row + 1, "C": column + 1},
    }
    return {f"{key}{mark}": value for key, value in values.items()}


def listed(
    template: Template, path: Sequence[Place], rows: int, columns: int, order: Random
) -> str:
    """Return a path in a template, in the order of `STEPS` if it is one of these."""
    before, item, joint, after = template
    entries = [
        {"n": step, **fields(place, rows, columns)} for step, place in enumerate(path, start=1)
    ]
    if template in MOVES.values():
        ends = [fields(place, rows, columns, "2") for place in path]
        entries = [entry | end for entry, end in zip(entries, ends[1:], strict=False)]
    if template in STEPS.values() or (template in MOVES.values() and "{n}" not in item):
        order.shuffle(entries)
    count = len(path)
    items = joint.format().join(item.format(**entry) for entry in entries)
    return f"{before.format(count=count)}{items}{after.format(count=count)}"


def drawn(how: str, path: Sequence[Place], rows: int, columns: int) -> str:
    """Return a numbered board, on which # marks the squares that the path does not visit."""
    before, row_before, joint, row_after, after = BOARDS[how]
    steps = {place: str(step) for step, place in enumerate(path, start=1)}
    around = {
        **{"rows": rows, "columns": columns, "count": len(path)},
        "files": "  ".join(chr(97 + column) for column in range(columns)),
        "numbers": " ".join(str(column) for column in range(columns)),
        "heads": " ".join(f"[,{column}]" for column in range(1, columns + 1)),
    }
    if how == "Markdown":
        around["files"] = "|".join(chr(97 + column) for column in range(columns))
    lines = []
    for row in range(rows):
        labels = {"row": row, "R": row + 1, "rank": rows - row}
        cells = joint.join(steps.get((row, column), "#") for column in range(columns))
        lines.append(row_before.format(**labels) + cells + row_after.format(**labels))
    return before.format(**around) + "".join(lines) + after.format(**around)


def dressed(text: str, rng: Random) -> str:
    """Return a text with a heading or an end, or with characters that mean the same."""
    match rng.choice(["as it is", "headed", "ended", "CRLF", "BOM", "full width", "indented"]):
        case "headed":
            return rng.choice(["Tour:\n", "Found after 3 ms:\n", "# by hand\n", "\n\n"]) + text
        case "ended":
            return text + rng.choice(["\n\n", "\nTime: 0.02 seconds\n", "\n# end\n"])
        case "CRLF":
            return text.replace("\n", "\r\n")
        case "BOM":
            return "\ufeff" + text
        case "full width":
            return "".join(chr(ord(each) + 0xFEE0) if each.isdigit() else each for each in text)
        case "indented":
            return "\n".join("    " + line for line in text.split("\n"))
    return text


# Forms that were met in public reports, with one tour of 4x5 and the same with two steps exchanged.
_BLOCKS = (Path(__file__).parent / "data/sources.txt").read_text(encoding="utf-8").split("=== ")[1:]
SOURCES = {name: text for name, _, text in (block.partition("\n") for block in _BLOCKS)}
WHOLE = [name for name in SOURCES if not name.endswith(".broken")]

BOARDS_TRIED = [
    *(("4x5", False, ()), ("3x10", False, ()), ("5x5", False, ()), ("8x8", True, ())),
    ("5x5", False, (12,)),
]
HOWS = [*BOARDS, *LISTS, *STEPS, *MOVES]


def read(text: str, board: Board | None = None) -> Reading | None:
    try:
        return parse_path(text, board)
    except InputError:
        return None


@pytest.mark.parametrize("name", WHOLE)
def test_a_tour_is_read_from_any_source_and_a_broken_one_is_none(name: str) -> None:
    reading, broken = parse_path(SOURCES[name]), read(SOURCES[f"{name}.broken"])
    assert reading.verdict in {f"valid open tour of {size}, 20 squares" for size in ("4x5", "5x4")}
    assert broken is None or broken.verdict == "not a tour: 4 illegal moves"


@cache
def tour_of(size: str, closed: bool, holes: tuple[int, ...], seed: int) -> list[Place]:
    rows, columns = map(int, size.split("x"))
    tour = solve(Board(rows, columns, holes), closed=closed, seed=seed).tour
    assert tour is not None
    return [divmod(square, columns) for square in tour]


def written(how: str, path: Sequence[Place], rows: int, columns: int, rng: Random) -> str:
    if how in BOARDS:
        return drawn(how, path, rows, columns)
    template = (LISTS | STEPS | MOVES)[how]
    return listed(template, path, rows, columns, rng)


def damaged(path: list[Place], rng: Random) -> list[Place]:
    """A path with two squares exchanged, one twice, one left out, or one too many at an end."""
    path, first, second = [*path], *rng.sample(range(1, len(path) - 1), 2)
    match rng.choice(["exchanged", "twice", "left out", "in front", "behind"]):
        case "exchanged":
            path[first], path[second] = path[second], path[first]
        case "twice":
            path[first] = path[second]
        case "left out":
            del path[first]
        case "in front":
            path.insert(0, path[0])
        case "behind":
            path.append(path[first])
    return path


def is_legal(path: Sequence[Place]) -> bool:
    return all({abs(a - c), abs(b - d)} == {1, 2} for (a, b), (c, d) in pairwise(path))


@pytest.mark.parametrize(
    "seeds",
    [
        range(60),
        *(pytest.param(range(n, n + 1000), marks=pytest.mark.exhaustive) for n in (10**4,)),
    ],
)
def test_the_verdict_is_that_of_the_plain_path(seeds: Iterable[int]) -> None:
    refused = []
    for seed in seeds:
        rng = Random(seed)
        size, closed, holes = rng.choice(BOARDS_TRIED)
        rows, columns = map(int, size.split("x"))
        board = Board(rows, columns, holes)
        whole = tour_of(size, closed, holes, rng.randrange(3))
        how = rng.choice(HOWS)
        path = whole if rng.random() < 0.5 else damaged(whole, rng)
        if how in (*BOARDS, *STEPS) and len({*path}) < len(path):
            path = whole  # a square has one number
        text = written(how, path, rows, columns, rng)
        if how != "TSPLIB":  # whose tours have nothing around them
            text = dressed(text, rng)
        told = board if how not in BOARDS and (holes or rng.random() < 0.3) else None
        reading = read(text, told)
        is_tour = {*path} == {*whole} and len(path) == len(whole) and is_legal(path)
        if reading is None:
            refused.append((seed, how))
        elif is_tour or len(reading.graph) == len(board):
            assert reading.valid == is_tour, (seed, how, text, reading.verdict, reading.read_as)
    assert len(refused) <= 0.05 * len([*seeds]), refused


@pytest.mark.parametrize("head", ["5 6\n", "5\n6\n", "30\n", "5 6 30\n", "N=5, M=6\n"])
@pytest.mark.parametrize("first", [0, 1])
def test_sizes_ahead_of_pairs_are_no_square(head: str, first: int) -> None:
    path = tour_of("5x6", False, (), 0)
    rows = [f"{row + first} {column + first}\n" for row, column in path]
    assert parse_path(head + "".join(rows)).verdict == "valid open tour of 5x6, 30 squares"
    before_it = [place for place in path if is_legal([place, path[0]])]
    for row, column in (path[0], before_it[0]):  # one square too many
        reading = read(f"{row + first} {column + first}\n" + "".join(rows))
        assert reading is None or not reading.valid


def test_sizes_that_may_continue_the_path_are_refused() -> None:
    path = solve("5x6", start=(3, 3)).tour
    assert path is not None
    rows = "".join(f"{square // 6 + 1} {square % 6 + 1}\n" for square in path)
    with pytest.raises(InputError, match="5 6 may be the size of the board, or a square"):
        parse_path("5 6\n" + rows)
