"""What the replay pages hold: the events of a search, and the steps of depth-first search."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import validate
from kt_cp.board import Board
from kt_cp.draw.look import Look, Style, color
from kt_cp.draw.replays import (
    Recording,
    graph_page,
    race_picture,
    record_model,
    record_visits,
    replay_page,
    search_steps,
)
from kt_cp.problem.instance import Instance
from kt_dfs import METHODS, DFSGraph, Event, Status, knight_graph, search, strategy
from tests.helpers.command import kt
from tests.helpers.pages import FIGURE, data_of
from tests.helpers.pictures import elements, segments, words


def searched_graph(count: int, edges: list[tuple[int, int]]) -> DFSGraph[int]:
    graph = DFSGraph.from_edges(count, edges)
    graph.dfs()
    return graph


@pytest.mark.parametrize("method", METHODS)
def test_a_record_holds_what_an_observer_of_the_search_sees(method: str) -> None:
    seen: list[int] = []
    outcome = search(
        knight_graph(5),
        0,
        strategy(method, 5, 5),
        observer=lambda event, square: seen.append(square if event is Event.VISIT else ~square),
    )
    instance = Instance(Board(5, 5), start=0)
    run = record_visits(instance, method, 1_000_000)
    assert run == record_visits(instance, strategy(method, 5, 5), 1_000_000)
    assert run.events == seen
    assert (run.found, run.ending) == (outcome.status is Status.FOUND, outcome.reason)


@pytest.mark.parametrize("most", [1, 2, 35, 36, 37, 2000])
def test_a_record_ends_after_so_many_steps(most: int) -> None:
    whole = record_visits(Instance(Board(6, 6), start=0), "dfs", 5000).events
    run = record_visits(Instance(Board(6, 6), start=0), "dfs", most)
    assert run.events == whole[:most]
    assert not run.found
    assert run.ending.startswith(f"cut off after {most:,} step")
    found = record_visits(Instance(Board(6, 6), start=0), "warnsdorff", most)
    assert (found.found, len(found.events)) == (most >= 36, min(most, 36))


@given(st.text(), st.text())
def test_no_text_of_a_user_ends_a_script_or_makes_an_element(title: str, name: str) -> None:
    run = Recording(name, False, f"</script>{title}<!--", [0])
    page = replay_page(Instance(Board(6, 6)), [run], f"<b>{title}</b></title><script>")
    plain = replay_page(Instance(Board(6, 6)), [Recording("", False, "")], "")
    assert re.findall("<[/a-z!]+", page) == re.findall("<[/a-z!]+", plain)
    assert data_of(page)["runs"][0]["name"] == name


@pytest.mark.parametrize(
    ("size", "closed"), [("8x8", False), ("8x8", True), ("5x5", False), ("3x4", False)]
)
def test_the_record_of_a_model_is_cycles_that_become_one_tour(size: str, closed: bool) -> None:
    instance = Instance.of(size, closed=closed)
    run = record_model(instance)
    counts = [len(lines) for lines in run.frames]
    assert counts == sorted({*counts}, reverse=True)
    assert counts[-1] == 1
    assert len(counts) > 1
    for lines in run.frames:
        visited = list[int]()
        for line in lines:
            is_cycle = line[0] == line[-1]
            visited += line[:-1] if is_cycle else line
        assert sorted(visited) == instance.board.squares.tolist()
    [tour] = run.frames[-1]
    assert validate(instance.board, tour[:-1] if closed else tour, closed)
    assert "conflict" in run.ending
    assert "no backtrack" in run.ending


def test_pages_ask_for_nothing_from_outside() -> None:
    instance = Instance(Board(6, 6), start=0)
    replayed = replay_page(instance, [record_visits(instance, "dfs", 50)])
    for page in (replayed, graph_page(searched_graph(2, [(0, 1)]))):
        assert "default-src 'none'" in page
        assert not re.search(r"(src|href)\s*=|@import|url\((?!#)|fetch\(|XMLHttp", page)
        assert set(re.findall(r"https?://[^\s\"'`]+", page)) <= {"http://www.w3.org/2000/svg"}


@given(st.integers(1, 8).flatmap(lambda n: st.tuples(st.just(n), _edges(n))))
def test_the_steps_of_a_graph_are_its_times_and_every_edge_once(
    graph: tuple[int, set[tuple[int, int]]],
) -> None:
    searched = DFSGraph.from_edges(*graph)
    searched.dfs()
    told = list(search_steps(searched))
    assert {(what, key): time for what, key, time in told if what != "edge"} == {
        **{("discover", vertex.key): vertex.discovery for vertex in searched},
        **{("finish", vertex.key): vertex.finish for vertex in searched},
    }
    examined = sorted(number for what, number, _ in told if what == "edge")
    assert examined == [*range(len(graph[1]))]
    times = [time for _, _, time in told]
    assert times == sorted(times)
    ends = [tail.key for tail, _ in searched.arcs()]
    gray: list[int] = []
    for what, number, _ in told:  # an edge is looked at from the vertex on top of the stack
        if what == "discover":
            gray.append(number)
        elif what == "finish":
            assert gray.pop() == number
        else:
            assert ends[number] == gray[-1]


def _edges(count: int) -> st.SearchStrategy[set[tuple[int, int]]]:
    vertices = st.integers(0, count - 1)
    return st.sets(st.tuples(vertices, vertices), max_size=20)


def test_kt_replay_writes_a_page(tmp_path: Path) -> None:
    out = tmp_path / "replay.html"
    arguments = ("--start", "a6", "--max-steps", "2000", "--versus", "warnsdorff")
    done = kt("replay", "6x6", "--method", "dfs", *arguments, "--out", str(out))
    assert (done.returncode, done.stdout) == (0, "")
    runs = data_of(out.read_text("utf-8"))["runs"]
    assert [run["name"] for run in runs] == ["dfs", "warnsdorff"]
    assert [run["found"] for run in runs] == [False, True]
    assert kt("replay", "--graph", FIGURE, "--out", str(out)).returncode == 0
    assert len(data_of(out.read_text("utf-8"))["vertices"]) == 7


def test_a_model_without_a_tour_has_no_frames_and_says_why() -> None:
    instance = Instance.of("4x4")
    model = record_model(instance)
    assert not model.found
    assert not model.frames
    assert not model.last_path
    run, search = data_of(replay_page(instance, [model, record_visits(instance, "dfs", 50)]))[
        "runs"
    ]
    assert (run["kind"], search["kind"]) == ("model", "search")
    assert "impossible" in run["ending"]


def test_a_picture_of_a_race_shows_the_last_paths_side_by_side() -> None:
    instance = Instance.of("6x6", closed=True, start="a1")
    search, model = record_visits(instance, "dfs", 200), record_model(instance)
    assert (search.found, model.found) == (False, True)
    assert model.frames[-1][0][0] == 30
    picture = race_picture(instance, [search, model])
    shown = " ".join(words(picture))
    assert "36 of 36 squares by circuit." in shown
    depth = sum(1 if event >= 0 else -1 for event in search.events)
    assert f"{depth} of 36 squares by dfs after " in shown
    assert segments(picture, "move") == depth - 1 + 36


def test_a_closed_run_has_the_cyclic_colors_and_both_scales_are_explained() -> None:
    instance = Instance.of("6x6", closed=True)
    search, model = record_visits(instance, "dfs", 20), record_model(instance)
    picture = race_picture(instance, [search, model], Look(Style.ORDER))
    strokes = {path.get("stroke") for path in elements(picture, "path", **{"class": "move"})}
    assert {color("order-0"), color("cycle-0")} <= strokes
    assert {"first move to last", "first move to last, and back to the first"} <= set(
        words(picture)
    )
