// Hints by trying, which is what is left where the rules of `hints.js` find no number.
const MOST_PAIRS = 6; // of a trial, so that a person can follow it
const MOST_TRIED = 150; // pairs of all trials, which take less than a second

// Where the rules that people use do not help: a square and its number, since every other choice
// fails, as counting moves from there leaves a square without a number or a number without a square.
// A trial has `pairs` of a square and a number, of which one must be right, the fewest first.
function hintByTrying(puzzle, shape, game, word) {
  const steps = game.solutionSteps();
  const isRight = ([square, number]) => steps.get(square) === number;
  const trials = [...trialsBesideNumbers(puzzle, game, word), ...trialsOfSquares(puzzle, game, word)];
  let tried = 0;
  for (const { pairs, why, about } of trials.sort((one, other) => one.pairs.length - other.pairs.length)) {
    tried += pairs.length;
    if (tried > MOST_TRIED) return null;
    const others = pairs.filter((pair) => !isRight(pair));
    const premises = failuresOf(others, puzzle, shape, game, word);
    if (premises === null) continue;
    const [square, number] = pairs.find(isRight);
    return { square, number, why, premises, about };
  }
  return null;
}

// For each number without a neighbor: that one on each empty square a move away.
function trialsBesideNumbers(puzzle, game, word) {
  const trials = [];
  for (const [from, number] of game.numbers())
    for (const next of [game.following(number, 1), game.following(number, -1)]) {
      if (!next || game.squaresWith(next).length) continue;
      const squares = puzzle.neighbors[from].filter(game.isEmpty);
      const why = word("other squares fail", { move: puzzle.move, one: game.describe(from) });
      trials.push({ pairs: squares.map((square) => [square, next]), why, about: [from, ...squares] });
    }
  return trials;
}

// For each empty square: the numbers that counting moves leaves for it, if they are few.
function trialsOfSquares(puzzle, game, word) {
  const places = new Places(puzzle, [...game.numbers()], puzzle.deductions);
  places.narrow();
  const trials = [];
  for (const square of puzzle.solution.filter(game.isEmpty)) {
    const numbers = places.numbersOf(square);
    if (numbers.length > MOST_PAIRS) continue;
    const pairs = numbers.map((number) => [square, number]);
    trials.push({ pairs, why: word("other numbers fail"), about: [] });
  }
  return trials;
}

// What is wrong with each of some pairs of a square and a number, or null if there is one with
// which counting moves finds nothing wrong.
function failuresOf(pairs, puzzle, shape, game, word) {
  const failures = [];
  for (const [square, number] of pairs) {
    const wrong = new Places(puzzle, [...game.numbers(), [square, number]], puzzle.deductions).contradiction();
    if (wrong === null) return null;
    const tried = { number, square: shape.nameOf(square) };
    const why =
      wrong.square === undefined
        ? word("leaves number", { ...tried, other: wrong.number })
        : word("leaves square", { ...tried, other: shape.nameOf(wrong.square) });
    failures.push({ why, moves: [], used: false });
  }
  return failures;
}
