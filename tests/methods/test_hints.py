"""Hints: walks of the reference, and only where they are like the tours asked for."""

import itertools

from kt_cp import Board, Status, solve
from kt_cp.methods.cover import covers, supports
from kt_cp.model.circuit import build_models
from kt_cp.model.hints import hint_walks
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance


def test_a_walk_hints_one_arc_into_and_out_of_every_square_it_visits() -> None:
    [model] = build_models(Instance(Board(8, 8), start=0))
    hint_walks(model, next(covers(model.instance, Clock(), seed=0)))
    by_index = {literal: arc for arc, literal in model.arcs.items()}
    hinted = [by_index[index] for index in model.cp.proto.solution_hint.vars]
    assert hinted[0] == (model.depot, 0)
    assert all(a[1] == b[0] for a, b in itertools.pairwise(hinted))


def test_constraints_that_a_walk_does_not_know_get_no_hints() -> None:
    board = Board(8, 8)
    assert supports(Instance(board, closed=True, start=5, forbid=[(0, 17)]))
    assert not supports(Instance(board, end=1))
    assert not supports(Instance(board, require=[(0, 17)]))


def test_a_board_that_no_walk_covers_is_solved_all_the_same() -> None:
    board = Board(8, 8, holes=[0, 7, 27, 28])
    assert solve(board, closed=True, method="circuit").status is Status.FOUND
