// @ts-check
// The puzzle player: a board on which numbers are written by taps and keys, with notes in pencil,
// undo, conflicts, hints and a clock. The browser keeps the state.
import { commandOf, makeBoardShape, squareAfter } from "./board.js";
import { NumberEntry } from "./entry.js";
import { PuzzleGame, readSaved, resultOf, shareResult, writeSaved } from "./game.js";
import { Advice } from "./hints.js";
import { PuzzleBoard, PuzzleControls } from "./view.js";

// A page places the elements `boardElement`, `card` (the status) and `panel` (the buttons). All texts
// come from `word`; `onSolved` is called when the puzzle is solved or begun again, and `onNext` when the
// player wants another one.
export class PuzzlePlayer {
  constructor(puzzle, word, onSolved = () => {}, onNext = null) {
    this.puzzle = puzzle;
    this.word = word;
    this.onSolved = onSolved;
    this.shape = makeBoardShape(puzzle);
    this.game = new PuzzleGame(puzzle, this.shape, word);
    this.advice = new Advice(puzzle, this.game, word);
    // `hintedSquare` is the square of the last hint, and `direction` that of writing by taps: 1 for
    // the next number, -1 for the one before.
    this.progress = { seconds: 0, hints: 0, hintedSquare: null, direction: 1, finished: false, revealed: false };
    this.current = null; // the square whose number taps continue, with a ring
    this.selected = Math.min(...puzzle.solution); // the square on which keys write
    this.hasCursor = false; // whether that square is marked: from the first tap or key
    this.isPencil = false;
    this.entry = new NumberEntry(puzzle.count, {
      write: (square, number) => this.write(square, number),
      takeBack: () => this.game.undo(),
    });
    this.board = new PuzzleBoard(puzzle, this.shape, word);
    this.board.listen({ onTap: (square) => this.tap(square), onFocus: (square) => this.focus(square) });
    this.boardElement = this.board.element;
    this.controls = new PuzzleControls(puzzle.rules, word, {
      hint: () => this.showHint(),
      check: () => this.check(),
      undo: () => this.undo(),
      redo: () => this.redo(),
      pencil: () => this.togglePencil(),
      direction: () => this.toggleDirection(),
      restart: () => this.restart(),
      reveal: () => this.reveal(),
      share: () => this.share(),
      next: onNext,
      key: (name) => this.pressKey(name),
    });
    this.card = this.controls.card;
    this.panel = this.controls.panel;
    this.onKeyDown = (event) => {
      if (this.takesKey(event)) event.preventDefault();
    };
    document.addEventListener("keydown", this.onKeyDown);
    this.timer = setInterval(() => this.tick(), 1000);
    this.restore();
  }

  remove() {
    this.entry.end();
    document.removeEventListener("keydown", this.onKeyDown);
    clearInterval(this.timer);
    this.boardElement.remove();
    this.controls.remove();
  }

  show() {
    const conflicts = this.game.conflicts();
    this.board.show(this.game, {
      current: this.current,
      selected: this.selected,
      hasCursor: this.hasCursor,
      dotted: this.dottedSquares(),
      conflicting: new Set(conflicts.flatMap(({ squares }) => squares)),
      faults: this.advice.faults,
      hint: this.advice.hint,
      entry: this.entry,
      isFinished: this.progress.finished,
      isRevealed: this.progress.revealed,
    });
    this.controls.show(this.game, this.progress, { isPencil: this.isPencil, directionText: this.directionText() });
    return conflicts;
  }

  say(key, values) {
    this.controls.say(this.word(key, values));
  }

  sayResult() {
    this.say("result", { result: resultOf(this.progress, this.word) });
  }

  // Show and save a change, and say a sentence with the first conflict, if there is one.
  update(key, values) {
    const [conflict] = this.show();
    if (!this.progress.finished && this.game.isSolved) return this.finish();
    const said = this.word(key, values);
    this.controls.say(conflict ? this.word("but", { said, conflict: conflict.why }) : said);
    this.save();
  }

  // The current number and the one that a tap writes next, such as "6 → 7".
  directionText() {
    const number = this.current === null ? 0 : this.game.numberOf(this.current);
    const next = number ? this.game.nextNumber(number, this.progress.direction) : 0;
    if (next) return `${number} → ${next}`;
    return this.progress.direction === 1 ? `↑ ${this.word("counting up")}` : `↓ ${this.word("counting down")}`;
  }

