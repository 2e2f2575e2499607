// The keys and the pointer on the squares of the board; what they mean is decided in Python.
// Arrows move the focus, digits give the step of a square, and a drag from a square to another is
// a move. The player of puzzles takes the place of the board.
const squares = () => document.querySelector("div.squares");
const numberOf = (element) => Number(element.dataset.square);
const emit = (name, detail) => emitFrom(squares(), name, detail);
const at = (x, y) => document.elementFromPoint(x, y)?.closest(".squares button");

let from = null; // the square at which a drag began
let puzzlePlayer = null;
let shownPuzzle = "null";
const NARROW = matchMedia("(max-width: 50rem)");
const MOST_COLUMNS = 10; // of a puzzle whose squares can be hit on a phone

const buttonOf = (square) => squares().querySelector(`[data-square="${square}"]`);

function focus(square) {
  const target = buttonOf(square);
  if (!target) return;
  for (const each of squares().querySelectorAll('[tabindex="0"]')) each.tabIndex = -1;
  target.tabIndex = 0;
  target.focus();
}

// Digits that are typed on a square are its step, as soon as they are complete.
const entry = new NumberEntry(0, {
  write(square, step) {
    showEntry();
    emit("typed", { square, step });
    return true;
  },
  takeBack() {}, // as another step takes the place of the first
});

// Show the digits that are not written yet.
function showEntry() {
  for (const button of squares().querySelectorAll("[data-typed]")) delete button.dataset.typed;
  const button = entry.isOpen ? buttonOf(entry.square) : null;
  if (button) button.dataset.typed = entry.digits;
}

function typeDigit(square, digit) {
  entry.count = Number(squares().dataset.count);
  entry.type(square, digit);
  showEntry();
}

function endEntry() {
  entry.end();
  showEntry();
}

function erase(square) {
  if (!entry.isOpen) {
    entry.forget();
    emit("typed", { square, step: null });
    return;
  }
  entry.eraseDigit();
  showEntry();
}

document.addEventListener("focusin", (event) => {
  const isElsewhere = entry.square !== null && event.target !== buttonOf(entry.square);
  if (isElsewhere) endEntry();
});

const press = (name) =>
  [...document.querySelectorAll(".history button")].find((each) => each.textContent.trim() === name)?.click();

// Undo or redo by Ctrl and a letter; return whether the key means that.
function pressCommand(event) {
  const isRedo = event.key === "y" || (event.shiftKey && event.key.toLowerCase() === "z");
  if (!isRedo && event.key !== "z") return false;
  press(isRedo ? "Redo" : "Undo");
  return true;
}

// Do what a key means on a square; return whether it means anything.
function pressOnSquare(key, square) {
  const columns = Number(squares().dataset.columns);
  const to = squareAfter(key, square, squares().children.length / columns, columns);
  if (to !== null) focus(to);
  else if (/^[0-9]$/.test(key)) typeDigit(square, key);
  else if (key === "Enter" && entry.isOpen) endEntry();
  else if (key === "Delete" || key === "Backspace") erase(square);
  else return false;
  return true;
}

document.addEventListener("keydown", (event) => {
  const isCommand = event.ctrlKey || event.metaKey;
  const isPuzzle = document.body.classList.contains("puzzle"); // whose player has keys of its own
  const isWriting = event.target.closest("input, textarea");
  if (isPuzzle || isWriting || event.altKey) return;
  const button = event.target.closest(".squares button");
  let isUsed = false;
  if (isCommand) isUsed = pressCommand(event);
  else if (button) isUsed = pressOnSquare(event.key, numberOf(button));
  if (isUsed) event.preventDefault();
});

document.addEventListener("pointerdown", (event) => {
  from = event.target.closest?.(".squares button");
  if (from?.hasPointerCapture(event.pointerId)) from.releasePointerCapture(event.pointerId);
});

document.addEventListener("pointerup", (event) => {
  const to = from && at(event.clientX, event.clientY);
  if (to && to !== from) emit("dragged", { from: numberOf(from), to: numberOf(to) });
  from = null;
});

// Show a puzzle in place of the board, or with null the board again.
function showPuzzle(puzzle) {
  const asked = JSON.stringify(puzzle);
  document.body.classList.toggle("puzzle", puzzle !== null);
  if (asked === shownPuzzle) return;
  shownPuzzle = asked;
  puzzlePlayer?.remove();
  puzzlePlayer = null;
  if (puzzle === null) return;
  puzzlePlayer = new PuzzlePlayer(puzzle, makeWords(playerWords));
  const scrolls = NARROW.matches && puzzle.columns > MOST_COLUMNS;
  document.body.classList.toggle("scrolls", scrolls);
  if (!scrolls) puzzlePlayer.squares.hideNames(); // which are beside the board
  document.querySelector(".puzzle-card").append(puzzlePlayer.card);
  document.querySelector(".puzzle-board").append(puzzlePlayer.board);
  document.querySelector(".puzzle-panel").append(puzzlePlayer.panel);
}
