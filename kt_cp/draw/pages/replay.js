// @ts-check
// The page that replays runs on a board side by side: searches and models, or one tour.
import { makeBoardShape, pathThrough } from "./board.js";
import { formatNumber, htmlElement, lineEntry, makeFacts, makeStackList, readData, squareEntry, svgElement } from "./dom.js";
import { startReplay } from "./player.js";
import { SearchState, colorFrames, deadEndsOf } from "./runs.js";

const data = readData();
const { tour } = data; // if the page shows a tour: the number of its `first` step
const shape = makeBoardShape(data);
const longestSearch = Math.max(1, ...data.runs.map((run) => run.events?.length ?? 0)); // in events

const isRace = data.runs.length > 1;

// Return what a run achieved, as a predicate that counts in the steps of the page.
function verdictOf({ found, frames, ending, events }) {
  const count = formatNumber(events.length);
  if (found) return frames.length > 0 ? `found ${ending}` : `found a tour at step ${count}`;
  return ending.startsWith("cut off") ? `had no tour after ${count} steps` : `ended: ${ending}`;
}

// Return what the status says of a run: what the last step does and, if it is over, how it ended.
// The runs of a race are named, and only the verdict is told of one that is over.
function statusOf(run, phrase, isOver) {
  if (isRace) return `${run.name} ${isOver ? verdictOf(run) : phrase}`;
  return isOver ? `${phrase}. ${run.ending[0].toUpperCase()}${run.ending.slice(1)}` : phrase;
}

// Return the heading of a run with one large number of what is `counted`, if anything, and a function
// that sets the number. The heading of the page names a run that is alone.
function makeHeading(name, counted) {
  const number = htmlElement("b", {}, "0");
  const counter = counted ? [htmlElement("span", { class: "counter" }, number, ` ${counted}`)] : [];
  const heading = htmlElement("h2", {}, ...(isRace ? [htmlElement("span", {}, name)] : []), ...counter);
  return [heading, (value) => (number.textContent = formatNumber(value))];
}

// Only runs of a race have their `ending` below their boards: the status tells that of a run alone.
function makeRunSection({ name, about }, heading, svg, ending, details) {
  const picture = htmlElement("div", { class: "picture" }, svg);
  const folded = htmlElement("details", {}, ...details);
  folded.open = !isRace && matchMedia("(min-width: 60rem)").matches;
  const words = isRace ? [ending, folded] : [folded];
  const gloss = htmlElement("p", { class: "about" }, about && `${about[0].toUpperCase()}${about.slice(1)}.`);
  return htmlElement("section", { class: "run", "aria-label": name }, heading, gloss, picture, ...words);
}

// How runs are described. The large number counts what `counted` says; `factsOf` has a value for each
// of `factNames`; the list of the squares on the path is titled and named.
const SEARCH = {
  counted: "backtracks",
  countOf: (state) => state.backtracks,
  factNames: ["calls", "depth"],
  factsOf: (state) => [state.visits, state.stack.length],
  listTitle: "Stack",
  listName: "stack",
  phraseOf(state, nameOf) {
    const count = state.stack.length === 1 ? "1 square" : `${state.stack.length} squares`;
    if (state.step === 0) return "has visited no square yet";
    if (state.backtrackedFrom === null) return `visits ${nameOf(state.stack.at(-1))}, ${count} on the path`;
    return `backtracks from ${nameOf(state.backtrackedFrom)}, ${count} on the path`;
  },
};
const TOUR = {
  counted: `of ${formatNumber(longestSearch)} squares`,
  countOf: (state) => state.visits,
  factNames: ["visited", "left"],
  factsOf: (state) => [state.visits, state.events.length - state.visits],
  listTitle: "Path",
  listName: "squares",
  phraseOf: (state, nameOf) => (state.step ? `${nameOf(state.stack.at(-1))} is visited` : "no square is visited yet"),
};

