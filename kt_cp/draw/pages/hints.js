// Finds a hint: a square, its number and the reason. Known are three things: the numbers on the
// board, the moves that the puzzle gives, and the premises of the hint: as few as possible of the
// moves that `kt` deduced. From these, counting moves determines the number of the square.
const MAX_NAMED = 4; // squares that a reason names

class HintFinder {
  constructor(puzzle, shape, game, word) {
    this.puzzle = puzzle;
    this.shape = shape;
    this.game = game;
    this.word = word;
  }

  // Return { square, number, why, premises, about }: `why` is a sentence about some squares, which
  // are listed in `about`, and `premises` are the deductions on which it rests.
  find() {
    return this.hintByCounting() ?? this.hintByTrying() ?? this.hintFromSolution();
  }

  // A hint by counting moves, with the fewest premises, or null.
  hintByCounting() {
    const deductions = this.sufficientDeductions();
    if (deductions === null) return null;
    const placement = this.simplestPlacement(deductions);
    const { square, number } = placement;
    const isSame = (each) => each.square === square && each.number === number;
    const premises = minimalPart(deductions, (part) => this.placements(part).some(isSame));
    return { square, number, premises, ...this.explain(placement, premises) };
  }

  // The shortest beginning of the list of deductions that determines a number, or null.
  sufficientDeductions() {
    const { deductions } = this.puzzle;
    const suffices = (part) => this.placements(part).length > 0;
    return suffices(deductions) ? shortestBeginning(deductions, suffices) : null;
  }

  // The placement with most of the numbers before and after it on the board, so that its reason is
  // simple.
  simplestPlacement(deductions) {
    const countBeside = ({ number }) => this.game.squaresBeside(number).length;
    const [simplest] = this.placements(deductions).sort((one, other) => countBeside(other) - countBeside(one));
    return simplest;
  }

  hintByTrying() {
    return new TrialFinder(this.puzzle, this.shape, this.game, this.word).find();
  }

  // The empty squares whose number follows from counting moves between known numbers.
  placements(deductions) {
    const places = new Places(this.puzzle, [...this.game.numbers], deductions);
    if (places.narrow() !== null) return []; // cannot happen: everything known is right
    return places.determined().filter(({ square }) => this.game.isEmpty(square));
  }

  // Why a square has its number, as { why, about }.
  explain(placement, premises) {
    const { why, about } = this.explainPlacement(placement, premises);
    const isOnBoard = (node) => node < this.puzzle.neighbors.length;
    const squaresOfPremises = premises.flatMap(({ moves }) => moves.flat()).filter(isOnBoard);
    return { why, about: [...new Set([...about, ...squaresOfPremises])] };
  }

  // The reason by which of the numbers before and after are known.
  explainPlacement(placement, premises) {
    const beside = this.game.squaresBeside(placement.number);
    if (beside.length === 2) return this.explainBetween(...beside);
    if (beside.length === 1) return this.explainBesideOne(beside[0], placement, premises);
    return this.explainByCounting(placement);
  }

  // The numbers before and after are known.
  explainBetween(one, other) {
    const both = this.game.emptyNeighbors(one).filter((square) => this.game.isMove(other, square));
    const key = both.length === 1 ? "only empty from both" : "only left from both";
    const values = { move: this.puzzle.move, one: this.game.describe(one), other: this.game.describe(other) };
    return { why: this.word(key, values), about: [one, other] };
  }

  // The number before or the one after is known, on the square `one`. The candidates are the squares
  // beside it that the premises do not rule out.
  explainBesideOne(one, { square, number }, premises) {
    const isRuledOut = (each) => hasMove(premises, one, each, { isUsed: false });
    const candidates = this.game.emptyNeighbors(one).filter((each) => !isRuledOut(each));
    const values = { move: this.puzzle.move, one: this.game.describe(one) };
    if (candidates.length === 1) return { why: this.word("only empty from one", values), about: [one] };
    const isRequired = hasMove(premises, one, square, { isUsed: true });
    if (isRequired) return { why: this.word("forced", values), about: [one] };
    return this.explainWithoutOthers(one, candidates.filter((each) => each !== square), number);
  }

