// A puzzle of 3 x 4 for the tests: an open tour from a3, with 1 on a3 and 12 on d1.
import { makeBoardShape } from "../../kt_cp/draw/pages/board.js";
import { PuzzleGame } from "../../kt_cp/draw/pages/game.js";

export const word = (key, values = {}) => `${key} ${JSON.stringify(values)}`;

const [ROWS, COLUMNS] = [3, 4];
const JUMPS = [1, -1].flatMap((a) => [2, -2].flatMap((b) => [[a, b], [b, a]]));

function neighborsOf(square) {
  const [row, column] = [Math.floor(square / COLUMNS), square % COLUMNS];
  return JUMPS.map(([down, right]) => [row + down, column + right])
    .filter(([r, c]) => r >= 0 && r < ROWS && c >= 0 && c < COLUMNS)
    .map(([r, c]) => r * COLUMNS + c);
}

export const SOLUTION = [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11];

export const PUZZLE = {
  rows: ROWS,
  columns: COLUMNS,
  holes: [],
  enclosed: [],
  move: "knight's move",
  level: "easy",
  title: "3 × 4",
  neighbors: [...Array(12).keys()].map(neighborsOf),
  closed: false,
  count: 12,
  fixedNumbering: true,
  givens: [[0, 1], [11, 12]],
  moves: [],
  forbidden: [],
  order: [],
  solution: SOLUTION,
  deductions: [],
};

export const gameOf = (changes = {}) => {
  const puzzle = { ...PUZZLE, ...changes };
  return new PuzzleGame(puzzle, makeBoardShape(puzzle), word);
};
