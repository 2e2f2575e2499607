// The replay of searches on a board, or of a tour, which never backtracks.
// An event is a visit, the square, or a backtrack, ~square.
const data = readData();
const { tour } = data;
const { rowOf, columnOf, nameOf, begin, wayTo, makeSquares } = makeBoardShape(data);

const pathOf = (squares) =>
  squares.map((square, i) => (i ? wayTo(squares[i - 1], square) : begin(square))).join("");

// One search on a board of its own: its element, its length, and how to show a step of it.
function makeRun(run) {
  const { events } = run;
  const stack = [];
  let [at, calls, backtracks] = [0, 0, 0];
  const board = makeBoard(run);
  const [counters, setCounters] = facts(tour ? ["visited", "left"] : ["calls", "backtracks", "depth"]);
  const [list, setStack] = stackList(`${tour ? "squares" : "stack"} of ${run.name}, latest first`, tour ? tour.first : 1);
  const ending = html("p");

  // Every event can be undone, so that any step can be reached from any other.
  function go(to) {
    for (; at < to; at++) {
      if (events[at] >= 0) calls += stack.push(events[at]) && 1;
      else backtracks += stack.pop() >= 0 && 1;
    }
    for (; at > to; at--) {
      if (events[at - 1] >= 0) calls -= stack.pop() >= 0 && 1;
      else backtracks -= stack.push(~events[at - 1]) && 1;
    }
  }

  function show(step) {
    go(Math.min(step, events.length));
    const event = at > 0 ? events[at - 1] : null;
    const over = at === events.length;
    const closes = over && run.found && data.closed;
    const sentence = describe(event, stack.length);
    board.show(stack, event !== null && event < 0 ? ~event : null, closes, sentence);
    if (tour) setCounters(at, events.length - at);
    else setCounters(calls, backtracks, stack.length);
    setStack(stack, nameOf);
    ending.textContent = over ? run.ending : "";
    const name = tour ? "" : `${run.name}: `;
    return `${name}${sentence}${over ? ` End: ${run.ending}.` : ""}`;
  }

  const beside = html("div", { class: "facts" }, counters, html("h3", {}, tour ? "Path" : "Stack"), list);
  const picture = html("div", { class: "picture" }, board.element);
  if (data.runs.length === 1 && data.columns > 2 * data.rows) picture.style.maxWidth = "none";
  const parts = html("div", { class: "beside" }, picture, beside);
  const element = html("section", { class: "run", "aria-label": run.name }, html("h2", {}, run.name), parts, ending);
  return { element, length: events.length, show };
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
  const path = make("path", { class: "path" });
  const backtrack = make("path", { class: "backtrack" });
  const left = make("path", { class: "left" });
  over.append(path, backtrack, left);
  const numbered = Math.max(rows, columns) <= 20;
  const labels = numbered ? cells.map((cell, square) => label(square)) : [];
  svg.append(...labels);
  const step = make("text", { class: "step", y: 0.36 });
  const glyph = make("text", { class: "glyph", y: numbered ? 0.1 : 0.2 }, data.glyph);
  const here = make("g", { class: "here" }, make("circle", { r: 0.45 }), glyph, step);
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
  const group = make("g", { ...place, class: "depth" }, make("circle", { r: 0.27 }), make("text", { y: 0.11 }));
  group.style.display = "none";
  return group;
}

const runs = data.runs.map(makeRun);
const line = (name) => make("path", { class: name, d: "M0 .5H2" });
const square = make("rect", { class: "square visited", x: 0.5, width: 1, height: 1 });
const entries = [
  [line("path"), "moves on the path"],
  [square, tour ? "visited, with its step" : "on the path, with its depth"],
  ...(tour ? [] : [[line("backtrack"), "backtrack from the crossed-out square"]]),
];
const legend = html("p", { class: "legend" }, ...entries.map((entry) => legendEntry("0 0 2 1", ...entry)));
const view = document.getElementById("view");
view.append(html("div", { class: "runs" }, ...runs.map((run) => run.element)), legend);
startPlayer(Math.max(...runs.map((run) => run.length)), (step) =>
  runs.map((run) => run.show(step)).join(" "),
);
