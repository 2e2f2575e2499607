// The keys and the pointer on the squares of the board; what they mean is decided in Python.
// Arrows move the focus, digits give the step of a square, and a drag from a square to another is
// a move. The player of puzzles takes the place of the board.
const squares = () => document.querySelector("div.squares");
const squareOf = (element) => Number(element.dataset.square);
const emit = (name, detail) => emitFrom(squares(), name, detail);
const buttonAt = (x, y) => document.elementFromPoint(x, y)?.closest(".squares button");

const NARROW = matchMedia("(max-width: 50rem)");
const MAX_COLUMNS = 10; // of a puzzle whose squares can be hit on a phone
let dragStart = null; // the button at which a drag began
let shownPuzzle = null; // the data of the puzzle that is played, as JSON
let puzzlePlayer = null;

// The button of a square.
const buttonOf = (square) => squares().querySelector(`[data-square="${square}"]`);

// Move the focus to a square, which becomes the one that the Tab key reaches.
function focus(square) {
  const target = buttonOf(square);
  if (!target) return;
  for (const each of squares().querySelectorAll('[tabindex="0"]')) each.tabIndex = -1;
  target.tabIndex = 0;
  target.focus();
}

// The digits that are typed on a square; when they are complete, they are its step.
const entry = new NumberEntry(0, {
  write(square, step) {
    showEntry();
    emit("typed", { square, step });
    return true;
  },
  takeBack() {}, // the longer step replaces the shorter one
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

// Erase the last digit that is being typed, or else the step of the square.
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

// Undo or redo by Ctrl and a letter; return whether the key has that meaning.
function pressCommand(event) {
  const name = commandOf(event);
  if (name === null) return false;
  const buttons = [...document.querySelectorAll(".history button")];
  buttons.find((button) => button.textContent.trim().toLowerCase() === name)?.click();
  return true;
}

// Do what a key means on a square; return whether it has a meaning.
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
  const isPuzzle = document.body.classList.contains("puzzle"); // the player has its own keys
  const isWriting = event.target.closest("input, textarea");
  if (isPuzzle || isWriting || event.altKey) return;
  const button = event.target.closest(".squares button");
  let isUsed = false;
  if (isCommand) isUsed = pressCommand(event);
  else if (button) isUsed = pressOnSquare(event.key, squareOf(button));
  if (isUsed) event.preventDefault();
});

document.addEventListener("pointerdown", (event) => {
  dragStart = event.target.closest?.(".squares button");
  if (dragStart?.hasPointerCapture(event.pointerId)) dragStart.releasePointerCapture(event.pointerId);
});

document.addEventListener("pointerup", (event) => {
  const end = dragStart && buttonAt(event.clientX, event.clientY);
  if (end && end !== dragStart) emit("dragged", { from: squareOf(dragStart), to: squareOf(end) });
  dragStart = null;
});

// Tell the server that the visitor leaves, unless the browser keeps the page to show it again.
window.addEventListener("pagehide", (event) => {
  if (!event.persisted) navigator.sendBeacon(`/leave/${window.clientId}`);
});

// Show a puzzle in place of the board, or with null the board again.
function showPuzzle(puzzle) {
  document.body.classList.toggle("puzzle", puzzle !== null);
  const data = puzzle && JSON.stringify(puzzle);
  if (data === shownPuzzle) return;
  shownPuzzle = data;
  puzzlePlayer?.remove();
  puzzlePlayer = null;
  if (puzzle === null) return;
  puzzlePlayer = new PuzzlePlayer(puzzle, makeWords(playerWords));
  const scrolls = NARROW.matches && puzzle.columns > MAX_COLUMNS;
  document.body.classList.toggle("scrolls", scrolls);
  if (!scrolls) puzzlePlayer.board.hideNames(); // which are beside the board
  document.querySelector(".puzzle-card").append(puzzlePlayer.card);
  document.querySelector(".puzzle-board").append(puzzlePlayer.boardElement);
  document.querySelector(".puzzle-panel").append(puzzlePlayer.panel);
}
