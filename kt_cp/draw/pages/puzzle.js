// The puzzle player: a board on which numbers are written by taps and keys, with pencil marks,
// undo, conflicts, hints and a clock. What was written is kept by the browser.
//
// Its elements `card` (the status), `board` and `panel` are for a page to place. All texts come from
// `word`; `onSolved` is called when the puzzle is solved or begun again.
class PuzzlePlayer {
  constructor(puzzle, word, onSolved = () => {}) {
    this.puzzle = puzzle;
    this.word = word;
    this.onSolved = onSolved;
    this.shape = makeBoardShape(puzzle);
    this.game = makeGame(puzzle, this.shape, word);
    this.play = { seconds: 0, hints: 0, hinted: null, by: 1, finished: false, revealed: false };
    this.current = null; // the square whose number goes on, with a ring
    this.selected = Math.min(...puzzle.solution); // where typing writes
    this.hint = null; // the last hint, until its number is written
    this.faults = []; // squares that a check found wrong
    this.isPencil = false;
    this.entry = new NumberEntry(puzzle.count, {
      write: (square, number) => this.write(square, number),
      takeBack: () => this.game.undo(),
    });
    this.squares = new PuzzleBoard(puzzle, this.shape, word);
    this.squares.listen({ onTap: (square) => this.tap(square), onFocus: (square) => this.focus(square) });
    this.controls = new PuzzleControls(puzzle.rules, word, this.actions());
    this.board = this.squares.element;
    this.card = this.controls.card;
    this.panel = this.controls.panel;
    this.onKey = (event) => this.pressKey(event);
    document.addEventListener("keydown", this.onKey);
    this.timer = setInterval(() => this.tick(), 1000);
    this.begin();
  }

  actions() {
    return {
      hint: () => this.showHint(),
      check: () => this.check(),
      undo: () => this.travel(this.game.undo, "undone"),
      redo: () => this.travel(this.game.redo, "redone"),
      pencil: () => this.togglePencil(),
      direction: () => this.toggleDirection(),
      restart: () => this.restart(),
      reveal: () => this.reveal(),
      share: () => this.share(),
      key: (name) => this.pressPad(name),
    };
  }

  // Restore the saved state, and greet the player.
  begin() {
    const isBack = this.load();
    this.squares.select(this.selected);
    this.show();
    if (this.play.finished) {
      this.squares.drawLine(true, true);
      this.say("result", { result: this.result() });
    } else if (isBack && this.play.seconds) this.say("welcome back", { left: this.game.left() });
    else this.controls.say(this.puzzle.rules[0]);
  }

  // Leave the page.
  remove() {
    this.endEntry();
    document.removeEventListener("keydown", this.onKey);
    clearInterval(this.timer);
    this.board.remove();
    this.controls.remove();
  }

  // ----- what is seen
  say(key, values) {
    this.controls.say(this.word(key, values));
  }

  result() {
    return resultOf(this.puzzle, this.play, this.word);
  }

  // Show everything, and return the conflicts.
  show() {
    const { game, play } = this;
    const conflicts = game.conflicts();
    this.squares.show(game, {
      current: this.current,
      selected: this.selected,
      dotted: this.dotted(),
      conflicting: new Set(conflicts.flatMap(({ squares }) => squares)),
      faults: this.faults,
      hint: this.hint,
      entry: this.entry,
      isFinished: play.finished,
    });
    this.controls.show(game, play, { isPencil: this.isPencil, direction: this.directionText() });
    return conflicts;
  }

  // Show and keep a change, and say a sentence with the first conflict, if there is one.
  update(key, values) {
    const [conflict] = this.show();
    if (!this.play.finished && this.game.isSolved()) return this.finish();
    const said = this.word(key, values);
    this.controls.say(conflict ? this.word("but", { said, conflict: conflict.why }) : said);
    this.save();
  }

  // The number that a tap on a dot writes: in the chosen direction, or the other if that one is
  // on the board already; 0 if both are.
  nextNumber() {
    if (this.current === null) return 0;
    const number = this.game.numberOf(this.current);
    const both = [this.play.by, -this.play.by].map((by) => this.game.following(number, by));
    return both.find((each) => each && this.game.squaresWith(each).length === 0) ?? 0;
  }

  // The squares to which the number with the ring can go on.
  dotted() {
    return this.nextNumber() ? this.puzzle.neighbors[this.current].filter(this.game.isEmpty) : [];
  }

  // The number with the ring and the one that follows it, such as "6 → 7".
  directionText() {
    const number = this.current === null ? 0 : this.game.numberOf(this.current);
    const next = number && this.game.following(number, this.play.by);
    if (next) return `${number} → ${next}`;
    return this.play.by === 1 ? "+1" : "−1";
  }

