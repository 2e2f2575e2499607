// The keys and the pointer on the squares of the board; what they mean is decided in Python.
// Arrows move the focus, digits give the step of a square, and a drag from a square to another is
// a move. The player of puzzles takes the place of the board.
const squares = () => document.querySelector("div.squares");
const numberOf = (element) => Number(element.dataset.square);
const emit = (name, detail) => emitFrom(squares(), name, detail);
const at = (x, y) => document.elementFromPoint(x, y)?.closest(".squares button");

let typing = null; // { button, digits, timer }
let from = null;
let puzzlePlayer = null;
let shownPuzzle = "null";
const NARROW = matchMedia("(max-width: 50rem)");
const MOST_COLUMNS = 10; // of a puzzle whose squares can be hit on a phone

function focus(square) {
  const target = squares().querySelector(`[data-square="${square}"]`);
  if (!target) return;
  for (const each of squares().querySelectorAll('[tabindex="0"]')) each.tabIndex = -1;
  target.tabIndex = 0;
  target.focus();
}

// A step is complete when no digit can follow, at Enter, when the focus goes on, and after a while.
function typeDigit(button, digit) {
  const count = Number(squares().dataset.count);
  const longer = (typing?.button === button ? typing.digits : "") + digit;
  const digits = Number(longer) <= count ? longer : digit;
  if (Number(digits) === 0) return;
  clearTimeout(typing?.timer);
  typing = { button, digits };
  button.dataset.typed = digits;
  if (Number(digits) * 10 > count) finishTyping();
  else typing.timer = setTimeout(finishTyping, 1200);
}

function finishTyping() {
  if (!typing) return;
  const { button, digits, timer } = typing;
  clearTimeout(timer);
  typing = null;
  delete button.dataset.typed;
  emit("typed", { square: numberOf(button), step: Number(digits) });
}

document.addEventListener("focusin", (event) => {
  if (event.target !== typing?.button) finishTyping();
});

const press = (name) =>
  [...document.querySelectorAll(".history button")].find((each) => each.textContent.trim() === name)?.click();

document.addEventListener("keydown", (event) => {
  const isWriting = event.target.closest("input, textarea");
  const isPuzzle = document.body.classList.contains("puzzle");
  if ((event.ctrlKey || event.metaKey) && !isWriting && !isPuzzle) {
    const isRedo = event.key === "y" || (event.shiftKey && event.key.toLowerCase() === "z");
    if (!isRedo && event.key !== "z") return;
    press(isRedo ? "Redo" : "Undo");
    event.preventDefault();
    return;
  }
  const button = event.target.closest?.(".squares button");
  if (!button || event.ctrlKey || event.altKey || event.metaKey) return;
  const columns = Number(squares().dataset.columns);
  const square = numberOf(button);
  const to = squareAfter(event.key, square, squares().children.length / columns, columns);
  if (to !== null) focus(to);
  else if (/^[0-9]$/.test(event.key)) typeDigit(button, event.key);
  else if (event.key === "Enter" && typing) finishTyping();
  else if (event.key === "Delete" || event.key === "Backspace") {
    if (typing) {
      clearTimeout(typing.timer);
      delete typing.button.dataset.typed;
      typing = null;
    } else emit("typed", { square, step: null });
  } else return;
  event.preventDefault();
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
