"""Ways in which people and programs hand over a path, written without any code of the package.

A path is a list of (row, column) pairs from the top left. `hand_over` chooses at random a notation,
the way in which its items are joined, what stands around them, and the characters.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

Place = tuple[int, int]


@dataclass(frozen=True)
class Handover:
    """The text of a path, and a description of how it was written."""

    text: str
    how: str


def letters(column: int) -> str:
    """Return the letters of a column: a to z, then aa."""
    return (chr(96 + column // 26) if column >= 26 else "") + chr(97 + column % 26)


def chess(place: Place, rows: int) -> str:
    """Return the chess name of a square."""
    return f"{letters(place[1])}{rows - place[0]}"


def grid_rows(path: Sequence[Place], rows: int, columns: int, first: int) -> list[list[str]]:
    steps = {place: str(step) for step, place in enumerate(path, first)}
    return [[steps.get((row, column), "#") for column in range(columns)] for row in range(rows)]


def pairs_of(path: Sequence[Place], rng: Random) -> tuple[list[Place], str]:
    """Return a path as pairs, counted from 0 or 1, row or column first, and say which."""
    first, flipped = rng.choice([0, 1]), rng.random() < 0.4
    pairs = [(row + first, column + first) for row, column in path]
    if flipped:
        pairs = [(column, row) for row, column in pairs]
    return pairs, f"from {first}{', column first' if flipped else ''}"


def write_ids(path: Sequence[Place], rows: int, columns: int, rng: Random) -> Handover:
    first = rng.choice([0, 1])
    ids = [row * columns + column + first for row, column in path]
    joint = rng.choice([" ", ", ", ",", "\n", "; ", " -> ", "->", "\t", ",\n", " > ", "  "])
    forms: list[Callable[[int], str]] = [str, str, "{}.0".format, "np.int64({})".format]
    form = rng.choice(forms)
    if joint == "->" or " >" in joint:
        form = str
    return Handover(joint.join(map(form, ids)), f"ids from {first} by {joint!r}")


def write_names(path: Sequence[Place], rows: int, columns: int, rng: Random) -> Handover:
    names = [chess(place, rows) for place in path]
    form = rng.choice(["{}", "{}", "N{}", "S{}", "'{}'", '"{}"', "\u2658{}"])
    if rng.random() < 0.2 and form == "{}":
        names = [name.upper() for name in names]
    joint = rng.choice([" ", ", ", "-", "\n", " -> ", "\u2192", ",", "; "])
    if joint == "; ":
        joint = " "
    if rng.random() < 0.2 and form == "{}":
        text = " ".join(f"{step}. {name}" for step, name in enumerate(names, 1))
        return Handover(text, "numbered names")
    return Handover(joint.join(map(form.format, names)), f"names as {form} by {joint!r}")


PAIR_FORMS = [
    *("({},{})", "({}, {})", "[{}, {}]", "{{{}, {}}}", "({} {})", "{}, {}\n", "{} {}\n", "{},{} "),
    *("{}/{} ", "{}:{}; ", "new Point({}, {})", "(np.int64({}), np.int64({}))", "- [{}, {}]\n"),
]


def write_pairs(path: Sequence[Place], rows: int, columns: int, rng: Random) -> Handover:
    pairs, told = pairs_of(path, rng)
    form = rng.choice(PAIR_FORMS)
    joint = "" if form[-1] in " \n" else rng.choice([", ", " ", ",\n", " -> ", ","])
    text = joint.join(form.format(*pair) for pair in pairs)
    return Handover(text, f"pairs {told} as {form!r} by {joint!r}")


def write_moves(path: Sequence[Place], rows: int, columns: int, rng: Random) -> Handover:
    names = [chess(place, rows) for place in path]
    joint = rng.choice(["-", ">", "->", " - "])
    moves = [f"{a}{joint}{b}" for a, b in pairwise(names)]
    if rng.random() < 0.5:
        rng.shuffle(moves)
    apart = rng.choice([" ", ", ", "\n", "; "]) if joint != " - " else ", "
    return Handover(apart.join(moves), f"moves {joint!r} by {apart!r}")


def write_facts(path: Sequence[Place], rows: int, columns: int, rng: Random) -> Handover:
    pairs, told = pairs_of(path, rng)
    form = rng.choice(
        ["move({},{},{},{}).", "move(({},{}),({},{})).", "move(cell({},{}),cell({},{}))"]
    )
    facts = [form.format(*a, *b) for a, b in pairwise(pairs)]
    rng.shuffle(facts)
    text = " ".join(facts)
    if rng.random() < 0.4 and not form.endswith("."):
        text = f"clingo version 5.7.1\nSolving...\nAnswer: 1\n{text}\nSATISFIABLE\n\nModels : 1+\n"
    return Handover(text, f"facts {told} as {form}")


def write_grid(path: Sequence[Place], rows: int, columns: int, rng: Random) -> Handover:
    first = rng.choice([0, 1, 1])
    cells = grid_rows(path, rows, columns, first)
    kind = rng.choice(
        ["blanks", "commas", "bars", "markdown", "html", "list", "tuple", "numpy", "tex"]
    )
    has_unvisited = any("#" in row for row in cells)
    if has_unvisited and kind in ("list", "tuple", "numpy"):
        kind = "blanks"  # a list of numbers cannot hold the mark of an unvisited square
    width = max(len(cell) for row in cells for cell in row)
    if kind == "numpy":
        lines = [f"[{' '.join(cell.rjust(width) for cell in row)}]" for row in cells]
        text = "[" + "\n ".join(lines) + "]"
        if columns > 6 and rng.random() < 0.5:  # long rows are broken
            text = text.replace(
                " ".join(["", cells[0][5].rjust(width)]), "\n  " + cells[0][5].rjust(width), 1
            )
    elif kind in ("list", "tuple"):
        value = [[int(cell) for cell in row] for row in cells]
        text = str(tuple(map(tuple, value)) if kind == "tuple" else value)
    elif kind == "html":
        lines = ["".join(f"<td>{cell}</td>" for cell in row) for row in cells]
        text = "<table>" + "\n".join(f"<tr>{line}</tr>" for line in lines) + "</table>"
    elif kind == "tex":
        text = " \\\\\n".join(" & ".join(row) for row in cells)
    elif kind == "markdown":
        return Handover(markdown(cells, rows, columns, rng), f"Markdown from {first}")
    else:
        joint = {"blanks": " ", "commas": ",", "bars": " | "}[kind]
        aligned = [[cell.rjust(width) for cell in row] for row in cells]
        text = "\n".join(map(joint.join, aligned if rng.random() < 0.7 else cells))
    return Handover(text, f"board from {first} as {kind}")


def markdown(cells: list[list[str]], rows: int, columns: int, rng: Random) -> str:
    """Return a table of Markdown, perhaps with the names of files and ranks."""
    forms: list[Callable[[str], str]] = [str, "**{}**".format, "`{}`".format]
    bold = rng.choice(forms)
    has_labels = rng.random() < 0.6
    head = [letters(column) for column in range(columns)]
    table = (
        [[bold(str(rows - row)), *line] for row, line in enumerate(cells)] if has_labels else cells
    )
    head = ["", *map(bold, head)] if has_labels else head
    rule = [rng.choice(["---", ":-:", "--:", "-"])] * len(head)
    apart = rng.choice(["|", " | "])
    return "\n".join("|" + apart.join(line) + "|" for line in [head, rule, *table])


def write_tsplib(path: Sequence[Place], rows: int, columns: int, rng: Random) -> Handover:
    ids = [str(row * columns + column + 1) for row, column in path]
    head = ["NAME : x", "COMMENT : Length = 64", "TYPE : TOUR", f"DIMENSION : {len(ids)}"]
    head = head if rng.random() < 0.7 else []
    depot = rng.random() < 0.4
    if depot:
        place = rng.randrange(len(ids))
        ids = [*ids[place:], str(rows * columns + 1), *ids[:place]]
        head = [line.replace(f": {len(ids) - 1}", f": {len(ids)}") for line in head]
    text = "\n".join([*head, "TOUR_SECTION", *ids, "-1", "EOF", ""])
    return Handover(text, f"TSPLIB{' with a depot' if depot else ''}")


def write_value(path: Sequence[Place], rows: int, columns: int, rng: Random) -> Handover:
    names = [chess(place, rows) for place in path]
    ids = [row * columns + column for row, column in path]
    squares: list[object] = list(rng.choice([names, ids, list(path)]))
    steps = range(1, len(path) + 1)
    kind = rng.choice(["by square", "by step", "tour", "fields"])
    value: object = {"tour": squares, "seconds": 0.1}
    if kind == "by square":
        entries = list(zip(squares, steps, strict=True))
        rng.shuffle(entries)
        value = dict(entries)
    elif kind == "by step" and squares != ids:
        value = dict(zip(steps, squares, strict=True))
    elif kind == "fields":
        value = [{"x": column, "y": row} for row, column in path]
    is_plain = not isinstance(value, dict) or all(isinstance(key, str | int) for key in value)
    if is_plain and rng.random() < 0.5:
        return Handover(json.dumps(value, indent=rng.choice([None, 2])), f"JSON, {kind}")
    return Handover(repr(value), f"Python, {kind}")


def write_successors(path: Sequence[Place], rows: int, columns: int, rng: Random) -> Handover:
    first = rng.choice([0, 1])
    after = dict(pairwise(path))
    ids = []
    for row in range(rows):
        for column in range(columns):
            target = after.get((row, column))
            ids.append(first - 1 if target is None else target[0] * columns + target[1] + first)
    return Handover(str(ids), f"successors from {first}")


WRITERS = (
    *(write_ids, write_names, write_names, write_pairs, write_pairs, write_moves, write_facts),
    *(write_grid, write_grid, write_tsplib, write_value, write_successors),
)


def hand_over(path: Sequence[Place], rows: int, columns: int, rng: Random) -> Handover:
    """Write a path in some way. Squares that are not visited have no number on a board."""
    return wrapped(rng.choice(WRITERS)(path, rows, columns, rng), rng)


def wrapped(handed: Handover, rng: Random) -> Handover:
    """Add what stands around a path that is pasted, and change characters that mean the same."""
    text, how = handed.text, [handed.how]
    is_list = handed.how.split()[0] in ("ids", "names", "pairs") and "\\n'" not in handed.how
    has_lines = "\n" in text.strip()
    if is_list and rng.random() < 0.3:
        text = rng.choice(["[{}]", "({})", "{{{}}}", "[[{}]]", "path = [{}]", "[{},]"]).format(
            text.strip(" ,")
        )
        how.append("in brackets")
    if rng.random() < 0.3 and not handed.how.startswith("TSPLIB"):
        heading = ["Tour:\n", "Found after 3 ms:\n", "# by hand\n", "A knight's tour\n\n", "\n\n"]
        if not has_lines:
            heading += ["Path: ", "answer = "]
        text = rng.choice(heading) + text
        how.append("with a heading")
    if rng.random() < 0.2:
        text += rng.choice(["\n", "\n\n", " \n", "\nTime: 0.02 seconds\n", "\n# end\n"])
        how.append("with an end")
    if rng.random() < 0.15:
        text = text.replace("\n", "\r\n")
        how.append("CRLF")
    if rng.random() < 0.15:
        text = "\ufeff" + text
        how.append("byte-order mark")
    if rng.random() < 0.1:
        text = "".join(chr(ord(each) + 0xFEE0) if each.isdigit() else each for each in text)
        how.append("full width")
    if rng.random() < 0.1:
        text = "\n".join("    " + line for line in text.split("\n"))
        how.append("indented")
    return Handover(text, ", ".join(how))
