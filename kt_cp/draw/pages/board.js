// The replay of searches on a board, or of a tour, which never backtracks.
// An event is a visit, the square, or a backtrack, ~square.
const data = readData();
const { tour } = data;
const { rowOf, columnOf, nameOf, begin, wayTo, makeSquares } = makeBoardShape(data);

// The steps of the longest search, beside which a model shows its frames.
const longestSearch = Math.max(1, ...data.runs.map((run) => run.events.length));

// The colors of the cycles of a model.
const GROUPS = 5;

const pathOf = (squares) =>
  squares.map((square, i) => (i ? wayTo(squares[i - 1], square) : begin(square))).join("");

// A run on a board of its own: its element, its length, its dead ends, and how to show a step.
const makeRun = (run) => (run.frames.length ? makeModelRun(run) : makeSearchRun(run));

// The title of a run with one large counter.
function makeHeading(name, counted) {
  const number = htmlElement("b", {}, "0");
  const heading = htmlElement("h2", {}, htmlElement("span", {}, name), htmlElement("span", { class: "counter" }, number, ` ${counted}`));
  return [heading, (value) => (number.textContent = formatNumber(value))];
}

function makeSearchRun(run) {
  const { events } = run;
  const stack = [];
  let at = 0; // the events until now
  let calls = 0;
  let backtracks = 0;
  const board = makeBoard(run);
  const [heading, setCounter] = makeHeading(run.name, tour ? "squares" : "backtracks");
  const [counters, setCounters] = facts(tour ? ["visited", "left"] : ["calls", "backtracks", "depth"]);
  const [list, setStack] = stackList(`${tour ? "squares" : "stack"} of ${run.name}, latest first`, tour ? tour.first : 1);
  const ending = htmlElement("p", { class: "ending" });

  function apply(event) {
    if (event >= 0) {
      stack.push(event);
      calls += 1;
    } else {
      stack.pop();
      backtracks += 1;
    }
  }

  function undo(event) {
    if (event >= 0) {
      stack.pop();
      calls -= 1;
    } else {
      stack.push(~event);
      backtracks -= 1;
    }
  }

  // Every event can be undone, so that any step can be reached from any other.
  function go(to) {
    for (; at < to; at++) apply(events[at]);
    for (; at > to; at--) undo(events[at - 1]);
  }

  function show(step) {
    go(Math.min(step, events.length));
    const event = at > 0 ? events[at - 1] : null;
    const isOver = at === events.length;
    const closes = isOver && run.found && data.closed;
    const sentence = describe(event, stack.length);
    board.show(stack, event !== null && event < 0 ? ~event : null, closes, sentence);
    if (tour) setCounters(at, events.length - at);
    else setCounters(calls, backtracks, stack.length);
    setCounter(tour ? at : backtracks);
    setStack(stack, nameOf);
    ending.textContent = isOver ? run.ending : "";
    return sentenceOf(run, sentence, isOver);
  }

  // A dead end is a square from which the search backtracks without having gone on.
  const deadEnds = [];
  for (let i = 1; i < events.length; i++) if (events[i] < 0 && events[i - 1] >= 0) deadEnds.push(i);
  const folded = htmlElement("details", {}, htmlElement("summary", {}, tour ? "Path" : "Stack"), counters, list);
  const picture = htmlElement("div", { class: "picture" }, board.element);
  const element = htmlElement("section", { class: "run", "aria-label": run.name }, heading, picture, ending, folded);
  return { element, length: events.length, deadEnds, show };
}

// What a model does: the lines of a frame are joined until one is left. Each frame lasts several
// steps, so that it can be seen beside a search.
function makeModelRun(run) {
  const { frames } = run;
  const colors = colorFrames(frames);
  const [heading, setCounter] = makeHeading(run.name, "backtracks");
  setCounter(0);
  const { svg, over } = makeSquares();
  const lines = svgElement("g");
  over.append(lines);
  const ending = htmlElement("p", { class: "ending" });
  const stepsPerFrame = Math.min(20, Math.max(1, Math.ceil(longestSearch / frames.length)));

  function show(step) {
    const index = Math.min(frames.length - 1, Math.floor(step / stepsPerFrame) - 1);
    const frame = index < 0 ? [] : frames[index];
    const isLast = index === frames.length - 1;
    const classOf = (i) => `joined cycle-${isLast ? "tour" : colors[index][i] % GROUPS}`;
    lines.replaceChildren(...frame.map((line, i) => svgElement("path", { class: classOf(i), d: pathOf(line) })));
    const count = frame.length === 1 ? "1 cycle" : `${frame.length} cycles`;
    const cycles = frame.length === 1 && isLast ? "one tour" : `${count} through all squares`;
    const sentence = index < 0 ? "states that every square has a move in and a move out." : `${cycles}.`;
    svg.setAttribute("aria-label", `board ${data.rows}x${data.columns}, ${run.name}: ${sentence}`);
    ending.textContent = isLast ? run.ending : sentence;
    return sentenceOf(run, sentence, isLast);
  }

  const about = htmlElement("p", {}, "The model does not go from square to square. Every square has two moves; the cycles that they make are joined.");
  const folded = htmlElement("details", {}, htmlElement("summary", {}, "What is this?"), about);
  const picture = htmlElement("div", { class: "picture" }, svg);
  const element = htmlElement("section", { class: "run", "aria-label": run.name }, heading, picture, ending, folded);
  return { element, length: stepsPerFrame * frames.length, deadEnds: [], show };
}

