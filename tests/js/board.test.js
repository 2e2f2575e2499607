// Boards, keys, words and recorded runs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOf, fileLetters, makeBoardShape, pathThrough, squareAfter } from "../../kt_cp/draw/pages/board.js";
import { joinWords, makeWords } from "../../kt_cp/draw/pages/dom.js";
import { SearchState, colorFrames, deadEndsOf } from "../../kt_cp/draw/pages/runs.js";

test("squares have the names of chess", () => {
  const { nameOf } = makeBoardShape({ rows: 3, columns: 4, holes: [] });
  assert.deepEqual([0, 3, 8].map(nameOf), ["a3", "d3", "a1"]);
  assert.deepEqual([0, 25, 26, 51].map(fileLetters), ["a", "z", "aa", "az"]);
});

test("a line across a glued edge has two parts, which stay short", () => {
  const jumps = [1, -1].flatMap((a) => [2, -2].flatMap((b) => [[a, b], [b, a]]));
  const cylinder = makeBoardShape({ rows: 4, columns: 5, holes: [], jumps, gluesRows: false });
  assert.equal(cylinder.pathTo(4, 10), "l1 2M-0.5 0.5L0.5 2.5");
  const flat = makeBoardShape({ rows: 4, columns: 5, holes: [] });
  assert.equal(pathThrough(flat, [0, 7]), "M0.5 0.5L2.5 1.5");
});

test("arrows stay on the board", () => {
  const after = (key, square) => squareAfter(key, square, 3, 4);
  assert.deepEqual(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"].map((key) => after(key, 0)), [0, 4, 0, 1]);
  assert.deepEqual(["Home", "End", "PageUp", "PageDown", "x"].map((key) => after(key, 5)), [4, 7, 1, 9, null]);
});

test("Ctrl+Z undoes, Ctrl+Y and Ctrl+Shift+Z redo", () => {
  const keys = [["z", false], ["Z", true], ["y", false], ["a", false]];
  const told = keys.map(([key, shiftKey]) => commandOf({ key, shiftKey }));
  assert.deepEqual(told, ["undo", "redo", "redo", null]);
});

test("words fill braces, and a list ends as its key says", () => {
  const word = makeWords({ one: "{n} on {square}", list: "{first}, {last}", and: "{first} and {last}" });
  assert.equal(word("one", { n: 7, square: "a1" }), "7 on a1");
  assert.equal(joinWords(word, ["a", "b", "c"], "and"), "a, b and c");
  assert.throws(() => word("none"));
});

test("a search goes to any step and back", () => {
  const events = [0, 5, ~5, 7, ~7, ~0]; // a visit is a square, a backtrack its complement
  const state = new SearchState(events);
  state.goTo(4);
  assert.deepEqual([state.stack, state.visits, state.backtracks], [[0, 7], 3, 1]);
  state.goTo(3);
  assert.deepEqual([state.stack, state.backtrackedFrom], [[0], 5]);
  state.goTo(6);
  assert.deepEqual([state.stack, state.isOver], [[], true]);
  state.goTo(2);
  assert.deepEqual(state.stack, [0, 5]);
  assert.deepEqual(deadEndsOf(events), [2, 4]);
});

test("a cycle keeps its color until it is joined", () => {
  const [before, after] = colorFrames([
    [[0, 1, 2], [3, 4], [5, 6]],
    [[5, 6], [0, 1, 2, 3, 4]],
  ]);
  assert.equal(after[0], before[2]);
  assert.equal(after[1], before[0]);
});
