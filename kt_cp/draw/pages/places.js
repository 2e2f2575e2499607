// Where the numbers of a puzzle can be: what follows from counting moves between known numbers.
//
// A node is a square, or in an open tour the outside, which joins its end to its start; the nodes
// are a cycle then. The place of a node is its index on that cycle: the step of a square, and 0 for
// the outside. A set of places is a BigInt with a bit for each, as in kt_cp/puzzles/positions.py,
// where places are called positions. (In these scripts, a position is that of a square in an order.)
class Places {
  // `known` has pairs of a square and its number; `deductions` say which moves are required or ruled out.
  constructor(puzzle, known, deductions) {
    const { count, closed, solution: squares } = puzzle;
    this.count = count;
    this.squares = squares;
    this.known = known;
    this.outside = puzzle.neighbors.length;
    this.nodes = closed ? squares : [...squares, this.outside];
    this.allowed = new Map(squares.map((square) => [square, new Set(puzzle.neighbors[square])]));
    this.required = new Map(this.nodes.map((node) => [node, new Set()]));
    if (!closed) {
      this.allowed.set(this.outside, new Set(squares));
      for (const square of squares) this.allowed.get(square).add(this.outside);
    }
    for (const move of puzzle.moves) this.setMove(move, true);
    for (const move of puzzle.forbidden) this.setMove(move, false);
    for (const { moves, used } of deductions) for (const move of moves) this.setMove(move, used);
    this.initPlaces(closed);
  }

  // Require a move, or rule it out.
  setMove([one, other], isRequired) {
    for (const [node, beside] of [[one, other], [other, one]])
      if (isRequired) this.required.get(node).add(beside);
      else this.allowed.get(node).delete(beside);
  }

  // Give each known number its place, and every other node all places that are free.
  initPlaces(closed) {
    this.all = bit(this.nodes.length) - 1n;
    const fixed = this.known.map(([square, number]) => [square, this.placeOf(number)]);
    if (!closed) fixed.push([this.outside, bit(0)]);
    this.free = this.all;
    for (const [, place] of fixed) this.free &= ~place;
    this.placesOf = new Map(this.nodes.map((node) => [node, this.free]));
    for (const [node, place] of fixed) this.placesOf.set(node, place);
  }

  // The place of a number, as a set; around a closed tour its last number has place 0.
  placeOf(number) {
    return bit(number % this.nodes.length);
  }

  // The number of the only place in a set.
  numberAt(set) {
    const place = set.toString(2).length - 1;
    return place === 0 ? this.count : place;
  }

  // The places one after those of a set.
  shiftUp(set) {
    return ((set << 1n) & this.all) | (set >> BigInt(this.nodes.length - 1));
  }

  // The places one before those of a set.
  shiftDown(set) {
    return (set >> 1n) | ((set & 1n) << BigInt(this.nodes.length - 1));
  }

  // Remove places for which no neighbor can be before, or none after. Return a node that
  // has no place left, or null.
  narrow() {
    for (let changed = true; changed; ) {
      changed = false;
      for (const node of this.nodes) {
        const kept = this.placesBetween(node) & this.placesOnMoves(node);
        if (kept === 0n) return node;
        if (kept !== this.placesOf.get(node)) {
          this.placesOf.set(node, kept);
          changed = true;
        }
      }
    }
    return null;
  }

  // The places of a node for which one neighbor can be before and another after.
  placesBetween(node) {
    let [after, before] = [0n, 0n];
    for (const other of this.allowed.get(node)) {
      after |= this.shiftUp(this.placesOf.get(other));
      before |= this.shiftDown(this.placesOf.get(other));
    }
    return this.placesOf.get(node) & after & before;
  }

  // The places of a node that are compatible with its required moves, of which there are at most two.
  placesOnMoves(node) {
    const [one, other] = [...this.required.get(node)].map((each) => this.placesOf.get(each));
    if (one === undefined) return this.all;
    if (other === undefined) return this.shiftUp(one) | this.shiftDown(one);
    return (this.shiftUp(one) & this.shiftDown(other)) | (this.shiftUp(other) & this.shiftDown(one));
  }

  // The squares where a number can be.
  squaresOf(number) {
    return this.squares.filter((square) => this.placesOf.get(square) & this.placeOf(number));
  }

  // The numbers that a square can have.
  numbersOf(square) {
    return this.freeNumbers().filter((number) => this.placesOf.get(square) & this.placeOf(number));
  }

  // The squares whose number is determined, as { square, number, onlySquare }: `onlySquare` if the
  // number can be nowhere else, rather than the square having no other number.
  determined() {
    const isKnown = new Set(this.known.map(([square]) => square));
    const found = new Map();
    for (const square of this.squares) {
      const set = this.placesOf.get(square);
      const hasOnePlace = (set & (set - 1n)) === 0n;
      if (hasOnePlace && !isKnown.has(square))
        found.set(square, { square, number: this.numberAt(set), onlySquare: false });
    }
    for (const number of this.freeNumbers()) {
      const [square, another] = this.squaresOf(number);
      if (square !== undefined && another === undefined) found.set(square, { square, number, onlySquare: true });
    }
    return [...found.values()];
  }

  // The numbers that are not known yet.
  freeNumbers() {
    const numbers = Array.from({ length: this.count }, (_, i) => i + 1);
    return numbers.filter((number) => this.free & this.placeOf(number));
  }

  // What contradicts the known numbers: { square } without a number or { number } without a
  // square, or null if counting moves finds nothing.
  contradiction() {
    const node = this.narrow();
    if (node !== null && node !== this.outside) return { square: node };
    const number = this.freeNumbers().find((each) => this.squaresOf(each).length === 0);
    return number === undefined ? null : { number };
  }
}

const bit = (place) => 1n << BigInt(place);
