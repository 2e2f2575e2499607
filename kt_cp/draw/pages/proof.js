// @ts-check
import { fileLetters, makeBoardShape } from "./board.js";
import { htmlElement, lineEntry, readData, squareEntry, svgElement } from "./dom.js";
import { startPlayer } from "./player.js";

// The page that steps through a certificate: what each step settles, removes or separates. A step has
// a `text`, the squares that are `marked`, the `groups` of squares that are separated, and the
// strings `settled` and `tried`, with a key of EDGE_CLASSES for each edge.
const data = readData();
const { edges, steps } = data;
const shape = makeBoardShape(data);
const GROUP_COLORS = 5; // of components, in the style sheet
const MAX_SENTENCES = 40; // in the list

// The classes of edges: those that every tour uses, that none uses, and that are not determined yet.
const EDGE_CLASSES = { "+": "settled", "-": "unused", ".": "possible" };

// An edge to the depot, whose id is that of no square, says whether a square is an end of the tour.
const isToDepot = ([, high]) => high >= data.rows * data.columns;

function makeEdge(edge) {
  const [low, high] = edge;
  const [cx, cy] = [shape.columnOf(low) + 0.5, shape.rowOf(low) + 0.5];
  if (isToDepot(edge)) return svgElement("circle", { cx, cy, r: 0.3 });
  return svgElement("path", { d: shape.pathFrom(low) + shape.pathTo(low, high) });
}

// The letter of a group, A for the first one, in the upper left corner of a square.
function makeLetter(square, group) {
  const place = { x: shape.columnOf(square) + 0.18, y: shape.rowOf(square) + 0.34 };
  return svgElement("text", { class: "letter", ...place }, fileLetters(group).toUpperCase());
}

function makeProof() {
  const { svg, cells, clipped } = shape.makeBoardElement();
  const lines = edges.map(makeEdge);
  const letters = svgElement("g", { class: "letters" });
  clipped.append(...lines, letters);

  // Return the classes of an edge after a step: whether it is used, and whether this step settles it
  // for good or on trial.
  function classesOf(edge, step) {
    const { settled, tried } = steps[step];
    const before = steps[Math.max(0, step - 1)].settled;
    if (settled[edge] !== before[edge]) return `${EDGE_CLASSES[settled[edge]]} fresh`;
    if (tried[edge] !== ".") return `${EDGE_CLASSES[tried[edge]]} tried`;
    return EDGE_CLASSES[settled[edge]];
  }

  function show(step) {
    const { marked, groups } = steps[step];
    lines.forEach((line, i) => {
      const end = isToDepot(edges[i]) ? "end " : "";
      line.setAttribute("class", `edge ${end}${classesOf(i, step)}`);
    });
    const classes = new Map(marked.map((square) => [square, "removed"]));
    groups.forEach((group, i) => {
      for (const square of group) classes.set(square, `group group-${(i % GROUP_COLORS) + 1}`);
    });
    cells.forEach((cell, square) => {
      cell.setAttribute("class", `square ${classes.get(square) ?? shape.shadeOf(square)}`);
    });
    const lettered = groups.slice(1); // the first group holds the components of a single square
    letters.replaceChildren(...lettered.flatMap((group, i) => group.map((square) => makeLetter(square, i))));
  }
  return { svg, show };
}

const proof = makeProof();
const sentences = htmlElement("ol", { class: "stack proof", "aria-label": "steps of the proof", tabindex: "0" });
const legend = htmlElement(
  "p",
  { class: "legend" },
  lineEntry("edge possible", "may be used"),
  lineEntry("edge settled", "must be used"),
  lineEntry("edge unused", "cannot be used"),
  lineEntry("edge settled tried", "derived up to a contradiction"),
  squareEntry("square removed", "removed or short of moves"),
);
const picture = htmlElement("div", { class: "picture" }, proof.svg);
const list = htmlElement("div", { class: "facts wide" }, sentences);
document.getElementById("view").append(htmlElement("div", { class: "beside" }, picture, list), legend);

// List the sentences of the last steps, the latest first; the step before all others has no number.
function listSentences(step) {
  const first = Math.max(1, step - MAX_SENTENCES + 1);
  const items = steps
    .slice(first, step + 1)
    .map(({ text }, i) => htmlElement("li", {}, `${first + i}. ${text}`));
  sentences.replaceChildren(...items.reverse());
}

startPlayer(steps.length - 1, (step) => {
  const { text } = steps[step];
  proof.show(step);
  proof.svg.setAttribute("aria-label", `board ${data.rows}x${data.columns}: ${text}`);
  listSentences(step);
  return text;
});
