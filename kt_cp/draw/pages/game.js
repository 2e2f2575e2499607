// @ts-check
// A puzzle that is being played: its numbers, notes and history; how the browser keeps them; and the
// result as text, which a player can share. No element of a page is made here.
// Squares are ids, numbers are steps from 1 to `count`, and 0 stands for no number. An empty square
// may have notes: numbers in pencil, of which one may be right.
import { joinWords } from "./dom.js";

const MAX_HISTORY = 300; // changes that can be undone
const MAX_SAVED_HISTORY = 50; // those that are kept across a reload: some 200 kB on a board of 20x20

export class PuzzleGame {
  constructor(puzzle, shape, word) {
    this.puzzle = puzzle;
    this.shape = shape;
    this.word = word;
    this.clues = new Map(puzzle.givens);
    // The squares that the tour visits in order, each with its position in that order, from 1.
    this.positions = new Map(puzzle.order.map((square, i) => [square, i + 1]));
    this.reset();
  }

  reset() {
    this.state = this.firstState();
    this.past = [];
    this.future = [];
  }

  firstState() {
    return { numbers: new Map(this.clues), notes: new Map() };
  }

  get numbers() {
    return this.state.numbers;
  }

  numberOf(square) {
    return this.numbers.get(square) ?? 0;
  }

  notesOf(square) {
    return this.state.notes.get(square) ?? [];
  }

  squaresWith(number) {
    return [...this.numbers].filter(([, each]) => each === number).map(([square]) => square);
  }

  isEmpty(square) {
    return !this.numbers.has(square) && !this.shape.holes.has(square);
  }

  // The empty squares, in the order of the solution.
  get emptySquares() {
    return this.puzzle.solution.filter((square) => this.isEmpty(square));
  }

  emptyNeighbors(square) {
    return this.puzzle.neighbors[square].filter((near) => this.isEmpty(near));
  }

  isMove(from, to) {
    return this.puzzle.neighbors[from].includes(to);
  }

  // A number and its square in words, such as "17 on b6".
  describe(square) {
    return this.word("number on square", { number: this.numberOf(square), square: this.shape.nameOf(square) });
  }

  get hasOwnNumbers() {
    return this.numbers.size > this.clues.size;
  }

  get remaining() {
    return this.puzzle.count - this.numbers.size;
  }

  // The number after another (`direction` 1) or before it (-1), around a closed tour; 0 if there is none.
  nextNumber(number, direction) {
    const { count, closed } = this.puzzle;
    const next = number + direction;
    if (next >= 1 && next <= count) return next;
    if (!closed) return 0;
    return next < 1 ? count : 1;
  }

  // Whether the number after another (`direction` 1) or before it (-1) is on no square yet.
  isNextMissing(number, direction) {
    const next = this.nextNumber(number, direction);
    return next > 0 && this.squaresWith(next).length === 0;
  }

  // The last square of the consecutive numbers from one on that are joined by moves.
  endOfRun(first, direction) {
    let last = first;
    for (;;) {
      const next = this.squaresWith(this.nextNumber(this.numberOf(last), direction));
      const goesOn = next.length === 1 && next[0] !== first && this.isMove(last, next[0]);
      if (!goesOn) return last;
      last = next[0];
    }
  }

  squaresBeside(number) {
    return [-1, 1].flatMap((direction) => this.squaresWith(this.nextNumber(number, direction)));
  }

  // Make a change that can be undone: `edit` changes the state that it is given.
  change(edit) {
    const { numbers, notes } = this.state;
    this.past = [...this.past, { numbers: new Map(numbers), notes: new Map(notes) }].slice(-MAX_HISTORY);
    this.future = [];
    edit(this.state);
  }

