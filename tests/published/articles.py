"""Recompute what the source articles on the exercise say, whether it is right or wrong.

Times are compared by calls, not by seconds: a call is one square entered by the recursive search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf

from kt_cp import validate
from kt_cp.board import Board
from kt_cp.tour.validator import FaultKind
from kt_dfs import (
    Budget,
    DFSGraph,
    MoveOrder,
    Outcome,
    Status,
    Strategy,
    knight_graph,
    knight_tour,
    knight_tour_better,
    search,
    strategy,
)
from kt_dfs.__main__ import PROGRAMS
from kt_dfs.graph import GRAY
from kt_dfs.strategies import CLOCKWISE_MOVES, onward_moves
from tests.published import tours as published
from tests.published.claims import Row

EXERCISE = "exercise"
TEXTBOOK = "textbook"
ARTICLE_6 = "article on 6×6"
ARTICLE_8 = "article on 8×8"
GREEDY = "article on the greedy walk"
ARTICLES = "several articles"


def steps_by_square(path: Sequence[int]) -> tuple[int, ...]:
    """Return the steps, from 1, of the squares in the order of their ids."""
    steps = {square: step for step, square in enumerate(path, 1)}
    return tuple(steps[square] for square in sorted(steps))


def run_method(name: str, size: int, start: int, calls: float = inf) -> Outcome[int]:
    """Return the outcome on size × size of the method with this name."""
    return search(knight_graph(size), start, strategy(name, size, size), budget=Budget(calls))


def run_clockwise(template: Strategy) -> Outcome[int]:
    """Return the outcome on the board of the 6×6 article, in its clockwise order of moves."""
    ordered = replace(template, moves=MoveOrder(CLOCKWISE_MOVES, 6))
    return search(knight_graph(6), published.CLOCKWISE_START, ordered)


def visit_orders() -> Iterator[Row]:
    """Compare the programs of the exercise, move for move."""
    for order in published.VISIT_ORDERS:
        text = f"{order.size} {order.start}"
        ids = PROGRAMS[order.program](text)
        claim = f"`{order.program}` with input {text} prints {len(order.ids)} ids"
        yield Row(EXERCISE, claim, " ".join(map(str, ids)), tuple(ids) == order.ids)
    for text, expected in published.GRAPH_ORDERS:
        ids = PROGRAMS["dfs"](text)
        claim = f"`dfs` with input {text} prints {' '.join(map(str, expected))}"
        yield Row(EXERCISE, claim, " ".join(map(str, ids)), tuple(ids) == expected)


def figure() -> Iterator[Row]:
    """Compare the textbook's figure with the vertices A to F."""
    graph = DFSGraph[str]()
    for tail, head in published.FIGURE_EDGES:
        graph.add_edge(tail, head)
    as_printed = knight_tour(graph, "A", limit=published.FIGURE_LIMIT)
    path = "".join(knight_tour(graph, "A", limit=len(published.FIGURE_PATH) - 1).path)
    yield Row(
        TEXTBOOK,
        f"in the figure a limit of {published.FIGURE_LIMIT} gives the path {published.FIGURE_PATH}",
        f"limit 6: {as_printed.status.value}; limit 5: {path}",
        as_printed.status is Status.IMPOSSIBLE and path == published.FIGURE_PATH,
        "off by one: the limit counts moves, squares less one",
        right=False,
    )
    graph.dfs()
    times = {vertex.key: (vertex.discovery, vertex.finish) for vertex in graph}
    got = " ".join(f"{key} {a}/{b}" for key, (a, b) in sorted(times.items()))
    yield Row(TEXTBOOK, "discovery and finish times", got, times == published.FIGURE_TIMES)


def lexicographic() -> Iterator[Row]:
    """Compare the board of the 8×8 article, and its claim about every start."""
    outcome = run_method("lexicographic", 8, 0)
    yield Row(
        ARTICLE_8,
        "the printed board from row 1, column 1",
        f"the same board, {outcome.calls} calls, {outcome.backtracks} backtracks",
        steps_by_square(outcome.path) == published.LEXICOGRAPHIC_BOARD
        and outcome.calls == published.LEXICOGRAPHIC_CALLS,
    )
    outcomes = [run_method("lexicographic", 8, start) for start in range(64)]
    worst = max(outcome.calls for outcome in outcomes)
    found = sum(outcome.status is Status.FOUND for outcome in outcomes)
    isolated = run_method("lexicographic", 3, 4)
    yield Row(
        ARTICLE_8,
        "from any start a path is found within one second",
        f"{found} of 64 starts, at most {worst:,} calls",
        found == 64 and worst == published.LEXICOGRAPHIC_WORST_CALLS,
        "compared by calls, not seconds; but the program as printed crashes on a"
        f" square with no free neighbor, where ours says {isolated.status.value} (center of 3×3)",
    )


