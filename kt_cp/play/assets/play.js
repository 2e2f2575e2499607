// The keys and the pointer on the squares of a board; what they mean is decided in Python.
// Arrows move the focus, digits give the step, and a drag from a square to another is a move.
const squares = () => document.querySelector("div.squares");
const numberOf = (element) => Number(element.dataset.square);
const emit = (name, detail) => squares().dispatchEvent(new CustomEvent(name, { detail }));
const at = (x, y) => document.elementFromPoint(x, y)?.closest(".squares button");

let typed = "";
let from = null;

function focus(square) {
  const target = squares().querySelector(`[data-square="${square}"]`);
  if (!target) return;
  for (const each of squares().querySelectorAll('[tabindex="0"]')) each.tabIndex = -1;
  target.tabIndex = 0;
  target.focus();
}

document.addEventListener("focusin", () => (typed = ""));

document.addEventListener("keydown", (event) => {
  const button = event.target.closest?.(".squares button");
  if (!button || event.ctrlKey || event.altKey || event.metaKey) return;
  const columns = Number(squares().dataset.columns);
  const square = numberOf(button);
  const to = squareAfter(event.key, square, squares().children.length / columns, columns);
  if (to !== null) {
    focus(to);
  } else if (/^[0-9]$/.test(event.key)) {
    typed = `${typed}${event.key}`.slice(-3);
    emit("typed", { square, step: Number(typed) });
  } else if (event.key === "Delete" || event.key === "Backspace") {
    typed = "";
    emit("typed", { square, step: null });
  } else {
    return;
  }
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

function showAnswer() {
  document.querySelector("[role=status]").scrollIntoView({ block: "nearest" });
}
