// The keyboard of the puzzle player: arrows go from square to square, digits write numbers.
class PuzzleKeys {
  // `selected()` returns the square from which arrows go. `onKey` is called with the name of a key
  // of the keypad and `onCommand` with that of a button; `onEnter` and `onEscape` without anything.
  constructor(board, { selected, onKey, onCommand, onEnter, onEscape }) {
    this.board = board;
    this.selected = selected;
    this.onKey = onKey;
    this.onCommand = onCommand;
    this.onEnter = onEnter;
    this.onEscape = onEscape;
    this.listener = (event) => this.press(event);
    document.addEventListener("keydown", this.listener);
  }

  remove() {
    document.removeEventListener("keydown", this.listener);
  }

  press(event) {
    const isElsewhere = event.target.closest("input, textarea, select, summary, [contenteditable]");
    if (!this.board.isShown || isElsewhere || event.altKey) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const isUsed = isCommand ? this.pressCommand(event) : this.pressPlain(event);
    if (isUsed) event.preventDefault();
  }

  // Undo or redo by Ctrl and a letter; return whether the key has that meaning.
  pressCommand(event) {
    const name = commandOf(event);
    if (name === null) return false;
    this.onCommand(name);
    return true;
  }

  // Do what another key means; return whether it has a meaning.
  pressPlain(event) {
    const { cells } = this.board;
    const name = event.key;
    const target = this.targetOf(name);
    const isOnSquare = cells.includes(event.target);
    if (target !== null) cells[target].focus();
    else if (/^[0-9]$/.test(name)) this.onKey(name);
    else if (name === "Delete" || name === "Backspace") this.onKey("erase");
    else if (name === "Escape") this.onEscape();
    else if (name.toLowerCase() === "p") this.onCommand("pencil");
    else if ((name === "Enter" || name === " ") && isOnSquare) this.onEnter();
    else return false;
    return true;
  }

  // The square to which a key moves, over holes, or null for another key.
  targetOf(key) {
    const { shape } = this.board;
    const selected = this.selected();
    const after = (square) => squareAfter(key, square, shape.rows, shape.columns);
    let target = after(selected);
    if (target === null) return null;
    while (shape.holes.has(target) && after(target) !== target) target = after(target);
    return shape.holes.has(target) ? selected : target;
  }
}
