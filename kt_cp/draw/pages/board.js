// The replay of searches on a board, or of a tour, which never backtracks.
// An event is a visit, the square, or a backtrack, ~square.
const data = JSON.parse(document.getElementById("data").textContent);
const { tour } = data;

const rowOf = (square) => Math.floor(square / data.columns);
const columnOf = (square) => square % data.columns;

function fileLetters(column) {
  const first = Math.floor(column / 26) - 1;
  return (first >= 0 ? fileLetters(first) : "") + String.fromCharCode(97 + (column % 26));
}

const nameOf = (square) => fileLetters(columnOf(square)) + (data.rows - rowOf(square));

// The text holds a visit as `data.digits` hexadecimal digits, and a backtrack as "-".
function decode(text) {
  const events = [];
  const stack = [];
  for (let i = 0; i < text.length; ) {
    if (text[i] === "-") {
      events.push(~stack.pop());
      i += 1;
    } else {
      const square = parseInt(text.slice(i, i + data.digits), 16);
      stack.push(square);
      events.push(square);
      i += data.digits;
    }
  }
  return Int32Array.from(events);
}

// The rest of an SVG path from one square to the next, in two parts across a glued edge.
function wayTo(from, to) {
  const [row, column, toRow, toColumn] = [rowOf(from), columnOf(from), rowOf(to), columnOf(to)];
  const straight = `L${toColumn + 0.5} ${toRow + 0.5}`;
  const leads = ([down, right]) => row + down === toRow && column + right === toColumn;
  if (!data.jumps || data.jumps.some(leads)) return straight;
  const wraps = ([down, right]) =>
    (row + down - toRow) % data.rows === 0 && (column + right - toColumn) % data.columns === 0;
  const jump = data.jumps.find(wraps);
  if (!jump) return straight;
  const [down, right] = jump; // the board's edge cuts both parts off
  return `l${right} ${down}M${toColumn + 0.5 - right} ${toRow + 0.5 - down}${straight}`;
}

const pathOf = (squares) =>
  squares.map((square, i) => (i ? wayTo(squares[i - 1], square) : begin(square))).join("");
const begin = (square) => `M${columnOf(square) + 0.5} ${rowOf(square) + 0.5}`;

// One search on a board of its own: its element, its length, and how to show a step of it.
function makeRun(run) {
  const events = decode(run.events);
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
  const named = Math.max(rows, columns) <= 26;
  const margin = named ? 0.6 : 0.1;
  const box = [-margin, -0.1, columns + margin + 0.1, rows + margin + 0.1];
  const svg = make("svg", { viewBox: box.join(" "), role: "img" });
  const cells = [];
  for (let square = 0; square < rows * columns; square++) {
    const place = { x: columnOf(square), y: rowOf(square), width: 1, height: 1, class: "square" };
    cells.push(make("rect", place));
  }
  for (const hole of data.holes) cells[hole].classList.add("hole");
  svg.append(...cells);
  if (named) svg.append(...names());
  const path = make("path", { class: "path" });
  const backtrack = make("path", { class: "backtrack" });
  const left = make("path", { class: "left" });
  // An SVG inside cuts off what leaves the board across a glued edge.
  const size = { width: columns, height: rows, viewBox: `0 0 ${columns} ${rows}` };
  svg.append(make("svg", size, path, backtrack, left));
  const labels = Math.max(rows, columns) <= 20 ? cells.map((cell, square) => label(square)) : [];
  svg.append(...labels);
  const here = make("g", { class: "here" }, make("circle", { r: 0.38 }), make("text", { y: 0.22 }, data.glyph));
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
      if (labels.length) labels[square].textContent = depths[square] ? depths[square] - 1 + first : "";
    }
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

const label = (square) =>
  make("text", { class: "depth", x: columnOf(square) + 0.5, y: rowOf(square) + 0.93 });

function names() {
  const texts = [];
  for (let column = 0; column < data.columns; column++)
    texts.push(make("text", { class: "name", x: column + 0.5, y: data.rows + 0.4 }, fileLetters(column)));
  for (let row = 0; row < data.rows; row++)
    texts.push(make("text", { class: "name", x: -0.3, y: row + 0.6 }, String(data.rows - row)));
  return texts;
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