  // ----- writing numbers
  tap(square) {
    this.endEntry();
    this.select(square);
    if (this.play.finished) return;
    const isHinted = this.hint?.square === square && this.hint.number !== undefined; // it may only say what to erase
    if (isHinted && this.game.isEmpty(square)) return this.write(square, this.hint.number);
    if (this.dotted().includes(square)) return this.write(square, this.nextNumber());
    this.choose(square);
  }

  // Let the number of a square go on, or type into an empty square.
  choose(square) {
    const number = this.game.numberOf(square);
    const name = this.shape.nameOf(square);
    this.current = number ? square : null;
    if (!number) return this.update("chosen", { square: name });
    const next = this.nextNumber();
    this.update(next ? "current" : "complete", { number, square: name, next });
  }

  // Write a number, or with 0 erase it, or with the pencil note it; return whether anything changed.
  write(square, number) {
    const values = { number, square: this.shape.nameOf(square) };
    if (this.isPencil) {
      this.entry.forget(); // notes have no further digits
      const isNoted = this.game.toggleMark(square, number);
      this.update("noted", values);
      return isNoted;
    }
    if (!this.game.write(square, number)) {
      this.show();
      return false;
    }
    this.faults = [];
    if (this.hint && this.game.numberOf(this.hint.square)) this.hint = null;
    this.current = number ? this.whereToGoOn(square) : null;
    this.update(number ? "written" : "erased", values);
    return true;
  }

  // From a number that was written go on along those that follow, which may be clues, in the chosen
  // direction, or in the other if all numbers of that one are on the board.
  whereToGoOn(square) {
    const ends = [this.play.by, -this.play.by].map((by) => ({ end: this.endOfRun(square, by), by }));
    const isOpen = ({ end, by }) => {
      const next = this.game.following(this.game.numberOf(end), by);
      return next > 0 && this.game.squaresWith(next).length === 0;
    };
    return (ends.find(isOpen) ?? ends[0]).end;
  }

  // The last square of the numbers that follow each other from one on.
  endOfRun(square, by) {
    for (let at = square; ; ) {
      const following = this.game.following(this.game.numberOf(at), by);
      const [next, another] = this.game.squaresWith(following);
      const isOne = next !== undefined && another === undefined;
      if (!isOne || next === square || !this.game.isMove(at, next)) return at;
      at = next;
    }
  }

  erase() {
    if (this.entry.isOpen) {
      this.entry.eraseDigit();
      return this.show();
    }
    this.entry.forget();
    this.write(this.selected, 0);
  }

  endEntry() {
    this.entry.end();
    this.show();
  }

  select(square) {
    this.selected = square;
    this.squares.select(square);
  }

  focus(square) {
    if (square === this.selected) return;
    this.endEntry();
    this.select(square);
    this.show();
  }

  // ----- what the buttons do
  travel(go, key) {
    this.endEntry();
    if (!go()) return;
    this.faults = [];
    if (this.current !== null && !this.game.numberOf(this.current)) this.current = null;
    this.update(key);
  }

  togglePencil() {
    this.endEntry();
    this.isPencil = !this.isPencil;
    this.update(this.isPencil ? "notes on" : "notes off");
  }

  toggleDirection() {
    this.play.by = -this.play.by;
    this.update(this.play.by === 1 ? "counts up" : "counts down");
  }

  check() {
    this.endEntry();
    this.faults = this.game.wrongSquares();
    this.show();
    const { length } = this.faults;
    if (length === 0) return this.say("right so far", { left: this.game.left() });
    this.say("wrong", { count: length, numbers: joinWords(this.word, this.faults.map(this.game.describe)) });
  }

  showHint() {
    this.endEntry();
    const [wrong] = this.game.wrongSquares();
    if (wrong === undefined) this.explain(findHint(this.puzzle, this.shape, this.game, this.word));
    else this.tellWrong(wrong);
    this.save();
  }

  tellWrong(square) {
    this.faults = [square];
    this.countHint(square);
    this.hint = { square, about: [], premises: [] };
    this.show();
    this.say("erase first", { number: this.game.numberOf(square), square: this.shape.nameOf(square) });
  }

  explain(hint) {
    const { square, number, why } = hint;
    const premises = [...new Set(hint.premises.map((premise) => premise.why))];
    this.countHint(square);
    this.hint = hint;
    this.current = null;
    this.show();
    this.squares.cells[square].scrollIntoView({ block: "nearest", inline: "nearest" });
    const key = premises.length ? "is on, since" : "is on";
    this.controls.say(this.word(key, { number, square: this.shape.nameOf(square), why }), premises);
  }

