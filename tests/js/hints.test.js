// Hints: the next deduction of the list that is not on the board, and what follows without one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Advice, nextDeduction } from "../../kt_cp/draw/pages/hints.js";
import { PUZZLE, gameOf, word } from "./puzzle.js";

const DEDUCTIONS = [
  { moves: [[0, 6]], used: true, why: "a move" },
  { moves: [[1, 8]], used: true, why: "another move" },
  { square: 6, number: 2, why: "one reason" },
  { square: 8, number: 3, why: "another reason" },
];

const adviceOf = (deductions, changes = {}) => {
  const game = gameOf(changes);
  return { game, advice: new Advice({ ...PUZZLE, ...changes, deductions }, game, word) };
};

test("the first number of the list that is not on the board is the hint", () => {
  const { game } = adviceOf(DEDUCTIONS);
  const hint = nextDeduction({ ...PUZZLE, deductions: DEDUCTIONS }, game);
  assert.deepEqual([hint.square, hint.number, hint.why], [6, 2, "one reason"]);
  assert.deepEqual(hint.premises.map(({ why }) => why), ["a move"]); // those about its square
  game.write(6, 2);
  assert.equal(nextDeduction({ ...PUZZLE, deductions: DEDUCTIONS }, game).number, 3);
  game.write(8, 3);
  assert.equal(nextDeduction({ ...PUZZLE, deductions: DEDUCTIONS }, game), null);
});

test("a wrong number is to be erased first", () => {
  const { game, advice } = adviceOf(DEDUCTIONS);
  game.write(8, 9);
  const { square, text } = advice.advise();
  assert.equal(square, 8);
  assert.match(text, /^erase first/);
  assert.equal(advice.numberFor(8), 0); // a tap there writes nothing
  assert.match(advice.check(), /^wrong/);
});

test("where the list ends, a deduced move beside a known number, or else the solution is the hint", () => {
  const joined = adviceOf([{ moves: [[11, 5]], used: true, why: "only two ways" }]);
  assert.equal(joined.advice.advise().square, 5);
  assert.match(joined.advice.hint.why, /^forced.*12 on|^forced/);
  const { advice } = adviceOf([]);
  assert.match(advice.advise().text, /by trying/);
  assert.deepEqual([advice.hint.square, advice.hint.number], [6, 2]);
  const bare = adviceOf([], { givens: [], closed: true, fixedNumbering: false });
  assert.match(bare.advice.advise().text, /begin anywhere/);
});

test("hints alone solve a puzzle", () => {
  const { game, advice } = adviceOf(DEDUCTIONS);
  while (!game.isSolved) {
    advice.advise();
    assert.ok(game.write(advice.hint.square, advice.hint.number));
    advice.update();
  }
  assert.deepEqual(game.conflicts(), []);
});
