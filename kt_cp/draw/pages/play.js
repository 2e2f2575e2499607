// @ts-check
// The keys and the pointer on the squares of the playground's board; what they mean is decided in
// Python. Arrows move the focus, digits give the step of a square, and a drag from a square to another
// is a move. The player of puzzles takes the place of the board.
import { commandOf, squareAfter } from "./board.js";
import { find, findAll, makeWords } from "./dom.js";
import { NumberEntry } from "./entry.js";
import { PuzzlePlayer } from "./puzzle.js";

const boardGrid = () => find("div.squares");
const squareOf = (button) => Number(button.dataset.square);
const sendFromBoard = (name, detail) => boardGrid().dispatchEvent(new CustomEvent(name, { detail }));

const NARROW = matchMedia("(max-width: 50rem)");
const MAX_COLUMNS = 10; // of a puzzle whose squares can be hit on a phone
let dragButton = null; // the button at which a drag began
let shownPuzzle = null; // the data of the puzzle that is played, as JSON
let puzzlePlayer = null;

const buttonOf = (square) => find(`div.squares [data-square="${square}"]`);

// The button of the page with this text in lower case.
const buttonNamed = (name) =>
  findAll(".history button, .controls button").find((each) => each.textContent.trim().toLowerCase() === name);

// Move the focus to a square, which becomes the one that the Tab key reaches.
function focusSquare(square) {
  const target = buttonOf(square);
  if (!target) return;
  for (const each of findAll('div.squares [tabindex="0"]')) each.tabIndex = -1;
  target.tabIndex = 0;
  target.focus();
}

// The digits that are typed on a square; when they are complete, they are its step.
const stepEntry = new NumberEntry(0, {
  write(square, step) {
    showEntry();
    sendFromBoard("typed", { square, step });
    return true;
  },
  takeBack: () => {}, // a longer step of a square replaces the shorter one
});

function showEntry() {
  for (const button of findAll("div.squares [data-typed]")) delete button.dataset.typed;
  const button = stepEntry.isOpen ? buttonOf(stepEntry.square) : null;
  if (button) button.dataset.typed = stepEntry.digits;
}

function endEntry() {
  stepEntry.end();
  showEntry();
}

// Erase the last digit that is being typed, or else the step of the square.
function erase(square) {
  if (!stepEntry.isOpen) {
    stepEntry.forget();
    sendFromBoard("typed", { square, step: null });
    return;
  }
  stepEntry.eraseDigit();
  showEntry();
}

document.addEventListener("focusin", (event) => {
  if (stepEntry.square !== null && event.target !== buttonOf(stepEntry.square)) endEntry();
});

// Undo or redo by Ctrl and a letter; return whether the key has that meaning.
function pressCommand(event) {
  const name = commandOf(event);
  if (name === null) return false;
  buttonNamed(name).click();
  return true;
}

// Do what a key means on a square; return whether it has a meaning.
function pressOnSquare(key, square) {
  const columns = Number(boardGrid().dataset.columns);
  const to = squareAfter(key, square, boardGrid().children.length / columns, columns);
  if (to !== null) focusSquare(to);
  else if (/^[0-9]$/.test(key)) {
    stepEntry.count = Number(boardGrid().dataset.count);
    stepEntry.type(square, key);
    showEntry();
  } else if (key === "Enter" && stepEntry.isOpen) endEntry();
  else if (key === "Delete" || key === "Backspace") erase(square);
  else return false;
  return true;
}

document.addEventListener("keydown", (/** @type {any} */ event) => {
  const isCommand = event.ctrlKey || event.metaKey;
  const isPuzzle = document.body.classList.contains("puzzle"); // the player has its own keys
  const isWriting = event.target.closest("input, textarea");
  if (isPuzzle || isWriting || event.altKey) return;
  const button = event.target.closest(".squares button");
  const isUsed = isCommand ? pressCommand(event) : button && pressOnSquare(event.key, squareOf(button));
  if (isUsed) event.preventDefault();
});

document.addEventListener("pointerdown", (/** @type {any} */ event) => {
  dragButton = event.target.closest?.(".squares button");
  if (dragButton?.hasPointerCapture(event.pointerId)) dragButton.releasePointerCapture(event.pointerId);
});

document.addEventListener("pointerup", (event) => {
  if (!dragButton) return;
  const button = document.elementFromPoint(event.clientX, event.clientY)?.closest(".squares button");
  if (button && button !== dragButton) {
    sendFromBoard("dragged", { source: squareOf(dragButton), target: squareOf(button) });
  }
  dragButton = null;
});

// Show a puzzle in place of the board, or with null the board again.
function showPuzzle(puzzle) {
  document.body.classList.toggle("puzzle", puzzle !== null);
  const data = JSON.stringify(puzzle);
  if (puzzle === null || data === shownPuzzle) return; // the player stays, and what it has said
  shownPuzzle = data;
  puzzlePlayer?.remove();
  const word = makeWords(/** @type {any} */ (window).playerWords);
  puzzlePlayer = new PuzzlePlayer(puzzle, word, () => {}, () => buttonNamed("new puzzle").click());
  const scrolls = NARROW.matches && puzzle.columns > MAX_COLUMNS;
  document.body.classList.toggle("scrolls", scrolls);
  find(".puzzle-card").append(puzzlePlayer.card);
  find(".puzzle-board").append(puzzlePlayer.boardElement);
  find(".puzzle-panel").append(puzzlePlayer.panel);
}

// Lists of choices open outside the page's landmarks, and Quasar leaves them without a name.
new MutationObserver(() => {
  for (const list of findAll(".q-menu:not([aria-label])")) {
    list.setAttribute("aria-label", "choices");
    list.parentElement.setAttribute("role", "region");
    list.parentElement.setAttribute("aria-label", "choices");
  }
}).observe(document.body, { childList: true, subtree: true });

Object.assign(window, { showPuzzle });
