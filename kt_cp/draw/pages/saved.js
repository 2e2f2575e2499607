// What is kept of a puzzle in the browser's localStorage, and how the puzzle was solved, in words.
const storageKey = (puzzle) =>
  `kt-puzzle ${puzzle.rows}x${puzzle.columns} ${JSON.stringify([puzzle.givens, puzzle.moves, puzzle.solution])}`;

// What was kept of a puzzle, or null.
function readSaved(puzzle) {
  try {
    return JSON.parse(localStorage.getItem(storageKey(puzzle)));
  } catch {
    return null; // where nothing may be kept
  }
}

function writeSaved(puzzle, content) {
  try {
    localStorage.setItem(storageKey(puzzle), JSON.stringify(content));
  } catch {
    // without storage the puzzle is played all the same
  }
}

const clockText = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, "0")}`;

// How a puzzle was solved, or an empty text. `play` is the state of its `PuzzlePlayer`.
function resultOf(puzzle, play, word) {
  if (!play.finished) return "";
  if (play.revealed) return word("revealed");
  const hints = { 0: "no hints", 1: "one hint" }[play.hints] ?? "hints";
  const facts = [clockText(play.seconds), puzzle.grade, word(hints, { count: play.hints })];
  return word("solved", { facts: joinWords(word, facts.filter(Boolean)) });
}
