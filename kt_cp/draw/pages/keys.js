// The meaning of keys on every board: moving the focus, undoing and redoing.

// The square to which a key moves the focus, or null for another key.
function squareAfter(key, square, rows, columns) {
  const column = square % columns;
  const targets = {
    ArrowUp: square - columns,
    ArrowDown: square + columns,
    ArrowLeft: column > 0 ? square - 1 : square,
    ArrowRight: column < columns - 1 ? square + 1 : square,
    Home: square - column,
    End: square - column + columns - 1,
    PageUp: column,
    PageDown: (rows - 1) * columns + column,
  };
  if (!(key in targets)) return null;
  return targets[key] >= 0 && targets[key] < rows * columns ? targets[key] : square;
}

// What a key pressed with Ctrl means: "undo", "redo" or null.
function commandOf(event) {
  const key = event.key.toLowerCase();
  if (key === "y" || (key === "z" && event.shiftKey)) return "redo";
  return key === "z" ? "undo" : null;
}
