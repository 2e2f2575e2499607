// The page that replays runs on a board side by side: searches and models, or one tour.
const data = readData();

// What the runs of a page have in common.
class ReplayPage {
  constructor(data) {
    this.shape = makeBoardShape(data);
    this.glyph = data.glyph; // of the piece
    this.closed = data.closed; // whether a tour is closed
    this.tour = data.tour; // if the page shows a tour: the number of its `first` step
    this.runCount = data.runs.length;
    this.longestSearch = Math.max(1, ...data.runs.map((run) => run.events?.length ?? 0)); // in events
  }

  // Return what the status says of a run. If there are two runs and this one is over, the status is
  // short: only how it ended.
  statusOf(run, sentence, isOver) {
    const name = this.tour ? "" : `${run.name}: `;
    if (!isOver) return name + sentence;
    return this.runCount > 1 ? `${name}${run.ending}.` : `${name}${sentence} End: ${run.ending}.`;
  }
}

const replay = new ReplayPage(data);

// Return the heading of a run with one large number, and a function that sets the number.
function makeHeading(name, counted) {
  const number = htmlElement("b", {}, "0");
  const counter = htmlElement("span", { class: "counter" }, number, ` ${counted}`);
  const heading = htmlElement("h2", {}, htmlElement("span", {}, name), counter);
  return [heading, (value) => (number.textContent = formatNumber(value))];
}

// Return the element of a run; `details` are folded at first.
function makeRunSection(name, heading, svg, ending, details) {
  const picture = htmlElement("div", { class: "picture" }, svg);
  const folded = htmlElement("details", {}, ...details);
  return htmlElement("section", { class: "run", "aria-label": name }, heading, picture, ending, folded);
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
  run.kind === "model" ? makeModelRun(run, replay) : makeSearchRun(run, replay),
);
const sections = htmlElement("div", { class: `runs runs-${runs.length}` }, ...runs.map((run) => run.element));
document.getElementById("view").append(sections, makeLegend());
const deadEnds = new Set(runs.flatMap((run) => run.deadEnds));
startPlayer(
  Math.max(...runs.map((run) => run.length)),
  (step) => runs.map((run) => run.show(step)).join(" "),
  { deadEnds: [...deadEnds].sort((a, b) => a - b), plays: true, rate: runs.length > 1 ? 20 : 5 },
);
