// The replay of depth-first search of a graph: what each step discovers, examines or finishes.
const data = readData();
const { vertices, edges, steps } = data;
const kinds = ["tree", "back", "forward", "cross"];
const radius = 0.28;

// When each vertex and edge changes: the number of the step that does it.
steps.forEach(([what, index, time], i) => {
  if (what === "edge") edges[index].seen = i + 1;
  else vertices[index][what] = { step: i + 1, time };
});

const nameOf = (vertex) => vertex.name;

function colorOf(vertex, step) {
  if (step < vertex.discover.step) return "white";
  return step < vertex.finish.step ? "gray" : "black";
}

// The curve of an edge, as the points of a Bezier curve: tree edges straight, the others bent aside,
// loops round.
function curveOf(edge) {
  const [tail, head] = [vertices[edge.from], vertices[edge.to]];
  if (tail === head) {
    const [x, y] = [tail.x - radius, tail.y];
    return [[x + 0.03, y - 0.12], [x - 0.5, y - 0.45], [x - 0.5, y + 0.45], [x - 0.03, y + 0.12]];
  }
  const [dx, dy] = [head.x - tail.x, head.y - tail.y];
  const long = Math.hypot(dx, dy);
  const bend = { tree: 0, cross: -0.25 - 0.08 * long }[edge.kind] ?? 0.35 + 0.3 * long;
  const middle = [(tail.x + head.x) / 2, (tail.y + head.y) / 2];
  const control = [middle[0] - (bend * dy) / long, middle[1] + (bend * dx) / long];
  const from = towards([tail.x, tail.y], control, radius);
  const to = towards([head.x, head.y], control, radius + 0.08);
  return [from, control, to];
}

function pathAlong([from, ...others]) {
  const letter = others.length === 3 ? "C" : "Q";
  return `M${from.join(" ")}${letter}${others.map((point) => point.join(" ")).join(" ")}`;
}

function towards([x, y], [toX, toY], length) {
  const share = length / Math.hypot(toX - x, toY - y);
  return [x + (toX - x) * share, y + (toY - y) * share];
}

function makeGraph() {
  const curves = edges.map(curveOf);
  const labels = placeLabels(
    vertices.map(({ x, y, discover, finish }) => ({ at: [x, y], text: `${discover.time}/${finish.time}` })),
    edges.map(({ kind }, i) => ({ curve: curves[i], text: kind })),
    radius,
  );
  const boxes = [...vertices.map(({ x, y }) => boxAround([x, y], 1.2, 1.2)), ...labels.ofVertices, ...labels.ofEdges];
  const [left, top] = [0, 1].map((side) => Math.min(...boxes.map((box) => box[side])) - 0.1);
  const [right, bottom] = [2, 3].map((side) => Math.max(...boxes.map((box) => box[side])) + 0.1);
  const svg = svgElement("svg", { viewBox: `${left} ${top} ${right - left} ${bottom - top}`, role: "img" });
  const heads = kinds.concat("unseen").map((kind) => {
    const shape = { id: `head-${kind}`, viewBox: "0 0 10 10", refX: 6, refY: 5, orient: "auto" };
    const size = { markerWidth: 0.2, markerHeight: 0.2, markerUnits: "userSpaceOnUse" };
    return svgElement("marker", { ...shape, ...size }, svgElement("path", { d: "M0 0L10 5L0 10z", class: `head ${kind}` }));
  });
  svg.append(svgElement("defs", {}, ...heads));
  const lines = curves.map((curve) => svgElement("path", { d: pathAlong(curve) }));
  const letters = labels.ofEdges.map(([from, above, to, below]) =>
    svgElement("text", { class: "edge-label", x: (from + to) / 2, y: (above + below) / 2 + 0.06 }),
  );
  const times = labels.ofVertices.map(([from, above, , below]) =>
    svgElement("text", { class: "times", x: from, y: (above + below) / 2 + 0.07 }),
  );
  const circles = vertices.map((vertex) => {
    const label = svgElement("text", { class: "label", y: 0.085 }, vertex.name);
    if (vertex.name.length > 2) label.style.fontSize = `${Math.max(0.12, 0.7 / vertex.name.length)}px`;
    const place = { transform: `translate(${vertex.x} ${vertex.y})` };
    return svgElement("g", place, svgElement("circle", { r: radius }), label);
  });
  svg.append(...lines, ...circles, ...letters, ...times);

  function show(step, sentence) {
    const [what, index] = step ? steps[step - 1] : [];
    edges.forEach((edge, i) => {
      const seen = edge.seen <= step;
      const now = what === "edge" && index === i;
      lines[i].setAttribute("class", `edge ${seen ? edge.kind : ""} ${now ? "now" : ""}`);
      lines[i].setAttribute("marker-end", `url(#head-${seen ? edge.kind : "unseen"})`);
      letters[i].textContent = seen ? edge.kind : "";
    });
    vertices.forEach((vertex, i) => {
      const here = what !== "edge" && index === i;
      const color = colorOf(vertex, step);
      circles[i].setAttribute("class", `vertex ${color} ${here ? "here" : ""}`);
      const finish = color === "black" ? vertex.finish.time : "";
      times[i].textContent = color === "white" ? "" : `${vertex.discover.time}/${finish}`;
    });
    svg.setAttribute("aria-label", `graph of ${vertices.length} vertices: ${sentence}`);
  }
  return { element: svg, show };
}

