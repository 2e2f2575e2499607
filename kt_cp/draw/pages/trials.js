// Hints by trying, for positions where counting moves determines no number. A trial is a list of
// `pairs` of a square and a number, exactly one of which is right. If every other pair leaves a
// square without a number, or a number without a square, the right one follows.
const MAX_PAIRS = 6; // of a trial, so that a person can follow it
const MAX_TRIED = 150; // pairs in all, which takes less than a second

class TrialFinder {
  constructor(puzzle, shape, game, word) {
    this.puzzle = puzzle;
    this.shape = shape;
    this.game = game;
    this.word = word;
  }

  // Return a hint as `HintFinder` does, from the shortest trial that works, or null.
  find() {
    const steps = this.game.solutionSteps();
    const isRight = ([square, number]) => steps.get(square) === number;
    let tried = 0;
    for (const { pairs, why, about } of this.trials()) {
      tried += pairs.length;
      if (tried > MAX_TRIED) return null;
      const premises = this.failuresOf(pairs.filter((pair) => !isRight(pair)));
      if (premises === null) continue;
      const [square, number] = pairs.find(isRight);
      return { square, number, why, premises, about };
    }
    return null;
  }

  // Return all trials that a person can follow, the shortest first.
  trials() {
    const trials = [...this.trialsBesideNumbers(), ...this.trialsOfSquares()];
    const short = trials.filter(({ pairs }) => pairs.length <= MAX_PAIRS);
    return short.sort((one, other) => one.pairs.length - other.pairs.length);
  }

  // For each number whose predecessor or successor is missing: that missing number on each empty square a move away.
  trialsBesideNumbers() {
    const { game } = this;
    const trials = [];
    for (const [from, number] of game.numbers)
      for (const next of [game.nextNumber(number, 1), game.nextNumber(number, -1)]) {
        if (next === 0 || game.squaresWith(next).length > 0) continue;
        const squares = game.emptyNeighbors(from);
        const why = this.word("other squares fail", { move: this.puzzle.move, one: game.describe(from) });
        trials.push({ pairs: squares.map((square) => [square, next]), why, about: [from, ...squares] });
      }
    return trials;
  }

  // For each empty square: the numbers that counting moves leaves for it.
  trialsOfSquares() {
    const places = new Places(this.puzzle, [...this.game.numbers], this.puzzle.deductions);
    places.narrow();
    const trials = [];
    for (const square of this.game.emptySquares) {
      const pairs = places.numbersOf(square).map((number) => [square, number]);
      trials.push({ pairs, why: this.word("other numbers fail"), about: [] });
    }
    return trials;
  }

  // Return why each of some pairs is wrong, as premises of a hint, or null if counting moves finds
  // nothing wrong with one of them.
  failuresOf(pairs) {
    const failures = [];
    for (const [square, number] of pairs) {
      const known = [...this.game.numbers, [square, number]];
      const contradiction = new Places(this.puzzle, known, this.puzzle.deductions).contradiction();
      if (contradiction === null) return null;
      failures.push({ why: this.describeFailure(square, number, contradiction), moves: [], used: false });
    }
    return failures;
  }

  describeFailure(square, number, contradiction) {
    const pair = { number, square: this.shape.nameOf(square) };
    if (contradiction.square === undefined)
      return this.word("leaves number", { ...pair, other: contradiction.number });
    return this.word("leaves square", { ...pair, other: this.shape.nameOf(contradiction.square) });
  }
}