  tap(square) {
    this.entry.end();
    this.select(square);
    if (this.progress.finished) return;
    const advised = this.advice.numberFor(square);
    if (advised && this.game.isEmpty(square)) this.write(square, advised);
    else if (this.dottedSquares().includes(square)) this.write(square, this.numberToWrite());
    else this.choose(square);
  }

  // The number that a tap on a dot writes: in the chosen direction, or the other if that one is
  // on the board already; 0 if both are.
  numberToWrite() {
    if (this.current === null) return 0;
    const number = this.game.numberOf(this.current);
    for (const direction of [this.progress.direction, -this.progress.direction])
      if (this.game.isNextMissing(number, direction)) return this.game.nextNumber(number, direction);
    return 0;
  }

  dottedSquares() {
    return this.numberToWrite() ? this.game.emptyNeighbors(this.current) : [];
  }

  // Make the number of a square the current one; an empty square is where keys write.
  choose(square) {
    const number = this.game.numberOf(square);
    const name = this.shape.nameOf(square);
    this.current = number ? square : null;
    if (!number) return this.update("chosen", { square: name });
    const next = this.numberToWrite();
    this.update(next ? "current" : "complete", { number, square: name, next });
  }

  // The square whose number becomes the current one after a number was written: the end of the run
  // of consecutive numbers in the chosen direction, or in the other if nothing is missing there.
  currentAfterWriting(square) {
    const { direction } = this.progress;
    const end = this.game.endOfRun(square, direction);
    const otherEnd = this.game.endOfRun(square, -direction);
    const isOpen = this.game.isNextMissing(this.game.numberOf(end), direction);
    const isOtherOpen = this.game.isNextMissing(this.game.numberOf(otherEnd), -direction);
    return !isOpen && isOtherOpen ? otherEnd : end;
  }

  // Write a number, or with 0 erase it, or with the pencil note it; return whether anything changed.
  write(square, number) {
    if (this.isPencil) return this.writeNote(square, number);
    if (!this.game.write(square, number)) {
      this.show();
      return false;
    }
    this.advice.update();
    this.current = number ? this.currentAfterWriting(square) : null;
    this.update(number ? "written" : "erased", { number, square: this.shape.nameOf(square) });
    return true;
  }

  writeNote(square, number) {
    this.entry.forget(); // a digit that comes late extends no note
    const isChanged = this.game.toggleNote(square, number);
    this.update("noted", { number, square: this.shape.nameOf(square) });
    return isChanged;
  }

  // Do what a key of the keypad means, or one of the keyboard by the same name.
  pressKey(name) {
    if (this.progress.finished) return;
    if (name === "enter") return this.entry.end();
    if (this.game.clues.has(this.selected)) return this.say("clue stays", { square: this.shape.nameOf(this.selected) });
    if (name === "erase") return this.erase();
    this.select(this.selected);
    this.entry.type(this.selected, name);
    this.show();
  }

  // Do what a key of the keyboard means: arrows go from square to square, digits write numbers. Return
  // whether it has a meaning.
  takesKey(event) {
    const isElsewhere = event.target.closest("input, textarea, select, summary, [contenteditable]");
    if (!this.board.isShown || isElsewhere || event.altKey) return false;
    if (!event.ctrlKey && !event.metaKey) return this.takesPlainKey(event.key, event.target);
    const command = commandOf(event);
    if (command !== null) this.controls.buttons[command].click();
    return command !== null;
  }

  takesPlainKey(key, focused) {
    const target = this.squareAfter(key);
    if (target !== null) this.board.cells[target].focus();
    else if (/^[0-9]$/.test(key)) this.pressKey(key);
    else if (key === "Delete" || key === "Backspace") this.pressKey("erase");
    else if (key === "Escape") this.leaveNumber();
    else if (key.toLowerCase() === "p") this.controls.buttons.pencil.click();
    else if ((key === "Enter" || key === " ") && this.board.cells.includes(focused)) this.enter();
    else return false;
    return true;
  }

  // The square to which a key moves, over holes, or null for another key.
  squareAfter(key) {
    const { rows, columns, holes } = this.shape;
    const after = (square) => squareAfter(key, square, rows, columns);
    let target = after(this.selected);
    while (holes.has(target) && after(target) !== target) target = after(target);
    return holes.has(target) ? this.selected : target;
  }

