// How a puzzle was solved, in words, and how that is shared.
function clockText(seconds) {
  const wholeSeconds = String(Math.floor(seconds) % 60).padStart(2, "0");
  return `${Math.floor(seconds / 60)}:${wholeSeconds}`;
}

// How a puzzle was solved, or an empty text if it was not. `progress` is
// that of a `PuzzlePlayer`.
function resultOf(puzzle, progress, word) {
  if (!progress.finished) return "";
  if (progress.revealed) return word("revealed");
  const hints = { 0: "no hints", 1: "one hint" }[progress.hints] ?? "several hints";
  const facts = [clockText(progress.seconds), puzzle.level, word(hints, { count: progress.hints })];
  return word("solved", { facts: joinWords(word, facts.filter(Boolean)) });
}

// Pass a result on by the phone's own menu, or else copy it. Return a sentence that says so.
async function shareResult(puzzle, result, word) {
  const address = location.protocol.startsWith("http") ? location.href : "";
  const text = word("shared", { title: puzzle.title, result, address }).trim();
  const isTouched = matchMedia("(pointer: coarse)").matches;
  try {
    if (navigator.share && isTouched) await navigator.share({ text });
    else await navigator.clipboard.writeText(text);
    return word("copied", { text });
  } catch {
    return word("copy this", { text }); // the browser allows neither
  }
}
