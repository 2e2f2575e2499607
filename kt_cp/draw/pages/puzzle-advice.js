// The advice of the puzzle player: checks, and hints one at a time.
class PuzzleAdvice {
  constructor(puzzle, shape, game, word) {
    this.shape = shape;
    this.game = game;
    this.word = word;
    this.finder = new HintFinder(puzzle, shape, game, word);
    this.forget();
  }

  forget() {
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
    const isHinted = this.hint !== null && this.hint.square === square;
    return isHinted ? this.hint.number : 0;
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
  // square, a sentence, and the sentences on which that rests, as { square, text, premises }.
  advise() {
    const [wrong] = this.game.wrongSquares();
    return wrong === undefined ? this.adviseNumber() : this.adviseErasing(wrong);
  }

  adviseErasing(square) {
    this.faults = [square];
    this.hint = { square, number: 0, about: [], premises: [] };
    const values = { number: this.game.numberOf(square), square: this.shape.nameOf(square) };
    return { square, text: this.word("erase first", values), premises: [] };
  }

  adviseNumber() {
    this.hint = this.finder.find();
    const { square, number, why } = this.hint;
    const premises = [...new Set(this.hint.premises.map((premise) => premise.why))];
    const key = premises.length > 0 ? "is on, since" : "is on";
    const text = this.word(key, { number, square: this.shape.nameOf(square), why });
    return { square, text, premises };
  }
}
