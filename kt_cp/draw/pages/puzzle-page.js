// The page of one or several puzzles: the chosen one, and a list of all of them.
const { puzzles, words } = readData();
const word = makeWords(words);
const view = document.getElementById("view");
const list = html("nav", { class: "puzzles", "aria-label": word("puzzles") });
let player = null;
let chosen = 0;

function open(index) {
  player?.remove();
  chosen = index;
  player = new PuzzlePlayer(puzzles[index], word, showList);
  player.panel.prepend(player.card);
  player.panel.append(list);
  view.replaceChildren(player.board, player.panel);
  document.querySelector("h1").textContent = puzzles[index].title;
  showList();
}

function showList() {
  if (puzzles.length < 2) return;
  const entries = puzzles.map((puzzle, index) => {
    const result = resultOf(puzzle, readSaved(puzzle)?.play ?? {}, word);
    const entry = html("button", { type: "button" }, `${index + 1}${result ? " ✓" : ""}`);
    const facts = [word("puzzle", { number: index + 1 }), puzzle.grade, result];
    entry.title = joinWords(word, facts.filter(Boolean));
    entry.setAttribute("aria-label", entry.title);
    if (index === chosen) entry.setAttribute("aria-current", "true");
    entry.onclick = () => (location.hash = `#${index + 1}`);
    return entry;
  });
  list.replaceChildren(...entries);
}

function openAsked() {
  const asked = Number(location.hash.slice(1)) - 1;
  open(puzzles[asked] ? asked : 0);
}

window.addEventListener("hashchange", openAsked);
openAsked();