  // Write a number, or with 0 erase it; nothing else on the board changes. Return whether that
  // changed anything.
  write(square, number) {
    const isFixed = this.clues.has(square) || this.shape.holes.has(square);
    if (isFixed || this.numberOf(square) === number || number > this.puzzle.count) return false;
    this.change(({ numbers, notes }) => {
      if (number) numbers.set(square, number);
      else numbers.delete(square);
      notes.delete(square);
    });
    return true;
  }

  // Add a note, or remove it if it is there. Return whether that changed anything.
  toggleNote(square, number) {
    if (!this.isEmpty(square) || number < 1 || number > this.puzzle.count) return false;
    const others = this.notesOf(square).filter((each) => each !== number);
    const wasThere = others.length < this.notesOf(square).length;
    const noted = wasThere ? others : [...others, number].sort((a, b) => a - b);
    this.change(({ notes }) => notes.set(square, noted));
    return true;
  }

  clear() {
    this.change((state) => Object.assign(state, this.firstState()));
  }

  fillIn() {
    const steps = this.solutionSteps();
    this.change((state) => Object.assign(state, { numbers: new Map(steps), notes: new Map() }));
  }

  get canUndo() {
    return this.past.length > 0;
  }

  get canRedo() {
    return this.future.length > 0;
  }

  undo() {
    return this.travel(this.past, this.future);
  }

  redo() {
    return this.travel(this.future, this.past);
  }

  // Take the state from one end of the history to the other.
  travel(from, to) {
    if (from.length === 0) return false;
    to.push(this.state);
    this.state = from.pop();
    return true;
  }

  // Conflicts that are visible without the solution, each with its squares and the reason.
  conflicts() {
    return [...this.duplicates(), ...this.brokenSteps(), ...this.brokenMoves(), ...this.brokenOrder()];
  }

  duplicates() {
    const several = [...this.squaresByNumber()].filter(([, squares]) => squares.length > 1);
    return several.map(([number, squares]) => {
      const names = squares.map(this.shape.nameOf);
      const first = joinWords(this.word, names.slice(0, -1));
      return { squares, why: this.word("twice", { number, first, last: names.at(-1) }) };
    });
  }

  // Numbers that follow each other without a move from one to the next.
  brokenSteps() {
    const found = [];
    const squaresByNumber = this.squaresByNumber();
    for (const [number, squares] of squaresByNumber) {
      const next = squaresByNumber.get(this.nextNumber(number, 1)) ?? [];
      if (squares.length !== 1 || next.length !== 1 || this.isMove(squares[0], next[0])) continue;
      const values = { one: this.describe(squares[0]), other: this.describe(next[0]), move: this.puzzle.move };
      found.push({ squares: [squares[0], next[0]], why: this.word("apart", values) });
    }
    return found;
  }

  // Given moves whose numbers do not follow each other, and forbidden ones whose numbers do.
  brokenMoves() {
    const isNumbered = ([one, other]) => this.numberOf(one) > 0 && this.numberOf(other) > 0;
    const areConsecutive = ([one, other]) => this.squaresBeside(this.numberOf(one)).includes(other);
    const given = this.puzzle.moves.filter((move) => isNumbered(move) && !areConsecutive(move));
    const forbidden = this.puzzle.forbidden.filter((move) => isNumbered(move) && areConsecutive(move));
    return [...this.conflictsOf(given, "must join"), ...this.conflictsOf(forbidden, "must not join")];
  }

  // Squares in order of which the earlier one has the greater number.
  brokenOrder() {
    const numbered = this.puzzle.order.filter((square) => this.numberOf(square) > 0);
    const pairs = numbered.slice(1).map((square, i) => [numbered[i], square]);
    const isBroken = ([one, other]) => this.numberOf(one) > this.numberOf(other);
    return this.conflictsOf(pairs.filter(isBroken), "must precede");
  }

  conflictsOf(pairs, key) {
    return pairs.map(([one, other]) => {
      const names = { one: this.shape.nameOf(one), other: this.shape.nameOf(other) };
      return { squares: [one, other], why: this.word(key, names) };
    });
  }