def clockwise_6() -> Iterator[Row]:
    """Compare the boards of the 6×6 article, before and after its ordering."""
    plain, static = run_clockwise(Strategy()), run_clockwise(strategy("static-degree", 6, 6))
    better = run_clockwise(Strategy(rank=onward_moves))
    yield Row(
        ARTICLE_6,
        "the printed board of the plain search, clockwise from row 4, column 3",
        f"the same board, {plain.calls:,} calls",
        steps_by_square(plain.path) == published.CLOCKWISE_BOARD
        and plain.calls == published.CLOCKWISE_CALLS,
    )
    yield Row(
        ARTICLE_6,
        "ordered by number of neighbors the search gives the board of the plain search",
        f"another board: {' '.join(map(str, steps_by_square(static.path)[:6]))} … in its first row",
        steps_by_square(static.path) == published.STATIC_BOARD
        and published.STATIC_BOARD != published.CLOCKWISE_BOARD,
        "the plain board was printed twice",
        right=False,
    )
    yield Row(
        ARTICLE_6,
        "40 ms before the ordering, 9 ms after",
        f"{plain.calls:,} calls before, {static.calls} after",
        (plain.calls, static.calls) == (published.CLOCKWISE_CALLS, published.STATIC_CALLS),
        "compared by calls, not milliseconds",
    )
    yield Row(
        ARTICLE_6,
        "the ordering by number of neighbors is Warnsdorff's rule",
        f"{static.calls} calls; by unvisited onward moves {better.calls}",
        better.calls == published.CLOCKWISE_WARNSDORFF_CALLS and static.calls != better.calls,
        "it counts visited squares too",
        right=False,
    )


def greedy() -> Iterator[Row]:
    """Compare the path printed for the greedy walk with what the walk does."""
    report = validate(Board(8, 8), published.GREEDY_PATH)
    illegal = [fault.message for fault in report.faults if fault.kind is FaultKind.ILLEGAL_MOVE]
    counts = ", ".join(f"{count} {kind}" for kind, count in report.counts.items())
    distinct = len(set(published.GREEDY_PATH))
    yield Row(
        GREEDY,
        "the path printed for the greedy walk is a tour of 8×8",
        f"{len(published.GREEDY_PATH)} entries, {distinct} squares; {counts}",
        (distinct, report.counts.get(FaultKind.MISSING), len(illegal)) == (58, 6, 3),
        "; ".join(illegal),
        right=False,
    )
    walk = run_method("greedy", 8, 0)
    yield Row(
        GREEDY,
        "the method completes 8×8 from (0, 0)",
        f"{len(walk.path)} squares in {walk.calls} calls",
        walk.status is Status.FOUND and validate(Board(8, 8), walk.path).valid,
        "run as described, it does",
    )
    complete = {
        size: sum(run_method("greedy", size, s).status is Status.FOUND for s in range(size * size))
        for size in published.GREEDY_COMPLETE_STARTS
    }
    yield Row(
        "independent check",
        "starts from which it completes n×n, n = 5 to 16",
        " ".join(f"{size}:{count}" for size, count in complete.items()),
        complete == published.GREEDY_COMPLETE_STARTS,
    )


def graph_figures() -> Iterator[Row]:
    """Compare figures about the knight's graph."""
    graph = knight_graph(8)
    arcs = sum(1 for _ in graph.arcs())
    yield Row(ARTICLES, "336 directed edges on 8×8", str(arcs), arcs == 336)
    fill = f"{arcs} of {len(graph) ** 2}, {arcs / len(graph) ** 2:.1%}"
    claim = "336 of 4096, 8.2%"
    yield Row(ARTICLES, f"fill of the 8×8 adjacency matrix: {claim}", fill, fill == claim)
    degrees = Counter(len(vertex.neighbors) for vertex in graph)
    yield Row(
        ARTICLES,
        "a diagram of 2 moves in the corners up to 8 in the middle",
        ", ".join(f"{degrees[moves]} squares with {moves}" for moves in sorted(degrees)),
        degrees == {2: 4, 3: 8, 4: 20, 6: 16, 8: 16},
    )
    graph[1].color = GRAY  # (1,2), counted from (1,1), is visited
    candidates = {"(3,1)": (2, 0), "(3,3)": (2, 2), "(2,4)": (1, 3)}
    onward = {name: onward_moves(graph[square_id(*at, 8)]) for name, at in candidates.items()}
    yield Row(
        ARTICLES,
        "onward moves seen from (1,2): (3,1) 3, (3,3) 7, (2,4) 5",
        ", ".join(f"{name} {count}" for name, count in onward.items()),
        onward == {"(3,1)": 3, "(3,3)": 7, "(2,4)": 5},
        "with (1,2) counted as visited",
    )


