// The keyboard of the puzzle player: arrows go from square to square, digits write numbers.
class PuzzleKeys {
  constructor(player) {
    this.player = player;
    this.listener = (event) => this.press(event);
    document.addEventListener("keydown", this.listener);
  }

  remove() {
    document.removeEventListener("keydown", this.listener);
  }

  press(event) {
    const isElsewhere = event.target.closest("input, textarea, select, summary, [contenteditable]");
    if (!this.player.board.isShown || isElsewhere || event.altKey) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const isUsed = isCommand ? this.pressCommand(event) : this.pressPlain(event);
    if (isUsed) event.preventDefault();
  }

  // Undo or redo by Ctrl and a letter; return whether the key has that meaning.
  pressCommand(event) {
    const name = commandOf(event);
    if (name === null) return false;
    this.player.controls.buttons[name].click();
    return true;
  }

  // Do what another key means; return whether it has a meaning.
  pressPlain(event) {
    const { player } = this;
    const name = event.key;
    const target = this.targetOf(name);
    const isOnSquare = player.board.cells.includes(event.target);
    if (target !== null) player.board.cells[target].focus();
    else if (/^[0-9]$/.test(name)) player.pressPad(name);
    else if (name === "Delete" || name === "Backspace") player.pressPad("erase");
    else if (name === "Escape") player.leaveNumber();
    else if (name.toLowerCase() === "p") player.controls.buttons.pencil.click();
    else if ((name === "Enter" || name === " ") && isOnSquare) player.enter();
    else return false;
    return true;
  }

  // The square to which a key moves, over holes, or null for another key.
  targetOf(key) {
    const { puzzle, shape, selected } = this.player;
    const after = (square) => squareAfter(key, square, puzzle.rows, puzzle.columns);
    let target = after(selected);
    if (target === null) return null;
    while (shape.holes.has(target) && after(target) !== target) target = after(target);
    return shape.holes.has(target) ? selected : target;
  }
}