  // Erase the last digit that is being typed, or else the number of the selected square.
  erase() {
    if (this.entry.isOpen) {
      this.entry.eraseDigit();
      return this.show();
    }
    this.entry.forget();
    this.write(this.selected, 0);
  }

  // Write the number that is being typed, or else tap the selected square.
  enter() {
    if (this.entry.isOpen) this.entry.end();
    else this.tap(this.selected);
  }

  leaveNumber() {
    this.current = null;
    this.entry.end();
    this.show();
  }

  select(square) {
    this.selected = square;
    this.hasCursor = true;
    this.board.select(square);
  }

  focus(square) {
    if (square === this.selected && this.hasCursor) return;
    this.entry.end();
    this.select(square);
    this.show();
  }

  undo() {
    this.entry.end();
    if (this.game.undo()) this.showAfterUndo("undone");
  }

  redo() {
    this.entry.end();
    if (this.game.redo()) this.showAfterUndo("redone");
  }

  showAfterUndo(key) {
    this.advice.update();
    if (this.current !== null && !this.game.numberOf(this.current)) this.current = null;
    this.update(key);
  }

  togglePencil() {
    this.entry.end();
    this.isPencil = !this.isPencil;
    this.update(this.isPencil ? "notes on" : "notes off");
  }

  toggleDirection() {
    this.progress.direction = -this.progress.direction;
    this.update(this.progress.direction === 1 ? "now counting up" : "now counting down");
  }

  check() {
    this.entry.end();
    const said = this.advice.check();
    this.show();
    this.controls.say(said);
  }

  showHint() {
    this.entry.end();
    const { square, text, premises, tip } = this.advice.advise();
    if (this.progress.hintedSquare !== square) this.progress.hints += 1; // the same hint counts once
    this.progress.hintedSquare = square;
    this.current = null;
    this.select(square);
    this.show();
    this.board.cells[square].scrollIntoView({ block: "nearest", inline: "nearest" });
    this.controls.say(text, premises, this.isPencil ? "" : tip); // a tap would only note it
    this.save();
  }

  reveal() {
    this.entry.end();
    this.progress.revealed = true;
    this.game.fillIn();
    this.finish();
  }

  finish() {
    this.progress.finished = true;
    this.current = null;
    this.advice.forget();
    this.entry.forget();
    if (!this.progress.revealed) this.board.celebrate();
    this.show();
    this.sayResult();
    this.save();
    this.onSolved();
  }

  restart() {
    this.entry.end();
    if (this.progress.finished) this.game.reset(); // undoing must not bring the solution back
    else this.game.clear();
    Object.assign(this.progress, { seconds: 0, hints: 0, hintedSquare: null, finished: false, revealed: false });
    this.advice.forget();
    this.current = null;
    this.update("restarted");
    this.onSolved();
  }

  async share() {
    this.controls.say(await shareResult(this.puzzle, resultOf(this.progress, this.word), this.word));
  }

  // Count a second, if the puzzle is seen and not finished.
  tick() {
    if (!this.board.isShown || document.hidden || this.progress.finished) return;
    this.progress.seconds += 1;
    this.controls.showClock(this.progress.seconds);
    this.save();
  }

  // Keep the state; where the browser has no room for the history, keep it without.
  save() {
    const { progress, current, selected, isPencil } = this;
    const game = this.game.save();
    // The browser may hold states of earlier versions, so the names in them stay.
    const state = { game, play: progress, current, selected, pencil: isPencil };
    const isSaved = writeSaved(this.puzzle, state);
    if (!isSaved) writeSaved(this.puzzle, { ...state, game: { ...game, past: [], future: [] } });
  }

  restore() {
    const saved = readSaved(this.puzzle);
    if (saved) {
      this.game.load(saved.game);
      Object.assign(this.progress, saved.play);
      ({ current: this.current, selected: this.selected, pencil: this.isPencil } = saved);
    }
    this.board.select(this.selected);
    this.show();
    if (this.progress.finished) this.sayResult();
    else if (this.progress.seconds > 0) this.say("welcome back", { left: this.game.remaining });
    else this.controls.say(this.puzzle.rules[0]);
  }
}