  // Why the number beside that of `one` is on none of the other candidates.
  explainWithoutOthers(one, others, number) {
    const target = this.nearestKnown(number).find((each) => each !== one);
    if (target === undefined) return { why: this.whyOthersCutOff(one, others), about: [one] };
    return { why: this.whyOthersAreTooFar(one, others, target), about: [one, target] };
  }

  // Why no other square beside a known number can follow it: some square would be out of reach.
  whyOthersCutOff(one, others) {
    const key = others.length <= MAX_NAMED ? "others named cut off" : "others cut off";
    return this.word(key, this.valuesOfOthers(one, others));
  }

  // Why no other square beside a known number can follow it: from there, the known number on the
  // square `target` is not reached in time.
  whyOthersAreTooFar(one, others, target) {
    const key = others.length <= MAX_NAMED ? "others named too far" : "others too far";
    return this.word(key, { ...this.valuesOfOthers(one, others), target: this.game.describe(target) });
  }

  valuesOfOthers(one, others) {
    const names = joinWords(this.word, others.map(this.shape.nameOf));
    return { move: this.puzzle.move, one: this.game.describe(one), others: names };
  }

  // Neither the number before nor the one after is known.
  explainByCounting({ number, onlySquare }) {
    const nearest = this.nearestKnown(number);
    if (nearest.length === 0) {
      const key = onlySquare ? "no other square" : "no other number";
      return { why: this.word(key, { number }), about: [] };
    }
    const key = onlySquare ? "no other square, counting" : "no other number, counting";
    const numbers = joinWords(this.word, nearest.map((square) => this.game.describe(square)), "and");
    return { why: this.word(key, { number, numbers }), about: nearest };
  }

  // The squares of the nearest known numbers before and after a number, as far as there are any.
  nearestKnown(number) {
    const found = [];
    for (const direction of [-1, 1]) {
      let next = this.game.nextNumber(number, direction);
      while (next !== 0 && next !== number && this.game.squaresWith(next).length === 0)
        next = this.game.nextNumber(next, direction);
      if (next !== 0 && next !== number) found.push(this.game.squaresWith(next)[0]);
    }
    return found;
  }

  // A hint without a reason, where even trying finds none: an empty square of the solution, beside
  // a known number if there is one.
  hintFromSolution() {
    const { game, word } = this;
    const steps = game.solutionSteps();
    const besideOf = (square) => game.squaresBeside(steps.get(square));
    const square = game.emptySquares.find((each) => besideOf(each).length > 0) ?? game.emptySquares[0];
    const about = besideOf(square);
    const deductionsJoining = (near) =>
      this.puzzle.deductions.filter(({ used, moves }) => used && moves.some((move) => joins(move, square, near)));
    const joined = about.find((near) => deductionsJoining(near).length > 0);
    if (joined !== undefined) {
      const why = word("forced", { one: game.describe(joined) });
      return { square, number: steps.get(square), why, premises: deductionsJoining(joined), about };
    }
    const why = word(about.length > 0 ? "by trying" : "begin anywhere");
    return { square, number: steps.get(square), why, premises: [], about };
  }
}

const joins = (move, one, other) => move.includes(one) && move.includes(other);

// Return whether premises require a move between two squares or, unless `isUsed`, rule it out.
function hasMove(premises, one, other, { isUsed }) {
  return premises.some(({ used, moves }) => used === isUsed && moves.some((move) => joins(move, one, other)));
}

// Return the shortest beginning of a list that suffices, by binary search; the whole list does.
function shortestBeginning(items, suffices) {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (suffices(items.slice(0, middle))) high = middle;
    else low = middle + 1;
  }
  return items.slice(0, low);
}

// Return a part of a list that suffices, while no part of it without one item does: remove blocks of
// half the list while the rest suffices, then of a quarter, and so on down to single items.
function minimalPart(items, suffices) {
  let part = items;
  let size = items.length;
  do {
    size = Math.ceil(size / 2);
    part = withoutBlocks(part, size, suffices);
  } while (size > 1);
  return part;
}

// Remove blocks of a size from a list while the rest suffices.
function withoutBlocks(items, size, suffices) {
  let kept = items;
  let first = 0;
  while (first < kept.length) {
    const rest = [...kept.slice(0, first), ...kept.slice(first + size)];
    if (suffices(rest)) kept = rest;
    else first += size;
  }
  return kept;
}