  // The same hint counts once, also after the page was closed and opened again.
  countHint(square) {
    if (this.play.hinted !== square) this.play.hints += 1;
    this.play.hinted = square;
  }

  reveal() {
    this.endEntry();
    this.play.revealed = true;
    this.game.clear();
    const steps = [...this.game.solutionSteps()].sort(([, one], [, other]) => one - other);
    this.game.fillIn(steps.map(([square]) => square));
    this.finish();
  }

  finish() {
    this.play.finished = true;
    this.current = this.hint = null;
    this.entry.forget();
    this.faults = [];
    this.show();
    this.squares.drawLine(true);
    this.say("result", { result: this.result() });
    this.save();
    this.onSolved();
  }

  restart() {
    this.endEntry();
    if (this.play.revealed) this.game.reset(); // undoing must not bring the solution back
    else this.game.clear();
    Object.assign(this.play, { seconds: 0, hints: 0, hinted: null, finished: false, revealed: false });
    this.squares.drawLine(false);
    this.hint = this.current = null;
    this.faults = [];
    this.update("restarted");
    this.onSolved();
  }

  async share() {
    const address = location.protocol.startsWith("http") ? location.href : "";
    const result = this.result();
    const text = this.word("shared", { title: this.puzzle.title, result, address }).trim();
    try {
      if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ text });
      else await navigator.clipboard.writeText(text);
      this.say("copied", { text });
    } catch {
      this.say("copy this", { text }); // where the browser allows neither
    }
  }

  // ----- keys and time
  // A key of the keypad, or of the keyboard by the same name.
  pressPad(name) {
    if (this.play.finished) return;
    if (name === "enter") return this.endEntry();
    if (this.game.clues.has(this.selected)) return this.say("clue stays", { square: this.shape.nameOf(this.selected) });
    if (name === "erase") return this.erase();
    this.entry.type(this.selected, name);
    this.show();
  }

  pressKey(event) {
    const isElsewhere = event.target.closest("input, textarea, select, summary, [contenteditable]");
    if (!this.squares.isShown || isElsewhere || event.altKey) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const isUsed = isCommand ? this.pressCommand(event) : this.pressPlain(event);
    if (isUsed) event.preventDefault();
  }

  // Undo or redo by Ctrl and a letter; return whether the key means that.
  pressCommand(event) {
    const { undo, redo } = this.controls.buttons;
    const isRedo = event.key === "y" || (event.shiftKey && event.key.toLowerCase() === "z");
    if (!isRedo && event.key !== "z") return false;
    if (isRedo) redo.click();
    else undo.click();
    return true;
  }

  // Do what another key means; return whether it means anything.
  pressPlain(event) {
    const name = event.key;
    const target = this.targetOf(name);
    if (target !== null) this.squares.cells[target].focus();
    else if (/^[0-9]$/.test(name)) this.pressPad(name);
    else if (name === "Delete" || name === "Backspace") this.pressPad("erase");
    else if (name === "Escape") this.leaveNumber();
    else if (name.toLowerCase() === "p") this.controls.buttons.pencil.click();
    else if ((name === "Enter" || name === " ") && this.squares.cells.includes(event.target)) this.pressEnter();
    else return false;
    return true;
  }

  // The square to which a key moves, over holes, or null for another key.
  targetOf(key) {
    const { rows, columns } = this.puzzle;
    const after = (square) => squareAfter(key, square, rows, columns);
    let target = after(this.selected);
    if (target === null) return null;
    while (this.shape.holes.has(target) && after(target) !== target) target = after(target);
    return this.shape.holes.has(target) ? this.selected : target;
  }

  pressEnter() {
    if (this.entry.isOpen) this.endEntry();
    else this.tap(this.selected);
  }

  leaveNumber() {
    this.current = null;
    this.endEntry();
  }

  tick() {
    if (!this.squares.isShown || document.hidden || this.play.finished) return;
    this.play.seconds += 1;
    this.controls.showClock(this.play.seconds);
    this.save();
  }

  // ----- what is kept
  save() {
    const { play, current, selected, isPencil } = this;
    writeSaved(this.puzzle, { game: this.game.save(), play, current, selected, pencil: isPencil });
  }

  load() {
    const saved = readSaved(this.puzzle);
    if (!saved) return false;
    this.game.load(saved.game);
    Object.assign(this.play, saved.play);
    this.current = saved.current;
    this.selected = saved.selected;
    this.isPencil = saved.pencil;
    return true;
  }
}
