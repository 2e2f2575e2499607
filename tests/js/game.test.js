// A puzzle that is being played: what may be written, what is in conflict, what is kept.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readSaved, resultOf, shareResult, writeSaved } from "../../kt_cp/draw/pages/game.js";
import { PUZZLE, SOLUTION, gameOf, word } from "./puzzle.js";

test("a clue and a hole cannot be changed, and no number is beyond the last", () => {
  const game = gameOf({ holes: [5] });
  assert.equal(game.write(0, 7), false);
  assert.equal(game.write(5, 7), false);
  assert.equal(game.write(1, 13), false);
  assert.equal(game.write(1, 4), true);
  assert.equal(game.write(1, 4), false);
});

test("every change is undone and redone", () => {
  const game = gameOf();
  game.write(6, 2);
  game.write(8, 3);
  game.toggleNote(1, 4);
  assert.deepEqual([game.undo(), game.undo()], [true, true]);
  assert.deepEqual([game.numberOf(6), game.numberOf(8)], [2, 0]);
  assert.equal(game.redo(), true);
  assert.equal(game.numberOf(8), 3);
  game.write(8, 5);
  assert.equal(game.canRedo, false);
});

test("notes are no numbers, are kept in order, and go when a number is written", () => {
  const game = gameOf();
  for (const number of [9, 4]) game.toggleNote(1, number);
  assert.deepEqual(game.notesOf(1), [4, 9]);
  assert.equal(game.numberOf(1), 0);
  game.toggleNote(1, 9);
  assert.deepEqual(game.notesOf(1), [4]);
  game.write(1, 4);
  assert.deepEqual(game.notesOf(1), []);
});

test("two equal numbers, and numbers no move apart, are in conflict", () => {
  const game = gameOf();
  game.write(6, 12);
  assert.deepEqual(game.conflicts().map(({ squares }) => squares.toSorted((a, b) => a - b)), [[6, 11]]);
  game.write(6, 2);
  assert.deepEqual(game.conflicts(), []);
  game.write(6, 0);
  game.write(1, 2);
  assert.match(game.conflicts()[0].why, /^apart/);
});

test("given and forbidden moves, and squares in order, are in conflict where numbers break them", () => {
  const given = gameOf({ moves: [[0, 6]] });
  given.write(6, 7);
  assert.match(given.conflicts()[0].why, /^must join/);
  const forbidden = gameOf({ forbidden: [[0, 6]] });
  forbidden.write(6, 2);
  assert.match(forbidden.conflicts()[0].why, /^must not join/);
  const inOrder = gameOf({ order: [6, 8] });
  inOrder.write(6, 9);
  inOrder.write(8, 3);
  assert.match(inOrder.conflicts()[0].why, /^must precede/);
});

test("the run of consecutive numbers ends where the next one is missing", () => {
  const game = gameOf();
  game.write(6, 2);
  game.write(8, 3);
  assert.equal(game.endOfRun(0, 1), 8);
  assert.equal(game.endOfRun(8, -1), 0);
  assert.equal(game.isNextMissing(3, 1), true);
  assert.equal(game.isNextMissing(1, -1), false); // an open tour has no number before 1
});

test("a wrong number is found, and the solution is solved", () => {
  const game = gameOf();
  assert.equal(game.hasOwnNumbers, false); // there is nothing to check
  game.write(6, 3);
  assert.equal(game.hasOwnNumbers, true);
  assert.deepEqual(game.wrongSquares(), [6]);
  game.fillIn();
  assert.deepEqual([game.remaining, game.isSolved], [0, true]);
});

test("without a number given, a closed tour may be numbered from anywhere in either direction", () => {
  const game = gameOf({ closed: true, fixedNumbering: false, givens: [] });
  for (const [i, square] of [8, 6, 0, 11].entries()) game.write(square, i + 1); // backwards
  assert.deepEqual(game.wrongSquares(), []);
  assert.equal(game.solutionSteps().get(5), 5);
});

test("what is kept brings numbers, notes and the latest part of the history back", () => {
  const game = gameOf();
  for (let change = 0; change < 200; change++) game.toggleNote(1, 5);
  game.write(6, 2);
  const saved = JSON.parse(JSON.stringify(game.save()));
  assert.equal(saved.past.length, 50);
  const again = gameOf();
  again.load(saved);
  assert.equal(again.numberOf(6), 2);
  again.undo();
  assert.equal(again.numberOf(6), 0);
});

test("a browser that keeps nothing changes nothing", () => {
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get: () => {
      throw new Error("not allowed");
    },
  });
  assert.equal(writeSaved(PUZZLE, {}), false);
  assert.equal(readSaved(PUZZLE), null);
});

test("the result tells time and hints, unless the solution was shown", () => {
  const progress = { finished: true, revealed: false, seconds: 75, hints: 1 };
  assert.match(resultOf(progress, word), /1:15.*one hint/);
  assert.match(resultOf({ ...progress, revealed: true }, word), /^revealed/);
  assert.equal(resultOf({ ...progress, finished: false }, word), "");
});

test("a result is copied, or shown where the browser copies nothing", async () => {
  globalThis.location = /** @type {any} */ ({ protocol: "file:", href: "" });
  globalThis.matchMedia = /** @type {any} */ (() => ({ matches: false }));
  const copied = [];
  Object.defineProperty(globalThis, "navigator", {
    configurable: true,
    value: { clipboard: { writeText: async (text) => copied.push(text) } },
  });
  assert.match(await shareResult(PUZZLE, "Solved", word), /^copied/);
  assert.match(copied[0], /Solved/);
  navigator.clipboard.writeText = async () => Promise.reject(new Error("no"));
  assert.match(await shareResult(PUZZLE, "Solved", word), /^copy this/);
});

test("the solution of the tests is a tour", () => {
  for (const [i, square] of SOLUTION.slice(1).entries())
    assert.ok(PUZZLE.neighbors[SOLUTION[i]].includes(square));
});