// The times as nested bars: each vertex from its discovery to its finish, below its parent.
function makeBars() {
  const last = 2 * vertices.length;
  const depth = Math.max(...vertices.map((vertex) => vertex.depth)) + 1;
  const svg = svgElement("svg", { viewBox: `0 -0.2 ${last + 1} ${depth + 1.4}`, role: "img" });
  svg.setAttribute("aria-label", "discovery and finish times as nested bars");
  svg.style.minWidth = `${Math.min(last, 60) * 0.9}rem`;
  svg.style.maxWidth = `${last * 2.4}rem`;
  for (let time = 1; time <= last; time++)
    svg.append(svgElement("text", { class: "tick", x: time, y: depth + 0.7 }, String(time)));
  const bars = vertices.map((vertex) =>
    svgElement("rect", { class: "bar", x: vertex.discover.time - 0.4, y: vertex.depth + 0.08, height: 0.8, rx: 0.15 }),
  );
  const labels = vertices.map((vertex) => svgElement("text", { class: "bar-label", y: vertex.depth + 0.7 }, vertex.name));
  svg.append(...bars, ...labels);

  function show(step, time) {
    vertices.forEach((vertex, i) => {
      const color = colorOf(vertex, step);
      const [from, to] = [vertex.discover.time, Math.min(time, vertex.finish.time)];
      for (const part of [bars[i], labels[i]]) {
        part.style.display = color === "white" ? "none" : "";
        part.classList.toggle("closed", color === "black");
      }
      bars[i].setAttribute("width", Math.max(0, to - from) + 0.8);
      labels[i].setAttribute("x", from);
    });
  }
  return { element: htmlElement("div", { class: "times-picture", tabindex: "0" }, svg), show };
}

function parentheses(step) {
  const words = steps.slice(0, step).map(([what, index]) => {
    if (what === "edge") return "";
    const { name } = vertices[index];
    return what === "discover" ? `(${name} ` : `${name}) `;
  });
  return words.join("").trim() || "–";
}

function describe(step) {
  if (step === 0) return "every vertex is white.";
  const [what, index, time] = steps[step - 1];
  if (what === "discover") return `discovers ${vertices[index].name} at time ${time}; it turns gray.`;
  if (what === "finish") return `finishes ${vertices[index].name} at time ${time}; it turns black.`;
  const edge = edges[index];
  const [tail, head] = [vertices[edge.from].name, vertices[edge.to].name];
  return `examines ${tail} → ${head}: a ${edge.kind} edge, because ${reasonOf(edge, step)}.`;
}

function reasonOf(edge, step) {
  const [tail, head] = [vertices[edge.from].name, vertices[edge.to].name];
  if (edge.kind === "tree") return `${head} is white`;
  if (edge.kind === "back") return `${head} is gray, on the stack`;
  const order = edge.kind === "forward" ? "after" : "before";
  return `${head} is ${colorOf(vertices[edge.to], step)} and was discovered ${order} ${tail}`;
}

const legendOf = (kind) =>
  legendEntry("0 0 0.6 0.25", svgElement("path", { class: `edge ${kind}`, d: "M0 0.12H0.6" }), kind);

const graph = makeGraph();
const bars = makeBars();
const [counters, setCounters] = facts(["time", "white", "gray", "black", ...kinds]);
const [list, setStack] = stackList("stack of gray vertices, innermost first");
const text = htmlElement("p", { class: "parentheses" });
const side = htmlElement("div", { class: "facts" }, counters, htmlElement("h3", {}, "Stack"), list);
document.getElementById("view").append(
  htmlElement("div", { class: "beside" }, htmlElement("div", { class: "picture" }, graph.element), side),
  htmlElement("p", { class: "legend" }, ...kinds.map(legendOf)),
  htmlElement("h3", {}, "Times as parentheses"),
  bars.element,
  text,
);
function showStep(step) {
  const sentence = describe(step);
  const time = steps.slice(0, step).filter(([what]) => what !== "edge").length;
  const colors = vertices.map((vertex) => colorOf(vertex, step));
  const count = (items, item) => items.filter((other) => other === item).length;
  const seen = edges.filter((edge) => edge.seen <= step).map((edge) => edge.kind);
  graph.show(step, sentence);
  bars.show(step, time);
  const grays = vertices.filter((_, i) => colors[i] === "gray");
  setStack(grays.sort((a, b) => a.discover.time - b.discover.time), nameOf);
  setCounters(time, ...["white", "gray", "black"].map((c) => count(colors, c)), ...kinds.map((k) => count(seen, k)));
  text.textContent = parentheses(step);
  return sentence;
}
startPlayer(steps.length, showStep, { plays: true, rate: 2 });