  squaresByNumber() {
    const squares = new Map();
    for (const [square, number] of this.numbers) squares.set(number, [...(squares.get(number) ?? []), square]);
    return squares;
  }

  // The number of each square. Where no number is given, a closed tour may begin anywhere and run in
  // either direction: as the numbers of the player fit best.
  solutionSteps() {
    const { solution, fixedNumbering, count } = this.puzzle;
    const stepsAlong = (order) => new Map(order.map((square, i) => [square, i + 1]));
    if (fixedNumbering) return stepsAlong(solution);
    const countRight = (steps) => [...this.numbers].filter(([square, number]) => steps.get(square) === number).length;
    let best = stepsAlong(solution);
    for (const order of [solution, [...solution].reverse()])
      for (let first = 0; first < count; first++) {
        const steps = stepsAlong([...order.slice(first), ...order.slice(0, first)]);
        if (countRight(steps) > countRight(best)) best = steps;
      }
    return best;
  }

  wrongSquares() {
    const steps = this.solutionSteps();
    return [...this.numbers].filter(([square, number]) => steps.get(square) !== number).map(([square]) => square);
  }

  get isSolved() {
    return this.remaining === 0 && this.wrongSquares().length === 0;
  }

  // The game as values that JSON can hold, which `load` takes, with the latest part of the history.
  save() {
    const pack = ({ numbers, notes }) => [[...numbers], [...notes]];
    const packLatest = (states) => states.slice(-MAX_SAVED_HISTORY).map(pack);
    return { state: pack(this.state), past: packLatest(this.past), future: packLatest(this.future) };
  }

  load(saved) {
    const unpack = ([numbers, notes]) => ({ numbers: new Map(numbers), notes: new Map(notes) });
    this.state = unpack(saved.state);
    this.past = saved.past.map(unpack);
    this.future = saved.future.map(unpack);
  }
}

// What the browser keeps of a puzzle across reloads, in localStorage.
const storageKey = (puzzle) =>
  `kt-puzzle ${puzzle.rows}x${puzzle.columns} ${JSON.stringify([puzzle.givens, puzzle.moves, puzzle.solution])}`;

export function readSaved(puzzle) {
  try {
    return JSON.parse(localStorage.getItem(storageKey(puzzle)));
  } catch {
    return null; // no storage is allowed, or what it holds is not ours
  }
}

// Keep the state of a puzzle; return whether the browser allows it and has room for it.
export function writeSaved(puzzle, state) {
  try {
    localStorage.setItem(storageKey(puzzle), JSON.stringify(state));
    return true;
  } catch {
    return false; // the puzzle can be played all the same
  }
}

// Return seconds as minutes and seconds, such as 3:07.
export function clockText(seconds) {
  const wholeSeconds = String(Math.floor(seconds) % 60).padStart(2, "0");
  return `${Math.floor(seconds / 60)}:${wholeSeconds}`;
}

// How a puzzle was solved, or an empty text if it was not; `progress` is that of a `PuzzlePlayer`.
export function resultOf(progress, word) {
  if (!progress.finished) return "";
  if (progress.revealed) return word("revealed");
  const hints = { 0: "no hints", 1: "one hint" }[progress.hints] ?? "several hints";
  return word("solved", { time: clockText(progress.seconds), hints: word(hints, { count: progress.hints }) });
}

// Pass a result on by the phone's own menu, or else copy it. Return a sentence that says so.
export async function shareResult(puzzle, result, word) {
  const address = location.protocol.startsWith("http") ? location.href : "";
  const text = word("shared", { title: puzzle.title, result, address }).trim();
  const isTouched = matchMedia("(pointer: coarse)").matches;
  try {
    if (navigator.share && isTouched) await navigator.share({ text });
    else await navigator.clipboard.writeText(text);
    return word("copied", { text });
  } catch {
    return word("copy this", { text }); // the browser allows neither
  }
}
