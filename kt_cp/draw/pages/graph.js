// @ts-check
// The page that replays depth-first search of a graph: its picture, and the times as nested bars.
import { htmlElement, legendEntry, makeFacts, makeStackList, readData, svgElement } from "./dom.js";
import { startReplay } from "./player.js";

const EDGE_KINDS = ["tree", "back", "forward", "cross"];
const VERTEX_RADIUS = 0.34;
const HEAD_LENGTH = 0.08; // the room for the head of an arrow
const data = readData();
const { vertices, edges, steps } = data;
const COLORS = ["white", "gray", "black"];

// A step is [what, index, time]: it discovers or finishes a vertex, or examines an edge. Steps are
// numbered from 1; step 0 is before the search. These are the steps and times of every vertex, and
// the step of every edge.
const discoveries = [];
const finishes = [];
const examinedAt = [];
steps.forEach(([what, index, time], i) => {
  if (what === "edge") examinedAt[index] = i + 1;
  else (what === "discover" ? discoveries : finishes)[index] = { step: i + 1, time };
});
const isExamined = (edge, step) => examinedAt[edge] <= step;

function colorOf(vertex, step) {
  if (step < discoveries[vertex].step) return "white";
  return step < finishes[vertex].step ? "gray" : "black";
}

const BENDS = { tree: [0, 0], back: [0.35, 0.3], forward: [0.6, 0.5], cross: [-0.25, -0.08] };
const bendOf = (kind, length) => BENDS[kind][0] + BENDS[kind][1] * length; // from its middle to one side

// Return an SVG path for an edge: tree edges are straight, loops round, and others bent.
function curveOf({ from, to, kind }) {
  const [tail, head] = [vertices[from], vertices[to]];
  if (tail === head) {
    const [x, y] = [tail.x - VERTEX_RADIUS, tail.y];
    return `M${x + 0.03} ${y - 0.12}C${x - 0.5} ${y - 0.45} ${x - 0.5} ${y + 0.45} ${x - 0.03} ${y + 0.12}`;
  }
  const [dx, dy] = [head.x - tail.x, head.y - tail.y];
  const length = Math.hypot(dx, dy);
  const bend = bendOf(kind, length);
  const control = { x: (tail.x + head.x) / 2 - (bend * dy) / length, y: (tail.y + head.y) / 2 + (bend * dx) / length };
  const start = pointTowards(tail, control, VERTEX_RADIUS);
  const end = pointTowards(head, control, VERTEX_RADIUS + HEAD_LENGTH);
  return `M${start}Q${control.x} ${control.y} ${end}`;
}

// Return the point at a distance from one point towards another, as in a path.
function pointTowards(from, to, distance) {
  const share = distance / Math.hypot(to.x - from.x, to.y - from.y);
  return `${from.x + (to.x - from.x) * share} ${from.y + (to.y - from.y) * share}`;
}

class GraphPicture {
  constructor() {
    this.lines = edges.map((edge) => svgElement("path", { d: curveOf(edge) }));
    this.times = vertices.map(() => svgElement("text", { class: "times", y: 0.2 }));
    this.circles = vertices.map(({ name, x, y }, i) => {
      const label = svgElement("text", { class: "label", y: 0.02 }, name);
      if (name.length > 2) label.style.fontSize = `${Math.max(0.12, 0.7 / name.length)}px`;
      const circle = svgElement("circle", { r: VERTEX_RADIUS });
      return svgElement("g", { transform: `translate(${x} ${y})` }, circle, label, this.times[i]);
    });
    const [xs, ys] = [vertices.map(({ x }) => x), vertices.map(({ y }) => y)];
    const margin = 0.4 + bendOf("forward", 1.2 * Math.max(...vertices.map(({ depth }) => depth))) / 2; // for curves
    const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - 0.6];
    const box = [left, top, Math.max(...xs) + margin - left, Math.max(...ys) + 0.6 - top];
    const heads = svgElement("defs", {}, ...[...EDGE_KINDS, "unseen"].map(makeArrowHead));
    this.element = svgElement("svg", { viewBox: box.join(" "), preserveAspectRatio: "xMinYMin", role: "img" }, heads, ...this.lines, ...this.circles);
  }

  show(step, sentence) {
    this.lines.forEach((line, i) => {
      const kind = isExamined(i, step) ? edges[i].kind : "unseen";
      line.setAttribute("class", `edge ${kind} ${examinedAt[i] === step ? "now" : ""}`);
      line.setAttribute("marker-end", `url(#head-${kind})`);
    });
    this.circles.forEach((circle, i) => {
      const [discovery, finish] = [discoveries[i], finishes[i]];
      const color = colorOf(i, step);
      const here = discovery.step === step || finish.step === step ? "here" : "";
      circle.setAttribute("class", `vertex ${color} ${here}`);
      this.times[i].textContent = color === "white" ? "" : `${discovery.time}/${color === "black" ? finish.time : ""}`;
    });
    this.element.setAttribute("aria-label", `graph of ${vertices.length} vertices: ${sentence}`);
  }
}

