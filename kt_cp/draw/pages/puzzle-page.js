// @ts-check
// The page of one or several puzzles: the chosen one, and a list of all of them.
import { htmlElement, joinWords, makeWords, readData } from "./dom.js";
import { readSaved, resultOf } from "./game.js";
import { PuzzlePlayer } from "./puzzle.js";

const { puzzles, words } = readData();
const word = makeWords(words);
const view = document.getElementById("view");
const heading = document.querySelector("h1");
const list = htmlElement("nav", { class: "puzzles", "aria-label": word("puzzles") });
let player = null;
let chosen = 0; // the index of the puzzle that is played

function openPuzzle(index) {
  player?.remove();
  chosen = index;
  const openNext = index + 1 < puzzles.length ? () => (location.hash = `#${index + 2}`) : null;
  player = new PuzzlePlayer(puzzles[index], word, showList, openNext);
  heading.textContent = puzzles[index].title;
  player.panel.prepend(heading, player.card);
  player.panel.append(list);
  view.replaceChildren(player.boardElement, player.panel);
  showList();
}

// Show the list with the results of all puzzles, if there are several.
function showList() {
  if (puzzles.length < 2) return;
  const entries = puzzles.map((puzzle, index) => {
    const progress = readSaved(puzzle)?.play ?? {};
    const result = resultOf(progress, word);
    const sign = result && (progress.revealed ? " –" : " ✓");
    const entry = htmlElement("button", { type: "button" }, `${index + 1}${sign}`);
    const facts = [word("puzzle", { number: index + 1 }), puzzle.level, result];
    entry.title = joinWords(word, facts.filter(Boolean));
    entry.setAttribute("aria-label", entry.title);
    if (index === chosen) entry.setAttribute("aria-current", "true");
    entry.onclick = () => (location.hash = `#${index + 1}`);
    return entry;
  });
  list.replaceChildren(...entries);
}

// Open the puzzle that the address names by its number, such as #2, or else the first one.
function openFromAddress() {
  const index = Number(location.hash.slice(1)) - 1;
  openPuzzle(puzzles[index] ? index : 0);
}

window.addEventListener("hashchange", openFromAddress);
openFromAddress();