// Return a run: its element, its length, its dead ends, and `show(step)`, which shows a step and
// returns a sentence about it.
function makeSearchRun(run) {
  const description = tour ? TOUR : SEARCH;
  const firstStep = tour ? tour.first : 1;
  const state = new SearchState(run.events);
  const board = new PathBoard(shape, data.glyph, run.name, firstStep);
  const [heading, setCounter] = makeHeading(run.name, description.counted);
  const [facts, setFacts] = makeFacts(description.factNames);
  const [list, setStack] = makeStackList(`${description.listName} of ${run.name}, latest first`, firstStep);
  const ending = htmlElement("p", { class: "ending" });

  function show(step) {
    state.goTo(Math.min(step, run.events.length));
    const phrase = description.phraseOf(state, shape.nameOf);
    const isClosed = state.isOver && run.found && data.closed;
    board.show(state.stack, state.backtrackedFrom, isClosed, phrase);
    setCounter(description.countOf(state));
    setFacts(...description.factsOf(state));
    setStack(state.stack.map(shape.nameOf));
    ending.textContent = state.isOver ? verdictOf(run) : "";
    return statusOf(run, phrase, state.isOver);
  }

  const details = [htmlElement("summary", {}, description.listTitle), facts, list];
  const element = makeRunSection(run, heading, board.element, ending, details);
  return { element, length: run.events.length, deadEnds: deadEndsOf(run.events), show };
}

// A run of a model: cycles through all squares are joined until one is left.
const CYCLE_COLORS = 5; // in the style sheet
const MAX_STEPS_PER_FRAME = 20;

function makeModelRun(run) {
  const { frames } = run;
  const colors = colorFrames(frames);
  // Beside a search, each frame lasts several steps, so that it is visible.
  const stepsToFillTheSearch = Math.max(1, Math.ceil(longestSearch / frames.length));
  const stepsPerFrame = Math.min(MAX_STEPS_PER_FRAME, stepsToFillTheSearch);
  const [heading] = makeHeading(run.name, "");
  const { svg, clipped } = shape.makeBoardElement();
  const cycles = svgElement("g");
  clipped.append(cycles);
  const ending = htmlElement("p", { class: "ending" });

  // Whether a frame shows a tour: a run that was stopped may end with several cycles.
  function isTour(index) {
    return index === frames.length - 1 && frames[index].length === 1;
  }

  function drawFrame(index) {
    const paths = frames[index].map((line, i) => {
      const color = isTour(index) ? "tour" : colors[index][i] % CYCLE_COLORS;
      return svgElement("path", { class: `joined cycle-${color}`, d: pathThrough(shape, line) });
    });
    cycles.replaceChildren(...paths);
  }

  function describe(index) {
    if (index < 0) return "states that every square has a move in and a move out";
    if (isTour(index)) return "has one tour";
    const count = frames[index].length;
    return `joins ${count} ${count === 1 ? "cycle" : "cycles"} through all squares`;
  }

  function show(step) {
    const index = Math.min(frames.length - 1, Math.floor(step / stepsPerFrame) - 1);
    const isOver = index === frames.length - 1;
    if (index < 0) cycles.replaceChildren();
    else drawFrame(index);
    const phrase = describe(index);
    svg.setAttribute("aria-label", `board ${shape.rows}x${shape.columns}, ${run.name}: ${phrase}`);
    ending.textContent = isOver ? verdictOf(run) : phrase;
    return statusOf(run, phrase, isOver);
  }

  const explanation =
    "The model does not go from square to square. Every square has two moves; the cycles that they make are joined.";
  const details = [htmlElement("summary", {}, "What is this?"), htmlElement("p", {}, explanation)];
  const element = makeRunSection(run, heading, svg, ending, details);
  return { element, length: stepsPerFrame * frames.length, deadEnds: [], show };
}

// A board with the path of a search or a tour, and the piece at its end.
const MAX_NUMBERED_SIDE = 20; // of a board whose squares show their numbers

// `shape` is that of the board, `glyph` the sign of the piece, `name` that of the run. The squares of
// the path are numbered from `firstStep`.
class PathBoard {
  constructor(shape, glyph, name, firstStep) {
    const { svg, cells, clipped } = shape.makeBoardElement();
    this.shape = shape;
    this.name = name;
    this.firstStep = firstStep;
    this.element = svg;
    this.cells = cells;
    this.isNumbered = Math.max(shape.rows, shape.columns) <= MAX_NUMBERED_SIDE;
    this.path = svgElement("path", { class: "path" });
    this.backtrack = svgElement("path", { class: "backtrack" });
    this.cross = svgElement("path", { class: "crossed-out" });
    clipped.append(this.path, this.backtrack, this.cross);
    this.labels = this.isNumbered ? cells.map((_, square) => this.makeLabel(square)) : [];
    this.makePiece(glyph);
    svg.append(...this.labels, this.piece);
    this.positions = new Int32Array(cells.length); // of squares on the path, from 1; otherwise 0
    this.shownPositions = new Int32Array(cells.length);
  }

