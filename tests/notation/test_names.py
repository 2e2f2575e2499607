"""Names of vertices: what is written about a graph is read again, whatever they are."""

import json
from itertools import pairwise

import pytest

from kt_cp.graph import Graph
from kt_cp.messages import InputError
from kt_cp.notation.read import parse_path
from kt_cp.notation.write import cover_lines, cover_table, parse_cover, tour_table, write_tour
from kt_cp.tour.tour import Tour

NAMES = ["L’Aquila", "Saint–Denis", "New\u00a0York", "１"]  # typographic characters
NAMES += [" a", "two\nlines", "; kind: path", '"q"']
CYCLE = Graph.of([*pairwise(NAMES), (NAMES[-1], NAMES[0])])


@pytest.mark.parametrize("notation", ["squares", "tsplib", "json"])
@pytest.mark.parametrize("closed", [True, False])
def test_a_tour_is_read_again(notation: str, closed: bool) -> None:
    tour = Tour(CYCLE, NAMES, closed)
    text = "\n".join(write_tour(tour, notation))
    assert parse_path(text, CYCLE, closed=closed).tour == tour


def test_a_table_of_steps_is_read_again() -> None:
    text = "\n".join(tour_table(Tour(CYCLE, NAMES)))
    assert parse_path(text, CYCLE).verdict.startswith("valid Hamiltonian path")


def test_a_cover_is_read_again() -> None:
    paths = [NAMES[:3], NAMES[3:]]
    for lines in (cover_lines(CYCLE, paths), cover_table(paths)):
        text = "\n".join(lines)
        assert parse_cover(text, CYCLE).valid, text


def test_json_is_read_as_json_whatever_words_it_has() -> None:
    graph = Graph.of([("TOUR_SECTION", "L’Aquila"), ("L’Aquila", "c")])
    tour = Tour(graph, ["TOUR_SECTION", "L’Aquila", "c"])
    assert parse_path(json.dumps(tour.as_dict()), graph).tour == tour
    assert parse_path(json.dumps(tour.as_dict(), ensure_ascii=False)).tour == tour


def test_an_arrow_is_a_move_unless_a_name_has_one() -> None:
    assert parse_path("a→b b→c", Graph.of([("a", "b"), ("b", "c")])).valid
    assert parse_path("a→b c", Graph.of([("a→b", "c")])).valid


@pytest.mark.parametrize("text", ["a b", "move(a)", "Answer: 1\n"])
def test_a_text_without_facts_is_not_read_as_facts(text: str) -> None:
    with pytest.raises(InputError, match="there are no moves between vertices, such as move"):
        parse_path(text, Graph.of([("a", "b")]), "facts")
