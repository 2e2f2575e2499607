// What the browser keeps of a puzzle across reloads, in localStorage.
const storageKey = (puzzle) =>
  `kt-puzzle ${puzzle.rows}x${puzzle.columns} ${JSON.stringify([puzzle.givens, puzzle.moves, puzzle.solution])}`;

// The saved state of a puzzle, or null.
function readSaved(puzzle) {
  try {
    return JSON.parse(localStorage.getItem(storageKey(puzzle)));
  } catch {
    return null; // the browser allows no storage
  }
}

function writeSaved(puzzle, state) {
  try {
    localStorage.setItem(storageKey(puzzle), JSON.stringify(state));
  } catch {
    // without storage the puzzle is played all the same
  }
}
