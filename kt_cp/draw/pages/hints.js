// Finds a hint: a square, its number and the reason. Known are the numbers on the board, the moves
// that the puzzle gives, and as few as possible of the moves that `kt` deduced: the premises of the
// hint. From these, counting moves between known numbers determines the number of the square.
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
    const all = this.puzzle.deductions;
    if (this.placements(all).length === 0) return null;
    const first = shortestBeginning(all, (deductions) => this.placements(deductions).length > 0);
    const countBeside = ({ number }) => this.game.squaresBeside(number).length;
    const [best] = this.placements(first).sort((one, other) => countBeside(other) - countBeside(one));
    const isBest = ({ square, number }) => square === best.square && number === best.number;
    const premises = withoutNeedless(first, (deductions) => this.placements(deductions).some(isBest));
    return { square: best.square, number: best.number, premises, ...this.explain(best, premises) };
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
    if (beside.length === 1) return this.explainBesideOne(placement, premises, beside[0]);
    return this.explainByCounting(placement);
  }

  // The numbers before and after are known.
  explainBetween(one, other) {
    const both = this.game.emptyNeighbors(one).filter((square) => this.game.isMove(other, square));
    const key = both.length === 1 ? "only empty from both" : "only left from both";
    const values = { move: this.puzzle.move, one: this.game.describe(one), other: this.game.describe(other) };
    return { why: this.word(key, values), about: [one, other] };
  }

  // The number before or the one after is known.
  explainBesideOne({ square, number }, premises, one) {
    const { game, word } = this;
    const values = { move: this.puzzle.move, one: game.describe(one) };
    const hasMove = (isUsed, target) =>
      premises.some(({ used, moves }) => used === isUsed && moves.some((move) => joins(move, one, target)));
    const candidates = game.emptyNeighbors(one).filter((each) => !hasMove(false, each));
    if (candidates.length === 1) return { why: word("only empty from one", values), about: [one] };
    if (hasMove(true, square)) return { why: word("forced", values), about: [one] };

    const others = candidates.filter((each) => each !== square);
    const areNamed = others.length <= MAX_NAMED;
    const key = areNamed ? "others named" : "others";
    if (areNamed) values.others = joinWords(word, others.map(this.shape.nameOf));
    const target = this.nearestKnown(number).find((each) => each !== one);
    if (target === undefined) return { why: word(`${key} cut off`, values), about: [one] };
    values.target = game.describe(target);
    return { why: word(`${key} too far`, values), about: [one, target] };
  }

  // Neither the number before nor the one after is known.
  explainByCounting({ number, onlySquare }) {
    const key = onlySquare ? "no other square" : "no other number";
    const nearest = this.nearestKnown(number);
    if (nearest.length === 0) return { why: this.word(key, { number }), about: [] };
    const numbers = joinWords(this.word, nearest.map((square) => this.game.describe(square)), "and");
    return { why: this.word(`${key}, counting`, { number, numbers }), about: nearest };
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
    const leadsThere = ({ used, moves }) =>
      used && moves.some((move) => about.some((each) => joins(move, square, each)));
    const premises = this.puzzle.deductions.filter(leadsThere);
    let why = word("begin anywhere");
    if (premises.length > 0) why = word("forced", { one: game.describe(about[0]) });
    else if (about.length > 0) why = word("by trying");
    return { square, number: steps.get(square), why, premises, about };
  }
}

const joins = (move, one, other) => move.includes(one) && move.includes(other);

// The shortest beginning of a list that suffices, by halving; the whole list does.
function shortestBeginning(items, suffices) {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (suffices(items.slice(0, middle))) high = middle;
    else low = middle + 1;
  }
  return items.slice(0, low);
}

// Remove items while the rest suffices: in parts of half the list, then of a quarter, and so on
// down to single items.
function withoutNeedless(items, suffices) {
  let kept = items;
  for (const size of partSizes(items.length))
    for (let first = 0; first < kept.length; ) {
      const rest = [...kept.slice(0, first), ...kept.slice(first + size)];
      if (suffices(rest)) kept = rest;
      else first += size;
    }
  return kept;
}

// Half a length, a quarter of it and so on, rounded up, down to 1.
function partSizes(length) {
  const sizes = [];
  for (let size = length; size > 1; ) {
    size = Math.ceil(size / 2);
    sizes.push(size);
  }
  return length === 1 ? [1] : sizes;
}