function makeArrowHead(kind) {
  const shape = { id: `head-${kind}`, viewBox: "0 0 10 10", refX: 6, refY: 5, orient: "auto" };
  const size = { markerWidth: 0.2, markerHeight: 0.2, markerUnits: "userSpaceOnUse" };
  const triangle = svgElement("path", { d: "M0 0L10 5L0 10z", class: `head ${kind}` });
  return svgElement("marker", { ...shape, ...size }, triangle);
}

// The times as nested bars: each vertex from its discovery to its finish, below its parent.
class TimeBars {
  constructor() {
    const lastTime = 2 * vertices.length;
    const depth = Math.max(...vertices.map((vertex) => vertex.depth)) + 1;
    const svg = svgElement("svg", { viewBox: `0 -0.2 ${lastTime + 1} ${depth + 1.4}`, role: "img" });
    svg.setAttribute("aria-label", "discovery and finish times as nested bars");
    svg.style.minWidth = `${Math.min(lastTime, 60) * 0.9}rem`;
    svg.style.maxWidth = `${lastTime * 2.4}rem`;
    for (let x = 1; x <= lastTime; x++) svg.append(svgElement("text", { class: "tick", x, y: depth + 0.7 }, String(x)));
    this.bars = vertices.map((vertex, i) => {
      const x = discoveries[i].time - 0.4;
      return svgElement("rect", { class: "bar", x, y: vertex.depth + 0.08, height: 0.8, rx: 0.15 });
    });
    this.labels = vertices.map((vertex, i) => {
      const x = discoveries[i].time;
      return svgElement("text", { class: "bar-label", x, y: vertex.depth + 0.7 }, vertex.name);
    });
    svg.append(...this.bars, ...this.labels);
    this.element = htmlElement("div", { class: "times-picture", tabindex: "0" }, svg);
  }

  show(step, time) {
    vertices.forEach((_, i) => {
      const color = colorOf(i, step);
      for (const part of [this.bars[i], this.labels[i]]) {
        part.style.display = color === "white" ? "none" : "";
        part.classList.toggle("closed", color === "black");
      }
      const length = Math.min(time, finishes[i].time) - discoveries[i].time;
      this.bars[i].setAttribute("width", Math.max(0, length) + 0.8);
    });
  }
}

// Return the times as parentheses: (a (b b) a).
function parenthesesAt(step) {
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

// Return why an edge is of its kind: the color of its head, and which end was discovered first.
function reasonOf(edge, step) {
  const [tail, head] = [vertices[edge.from].name, vertices[edge.to].name];
  if (edge.kind === "tree") return `${head} is white`;
  if (edge.kind === "back") return `${head} is gray, on the stack`;
  const order = edge.kind === "forward" ? "after" : "before";
  return `${head} is ${colorOf(edge.to, step)} and was discovered ${order} ${tail}`;
}

function grayVertices(step) {
  const grays = [...vertices.keys()].filter((i) => colorOf(i, step) === "gray");
  return grays.sort((one, other) => discoveries[one].time - discoveries[other].time);
}

const countEach = (values, items) => values.map((value) => items.filter((item) => item === value).length);

const legendOf = (kind) =>
  legendEntry("0 0 0.6 0.25", svgElement("path", { class: `edge ${kind}`, d: "M0 0.12H0.6" }), kind);

const picture = new GraphPicture();
const bars = new TimeBars();
const [facts, setFacts] = makeFacts(["time", ...COLORS, ...EDGE_KINDS]);
const [list, setStack] = makeStackList("stack of gray vertices, innermost first");
const parentheses = htmlElement("p", { class: "parentheses" });
const titled = (title, ...parts) => htmlElement("section", {}, htmlElement("h2", {}, title), ...parts);
const besides = (...parts) => htmlElement("div", { class: "beside" }, ...parts);
const legend = htmlElement("p", { class: "legend" }, ...EDGE_KINDS.map(legendOf));
document.getElementById("view").append(
  besides(
    htmlElement("div", { class: "picture" }, picture.element, legend),
    htmlElement(
      "div",
      { class: "facts" },
      besides(titled("Counts", facts), titled("Stack", list)),
      titled("Times as parentheses", bars.element, parentheses),
    ),
  ),
);

function showStep(step) {
  const sentence = describe(step);
  const time = steps.slice(0, step).filter(([what]) => what !== "edge").length;
  const colors = vertices.map((_, i) => colorOf(i, step));
  const kinds = edges.filter((_, i) => isExamined(i, step)).map((edge) => edge.kind);
  picture.show(step, sentence);
  bars.show(step, time);
  setStack(grayVertices(step).map((i) => vertices[i].name));
  setFacts(time, ...countEach(COLORS, colors), ...countEach(EDGE_KINDS, kinds));
  parentheses.textContent = parenthesesAt(step);
  return sentence;
}

startReplay(steps.length, showStep, { plays: true, rate: 2 });