  // The number of a square on a disc, which keeps the line of the path off it.
  makeLabel(square) {
    const disc = svgElement("circle", { r: 0.27 });
    const group = svgElement("g", { class: "square-step" }, disc, svgElement("text", { y: 0.11 }));
    const [x, y] = [this.shape.columnOf(square) + 0.5, this.shape.rowOf(square) + 0.5];
    group.setAttribute("transform", `translate(${x} ${y})`);
    group.style.display = "none";
    return group;
  }

  makePiece(glyph) {
    this.pieceStep = svgElement("text", { class: "piece-step", y: 0.36 });
    const sign = svgElement("text", { class: "glyph", y: this.isNumbered ? 0.1 : 0.2 }, glyph);
    this.piece = svgElement("g", { class: "here" }, svgElement("circle", { r: 0.45 }), sign, this.pieceStep);
  }

  // Show a path, closed to a cycle if `isClosed`. `backtrackedFrom` is the square that the search has
  // just left, or null; `phrase` describes the step.
  show(squares, backtrackedFrom, isClosed, phrase) {
    const { pathFrom, pathTo, rows, columns } = this.shape;
    const last = squares.at(-1);
    this.showVisited(squares);
    this.showPiece(squares, backtrackedFrom !== null);
    const closing = isClosed ? pathTo(last, squares[0]) : "";
    this.path.setAttribute("d", pathThrough(this.shape, squares) + closing);
    const isMoveBack = backtrackedFrom !== null && last !== undefined;
    this.backtrack.setAttribute("d", isMoveBack ? pathFrom(backtrackedFrom) + pathTo(backtrackedFrom, last) : "");
    this.cross.setAttribute("d", backtrackedFrom === null ? "" : this.crossAt(backtrackedFrom));
    this.element.setAttribute("aria-label", `board ${rows}x${columns}, ${this.name}: ${phrase}`);
  }

  crossAt(square) {
    return `M${this.shape.columnOf(square) + 0.25} ${this.shape.rowOf(square) + 0.25}l0.5 0.5m0 -0.5l-0.5 0.5`;
  }

  // Color and number the squares of the path; only squares that have changed are touched.
  showVisited(squares) {
    this.positions.fill(0);
    squares.forEach((square, i) => (this.positions[square] = i + 1));
    this.cells.forEach((cell, square) => {
      const position = this.positions[square];
      if (position === this.shownPositions[square]) return;
      this.shownPositions[square] = position;
      cell.classList.toggle("visited", position > 0);
      if (!this.isNumbered) return;
      this.labels[square].style.display = position > 0 ? "" : "none";
      this.labels[square].lastChild.textContent = position - 1 + this.firstStep;
    });
  }

  showPiece(squares, isBack) {
    const { rowOf, columnOf } = this.shape;
    const last = squares.at(-1);
    this.piece.style.display = last === undefined ? "none" : "";
    this.piece.classList.toggle("back", isBack);
    if (this.isNumbered) this.pieceStep.textContent = squares.length - 1 + this.firstStep;
    if (last !== undefined)
      this.piece.style.transform = `translate(${columnOf(last) + 0.5}px, ${rowOf(last) + 0.5}px)`;
  }
}

function makeLegend() {
  const entries = [
    lineEntry("path", "moves on the path"),
    squareEntry("square visited", data.tour ? "visited, with its step" : "on the path, with its depth"),
  ];
  if (!data.tour) entries.push(lineEntry("backtrack", "backtrack from the crossed-out square"));
  return htmlElement("p", { class: "legend" }, ...entries);
}

const runs = data.runs.map((run) =>
  run.kind === "model" ? makeModelRun(run) : makeSearchRun(run),
);
const sections = htmlElement("div", { class: `runs runs-${runs.length}` }, ...runs.map((run) => run.element));
document.getElementById("view").append(sections, makeLegend());
const deadEnds = new Set(runs.flatMap((run) => run.deadEnds));
const lengths = runs.map((run) => run.length);

// Show a step of all runs. At the end of a race, those that found a tour are named first.
function showStep(step) {
  const told = runs.map((run, i) => ({ phrase: run.show(step), found: data.runs[i].found }));
  if (step === Math.max(...lengths)) told.sort((one, other) => other.found - one.found);
  return `${told.map((each) => each.phrase).join("; ")}.`;
}
startReplay(Math.max(...lengths), showStep, {
  deadEnds: [...deadEnds].sort((a, b) => a - b),
  plays: true,
  rate: isRace ? 20 : 5,
  pause: Math.min(...lengths), // where the first run of a race ends
});
