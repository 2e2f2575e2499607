// Where the numbers of a puzzle can be: what follows from counting moves between known numbers.
//
// Places go around the whole circle of the tour: the step of a square, and for an open tour 0 for
// the outside, which stands between its end and its start. The places at which a node can be are
// the bits of a number, as in kt_cp/puzzles/positions.py.
class Places {
  // `known` has pairs of a square and its number; `deductions` say which moves are used or not.
  constructor(puzzle, known, deductions) {
    const { count, closed, solution: squares } = puzzle;
    this.count = count;
    this.squares = squares;
    this.known = known;
    this.outside = puzzle.neighbors.length;
    this.nodes = closed ? squares : [...squares, this.outside];
    this.near = new Map(squares.map((square) => [square, new Set(puzzle.neighbors[square])]));
    this.used = new Map(this.nodes.map((node) => [node, new Set()]));
    if (!closed) {
      this.near.set(this.outside, new Set(squares));
      for (const square of squares) this.near.get(square).add(this.outside);
    }
    for (const move of puzzle.moves) this.decide(move, true);
    for (const move of puzzle.forbidden) this.decide(move, false);
    for (const { moves, used } of deductions) for (const move of moves) this.decide(move, used);
    this.begin(closed);
  }

  decide([one, other], isUsed) {
    for (const [node, beside] of [[one, other], [other, one]])
      if (isUsed) this.used.get(node).add(beside);
      else this.near.get(node).delete(beside);
  }

  // Give each known number its place, and every other node all places that are free.
  begin(closed) {
    const size = this.nodes.length;
    const bitOf = (number) => bit(number % size);
    this.all = bit(size) - 1n;
    const taken = this.known.reduce((sum, [, number]) => sum | bitOf(number), closed ? 0n : bit(0));
    this.free = this.all & ~taken;
    this.of = new Map(this.nodes.map((node) => [node, this.free]));
    for (const [square, number] of this.known) this.of.set(square, bitOf(number));
    if (!closed) this.of.set(this.outside, bit(0));
  }

  up(set) {
    return ((set << 1n) & this.all) | (set >> BigInt(this.nodes.length - 1));
  }

  down(set) {
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
        if (kept !== this.of.get(node)) {
          this.of.set(node, kept);
          changed = true;
        }
      }
    }
    return null;
  }

  // The places of a node of which a neighbor can be before and another after.
  placesBetween(node) {
    let [after, before] = [0n, 0n];
    for (const other of this.near.get(node)) {
      after |= this.up(this.of.get(other));
      before |= this.down(this.of.get(other));
    }
    return this.of.get(node) & after & before;
  }

  // The places of a node that go with its moves which are used: at most two.
  placesOnMoves(node) {
    const [one, other] = [...this.used.get(node)].map((each) => this.of.get(each));
    if (one === undefined) return this.all;
    if (other === undefined) return this.up(one) | this.down(one);
    return (this.up(one) & this.down(other)) | (this.up(other) & this.down(one));
  }

  // The squares where a number can be.
  squaresOf(number) {
    const place = bit(number % this.nodes.length);
    return this.squares.filter((square) => this.of.get(square) & place);
  }

  numbersOf(square) {
    return this.freeNumbers().filter((number) => this.of.get(square) & bit(number % this.nodes.length));
  }

  // The squares whose number is determined, as { square, number, onlySquare }.
  determined() {
    const isKnown = new Set(this.known.map(([square]) => square));
    const found = new Map();
    for (const square of this.squares) {
      const set = this.of.get(square);
      if (isKnown.has(square) || (set & (set - 1n)) !== 0n) continue;
      const number = set.toString(2).length - 1 || this.count;
      found.set(square, { square, number, onlySquare: false });
    }
    for (const number of this.freeNumbers()) {
      const [square, another] = this.squaresOf(number);
      if (square !== undefined && another === undefined) found.set(square, { square, number, onlySquare: true });
    }
    return [...found.values()];
  }

  freeNumbers() {
    const numbers = Array.from({ length: this.count }, (_, i) => i + 1);
    return numbers.filter((number) => this.free & bit(number % this.nodes.length));
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
