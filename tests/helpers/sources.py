"""Ways in which programs and people print a path, as templates; no code of the package is used.

Each template of a list has the text before it, an item, what stands between items, and the text
after it. An item may hold the step (n), the id from 0 or 1 (i, j), the chess name (s), its letter
and number (f, k), and the row and the column from 0 or 1 (r, c, R, C); that of a move also holds
the square where it leads to (s2, i2, r2 and so on). Rows of boards hold labels, then cells.
"""

from collections.abc import Sequence
from random import Random

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