// Return a color number for each line of each frame: a line keeps the color of the previous line
// with which it shares the most squares.
function colorFrames(frames) {
  let before = new Map(); // the color of each square
  let fresh = 0;
  return frames.map((frame) => {
    const colors = [];
    const taken = new Set();
    const longestFirst = frame.map((line, i) => [line, i]).sort(([one], [other]) => other.length - one.length);
    for (const [line, i] of longestFirst) {
      const shares = new Map();
      for (const color of line.map((square) => before.get(square)))
        if (color !== undefined && !taken.has(color)) shares.set(color, (shares.get(color) ?? 0) + 1);
      const [[color] = []] = [...shares].sort(([, one], [, other]) => other - one);
      colors[i] = color ?? fresh++;
      taken.add(colors[i]);
    }
    before = new Map(frame.flatMap((line, i) => line.map((square) => [square, colors[i]])));
    return colors;
  });
}

// What the status says of a run. Of two runs that have ended it says only how, so that it is short.
function sentenceOf(run, sentence, isOver) {
  const name = tour ? "" : `${run.name}: `;
  if (!isOver) return name + sentence;
  return data.runs.length > 1 ? `${name}${run.ending}.` : `${name}${sentence} End: ${run.ending}.`;
}

function describe(event, depth) {
  if (event === null) return "no square is visited yet.";
  if (tour) return `${nameOf(event)} is visited.`;
  const deep = `${depth} ${depth === 1 ? "square" : "squares"} on the path.`;
  return event >= 0 ? `visits ${nameOf(event)}, ${deep}` : `backtracks from ${nameOf(~event)}, ${deep}`;
}

function makeBoard(run) {
  const { rows, columns } = data;
  const { svg, cells, over } = makeSquares();
  const path = svgElement("path", { class: "path" });
  const backtrack = svgElement("path", { class: "backtrack" });
  const left = svgElement("path", { class: "left" });
  over.append(path, backtrack, left);
  const numbered = Math.max(rows, columns) <= 20;
  const labels = numbered ? cells.map((cell, square) => label(square)) : [];
  svg.append(...labels);
  const step = svgElement("text", { class: "step", y: 0.36 });
  const glyph = svgElement("text", { class: "glyph", y: numbered ? 0.1 : 0.2 }, data.glyph);
  const here = svgElement("g", { class: "here" }, svgElement("circle", { r: 0.45 }), glyph, step);
  svg.append(here);
  const first = tour ? tour.first : 1;
  const depths = new Int32Array(cells.length);
  const drawn = new Int32Array(cells.length);

  // `from` is the square that was just left, if the step is a backtrack.
  function show(stack, from, closes, sentence) {
    const top = stack.at(-1);
    depths.fill(0);
    stack.forEach((square, i) => (depths[square] = i + 1));
    for (let square = 0; square < cells.length; square++) {
      if (depths[square] === drawn[square]) continue;
      drawn[square] = depths[square];
      cells[square].classList.toggle("visited", depths[square] > 0);
      if (!numbered) continue;
      labels[square].style.display = depths[square] ? "" : "none";
      labels[square].lastChild.textContent = depths[square] - 1 + first;
    }
    if (numbered) step.textContent = stack.length - 1 + first;
    path.setAttribute("d", pathOf(stack) + (closes ? wayTo(top, stack[0]) : ""));
    backtrack.setAttribute("d", from !== null && top !== undefined ? begin(from) + wayTo(from, top) : "");
    left.setAttribute("d", from !== null ? cross(from) : "");
    here.style.display = top === undefined ? "none" : "";
    here.classList.toggle("back", from !== null);
    if (top !== undefined) here.style.transform = `translate(${columnOf(top) + 0.5}px, ${rowOf(top) + 0.5}px)`;
    svg.setAttribute("aria-label", `board ${rows}x${columns}, ${run.name}: ${sentence}`);
  }
  return { element: svg, show };
}

const cross = (square) =>
  `M${columnOf(square) + 0.25} ${rowOf(square) + 0.25}l0.5 0.5m0 -0.5l-0.5 0.5`;

// The number of a square on a disc, which no line strikes through.
function label(square) {
  const place = { transform: `translate(${columnOf(square) + 0.5} ${rowOf(square) + 0.5})` };
  const group = svgElement("g", { ...place, class: "depth" }, svgElement("circle", { r: 0.27 }), svgElement("text", { y: 0.11 }));
  group.style.display = "none";
  return group;
}

const runs = data.runs.map(makeRun);
const line = (name) => svgElement("path", { class: name, d: "M0 .5H2" });
const square = svgElement("rect", { class: "square visited", x: 0.5, width: 1, height: 1 });
const entries = [
  [line("path"), "moves on the path"],
  [square, tour ? "visited, with its step" : "on the path, with its depth"],
  ...(tour ? [] : [[line("backtrack"), "backtrack from the crossed-out square"]]),
];
const legend = htmlElement("p", { class: "legend" }, ...entries.map((entry) => legendEntry("0 0 2 1", ...entry)));
const view = document.getElementById("view");
view.append(htmlElement("div", { class: `runs runs-${runs.length}` }, ...runs.map((run) => run.element)), legend);
startPlayer(
  Math.max(...runs.map((run) => run.length)),
  (step) => runs.map((run) => run.show(step)).join(" "),
  { deadEnds: [...new Set(runs.flatMap((run) => run.deadEnds))].sort((a, b) => a - b), plays: true, rate: runs.length > 1 ? 20 : 5 },
);
