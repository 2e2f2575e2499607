// @ts-check
// The advice of the puzzle player: checks, and hints one at a time. Nothing is reasoned here: a hint
// is the next of the deductions that `kt` has put into the page whose number is not on the board.
import { joinWords } from "./dom.js";

const MAX_PREMISES = 6; // earlier deductions about moves that are listed with a hint

/**
 * A deduction: that a square has a number, or that moves are `used` or not, and why.
 * @typedef {{square?: number, number?: number, moves?: number[][], used?: boolean, why: string}} Deduction
 *
 * A number for a square with its reason, the deductions on which it rests, and the squares that it
 * is about. The number is 0 where a wrong one has to be erased.
 * @typedef {{square: number, number: number, why: string, premises: Deduction[], about: number[]}} Hint
 * @typedef {import("./game.js").PuzzleGame} Game
 */

/**
 * The next deduction whose number is not on the board, or null. All numbers on the board are right.
 * @type {(puzzle: {deductions: Deduction[]}, game: Game) => Hint | null}
 */
export function nextDeduction(puzzle, game) {
  const { deductions } = puzzle;
  const place = deductions.findIndex(({ square, number }) => number && game.isEmpty(square));
  if (place < 0) return null;
  const { square, number, why } = deductions[place];
  const premises = deductions
    .slice(0, place)
    .filter(({ moves }) => moves?.some((move) => move.includes(square)))
    .slice(-MAX_PREMISES);
  return { square, number, why, premises, about: aboutOf(game, number, premises) };
}

/**
 * A hint from the solution: an empty square beside a known number, joined with it by a move that was
 * deduced if there is one.
 * @type {(puzzle: {deductions: Deduction[]}, game: Game, word: (key: string, values?: object) => string) => Hint}
 */
export function hintFromSolution(puzzle, game, word) {
  const steps = game.solutionSteps();
  const besideOf = (square) => game.squaresBeside(steps.get(square));
  const joining = (square) =>
    besideOf(square).flatMap((near) =>
      puzzle.deductions.filter(({ used, moves }) => used && moves.some((move) => move.includes(square) && move.includes(near))),
    );
  const { emptySquares } = game;
  const square =
    emptySquares.find((each) => joining(each).length > 0) ??
    emptySquares.find((each) => besideOf(each).length > 0) ??
    emptySquares[0];
  const [premises, [one]] = [joining(square), besideOf(square)];
  let why = word(one === undefined ? "begin anywhere" : "by trying");
  if (premises.length > 0) why = word("forced", { one: game.describe(one) });
  return { square, number: steps.get(square), why, premises, about: aboutOf(game, steps.get(square), premises) };
}

/** The squares of the numbers beside a hint's, and those of its premises that are on the board. */
function aboutOf(game, number, premises) {
  const moves = premises.flatMap((premise) => premise.moves.flat());
  return [...new Set([...game.squaresBeside(number), ...moves])];
}

export class Advice {
  constructor(puzzle, game, word) {
    this.puzzle = puzzle;
    this.game = game;
    this.word = word;
    this.forget();
  }

  forget() {
    /** @type {Hint | null} */
    this.hint = null; // the last hint, until its number is written
    this.faults = []; // squares whose number is known to be wrong
  }

  // Forget what the numbers on the board have made untrue.
  update() {
    this.faults = [];
    if (this.hint && this.game.numberOf(this.hint.square)) this.hint = null;
  }

  // The number that the hint says for a square, or 0.
  numberFor(square) {
    return this.hint?.square === square ? this.hint.number : 0;
  }

  // Find the wrong numbers; return a sentence about them.
  check() {
    this.faults = this.game.wrongSquares();
    const count = this.faults.length;
    if (count === 0) return this.word("right so far", { left: this.game.remaining });
    const numbers = joinWords(this.word, this.faults.map((square) => this.game.describe(square)));
    return this.word("wrong", { count, numbers });
  }

  // Find the next hint: a wrong number to erase, or else a number with its reason. Return its
  // square, a sentence, the sentences on which that rests, and how its number is written, as
  // { square, text, premises, tip }.
  advise() {
    const { game, word } = this;
    const [wrong] = game.wrongSquares();
    if (wrong !== undefined) {
      this.faults = [wrong];
      this.hint = { square: wrong, number: 0, why: "", about: [], premises: [] };
      const values = { number: game.numberOf(wrong), square: game.shape.nameOf(wrong) };
      return { square: wrong, text: word("erase first", values), premises: [], tip: "" };
    }
    this.hint = nextDeduction(this.puzzle, game) ?? hintFromSolution(this.puzzle, game, word);
    const { square, number, why } = this.hint;
    const premises = [...new Set(this.hint.premises.map((premise) => premise.why))];
    const key = premises.length > 0 ? "is on, since" : "is on";
    const name = game.shape.nameOf(square);
    return { square, text: word(key, { number, square: name, why }), premises, tip: word("tap to write", { square: name }) };
  }
}