def branching() -> Iterator[Row]:
    """Compare the branching factors, and the sizes of the search tree derived from them."""
    exact = {n: sum(1 for _ in knight_graph(n).arcs()) / n**2 for n in (5, 6, 8)}
    shown = ", ".join(f"{factor:.2f}" for factor in exact.values())
    printed = {5: 3.8, 6: 4.4, 8: 5.25}
    yield Row(
        ARTICLES,
        "average branching factor k on 5×5, 6×6, 8×8: 3.8, 4.4, 5.25",
        shown,
        all(abs(exact[n] - k) <= 0.05 for n, k in printed.items()),
        "edges / squares",
    )
    formula = all(8 * (n - 1) * (n - 2) / n**2 == factor for n, factor in exact.items())
    yield Row(
        ARTICLES,
        "how does k depend on the size? (asked, not answered)",
        "k = 8(n-1)(n-2)/n²",
        formula,
        "checked on 5×5, 6×6, 8×8",
    )
    for n, claim, right in ((5, 3.12e14, True), (6, 1.5e23, True), (8, 1.3e46, False)):
        nodes = printed[n] ** (n * n)
        digits = 2 if n == 5 else 1
        yield Row(
            ARTICLES,
            f"{claim:.{digits}e} nodes k^N in the search tree of {n}×{n}",
            f"{nodes:.2e}",
            (f"{nodes:.{digits}e}" == f"{claim:.{digits}e}") == right,
            "" if right else f"{claim / nodes - 1:.0%} too much; the order of magnitude is right",
            right,
        )


def counts_and_times() -> Iterator[Row]:
    """Compare what the articles say about the number of tours, about times and closed tours."""
    tours = 19_591_828_170_979_904
    yield Row(
        ARTICLES,
        "1.035 times a power of ten legal tours on 8×8 (the power is lost)",
        f"{tours:,} directed open tours",
        not f"{tours:.3e}".startswith("1.035"),
        "OEIS A165134, [counted again](research.md); no power of ten makes 1.035 of it; "
        "the textbook's upper bound is 1.305e35",
        right=False,
    )
    plain_5 = run_method("dfs", 5, 4)
    plain_8 = run_method("dfs", 8, 0, calls=100_000)
    warnsdorff_8 = run_method("warnsdorff", 8, 0)
    yield Row(
        ARTICLES,
        "plain search: 1.5 s on 5×5, half an hour on 8×8; ordered: seconds on 8×8",
        f"5×5 {plain_5.calls:,} calls; 8×8 {plain_8.status.value} after {plain_8.calls:,};"
        f" ordered {warnsdorff_8.calls}",
        plain_5.status is Status.FOUND
        and warnsdorff_8.status is Status.FOUND
        and plain_8.status is Status.UNKNOWN,
        "compared by calls; from most starts no budget tried is enough for plain search on 8×8",
    )
    closed = knight_tour_better(knight_graph(8), 4, closed=True, budget=Budget(100_000))
    yield Row(
        ARTICLES,
        "closed tours are a small variation of the search",
        f"closed 8×8 from 4 {closed.status.value} after {closed.calls:,} calls",
        validate(Board(8, 8), closed.path, closed=True).valid,
        "a move must lead from the last square to the first",
    )


def square_id(row: int, column: int, columns: int) -> int:
    """Return the id of a square, as the textbook's `posToNodeId` does."""
    return row * columns + column


def slips() -> Iterator[Row]:
    """Refute small errors in the texts and programs."""
    squares = len(knight_graph(6))
    yield _slip(ARTICLE_6, "a 6×6 board has 64 squares", f"{squares}", squares == 36)
    from_0, from_1 = square_id(0, 0, 6), square_id(1, 1, 6)
    yield _slip(
        ARTICLE_6,
        "the square in a row and a column has the number row*columns+column = index+1",
        f"first square: {from_0} counted from 0, {from_1} counted from 1",
        (from_0, from_1) == (0, 7),
        "it mixes counting from 0 and from 1",
    )
    static = strategy("static-degree", 6, 6)
    ordered, walk = run_clockwise(static), run_clockwise(replace(static, backtracks=False))
    yield _slip(
        ARTICLE_6,
        "the optimized listing, which never backtracks, finds the tour",
        f"the search has to backtrack {ordered.backtracks} times",
        walk.status is Status.UNKNOWN,
        walk.reason,
    )
    first_step = 64 - squares
    yield _slip(
        "class-based article",
        "64-cnt numbers the steps on any board",
        f"on 6×6 with {squares} squares to go it gives {first_step}",
        first_step != 0,
        "right only on 8×8",
    )
    moves = len(run_method("warnsdorff", 8, 4).path) - 1
    yield _slip(ARTICLES, "a tour of 8×8 is a path of 64 edges", f"{moves} moves", moves == 63)
    boards = steps_by_square(run_clockwise(Strategy()).path), steps_by_square(ordered.path)
    others = sum(a != b for a, b in zip(*boards, strict=True))
    yield _slip(
        ARTICLE_6,
        "plain search reaches the same board as the ordered one, only later",
        f"on 6×6 another board: {others} of 36 squares have another step",
        others > 0,
    )


def _slip(source: str, claim: str, got: str, refuted: bool, why: str = "") -> Row:
    """Return the row of a wrong claim."""
    return Row(source, claim, got, refuted, why, right=False)


# The sections, and how each was recomputed.
SECTIONS = {
    visit_orders: "running the program",
    figure: "running the search",
    lexicographic: "running the search",
    clockwise_6: "running the search",
    greedy: "`validate` and the walk",
    graph_figures: "the graph",
    branching: "the graph",
    counts_and_times: "running the search",
    slips: "arithmetic and running the search",
}
