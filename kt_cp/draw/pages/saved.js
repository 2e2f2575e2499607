// What the browser keeps of a puzzle across reloads, in localStorage.
const storageKey = (puzzle) =>
  `kt-puzzle ${puzzle.rows}x${puzzle.columns} ${JSON.stringify([puzzle.givens, puzzle.moves, puzzle.solution])}`;

// The saved state of a puzzle, or null.
function readSaved(puzzle) {
  try {
    return JSON.parse(localStorage.getItem(storageKey(puzzle)));
  } catch {
    return null; // no storage is allowed, or what it holds is not ours
  }
}

// Keep the state of a puzzle; return whether the browser allows it and has room for it.
function writeSaved(puzzle, state) {
  try {
    localStorage.setItem(storageKey(puzzle), JSON.stringify(state));
    return true;
  } catch {
    return false; // the puzzle can be played all the same
  }
}
