// The picture of a graph during depth-first search: the colors of its vertices, and the kinds of the
// edges that are examined.
const EDGE_KINDS = ["tree", "back", "forward", "cross"];
const VERTEX_RADIUS = 0.28;
const HEAD_LENGTH = 0.08; // the room for the head of an arrow
const BEND_FACTORS = [1, -1, 1.6, -1.6, 2.3, -2.3]; // of the usual bend; negative ones are on the other side
const CURVE_STEPS = 24; // in which a curve is measured
const CLEARANCE = 1.25 * VERTEX_RADIUS;
const BASELINE = 0.065; // of a small text, below its middle

// Return the curve of an edge, as the points of a Bezier curve: tree edges are straight, other edges
// are bent clear of the other vertices, and loops are round.
function curveOf(edge, vertices) {
  const [tail, head] = [vertices[edge.from], vertices[edge.to]];
  if (tail === head) return loopAt(tail);
  const others = vertices.filter((vertex) => vertex !== tail && vertex !== head);
  const bend = bendOf(edge.kind, Math.hypot(head.x - tail.x, head.y - tail.y));
  const curves = BEND_FACTORS.map((factor) => bentCurve(tail, head, factor * bend));
  return curves.find((curve) => isClear(curve, others)) ?? curves[0];
}

// Return the curve between two vertices whose control point is `bend` from the middle.
function bentCurve(tail, head, bend) {
  const [dx, dy] = [head.x - tail.x, head.y - tail.y];
  const length = Math.hypot(dx, dy);
  const [middleX, middleY] = [(tail.x + head.x) / 2, (tail.y + head.y) / 2];
  const control = [middleX - (bend * dy) / length, middleY + (bend * dx) / length];
  const start = pointTowards([tail.x, tail.y], control, VERTEX_RADIUS);
  const end = pointTowards([head.x, head.y], control, VERTEX_RADIUS + HEAD_LENGTH);
  return [start, control, end];
}

// Tell whether a bent curve keeps clear of vertices.
function isClear([start, control, end], vertices) {
  for (let step = 1; step < CURVE_STEPS; step++) {
    const share = step / CURVE_STEPS;
    const at = [0, 1].map(
      (axis) => (1 - share) ** 2 * start[axis] + 2 * share * (1 - share) * control[axis] + share ** 2 * end[axis],
    );
    if (vertices.some(({ x, y }) => Math.hypot(x - at[0], y - at[1]) < CLEARANCE)) return false;
  }
  return true;
}

// Return a round curve at the left of a vertex, from its upper to its lower half.
function loopAt({ x, y }) {
  const [reach, rise, gap] = [0.5, 0.45, 0.12]; // of the loop: its width, half its height, half its opening
  const left = x - VERTEX_RADIUS;
  const [start, end] = [[left + 0.03, y - gap], [left - 0.03, y + gap]]; // the end is the head of the arrow
  return [start, [left - reach, y - rise], [left - reach, y + rise], end];
}

// Return how far the control point of an edge is from its middle: to one side or, if negative, to
// the other.
function bendOf(kind, length) {
  if (kind === "tree") return 0;
  return kind === "cross" ? -0.25 - 0.08 * length : 0.35 + 0.3 * length;
}

// Return the point at a distance from one point towards another.
function pointTowards([x, y], [toX, toY], distance) {
  const share = distance / Math.hypot(toX - x, toY - y);
  return [x + (toX - x) * share, y + (toY - y) * share];
}

function svgCurve([start, ...others]) {
  const command = others.length === 3 ? "C" : "Q";
  return `M${start.join(" ")}${command}${others.map((point) => point.join(" ")).join(" ")}`;
}

// `search` is a `GraphSearch`, which graph.js has.
class GraphPicture {
  constructor(search) {
    const { vertices, edges } = search;
    this.search = search;
    const curves = edges.map((edge) => curveOf(edge, vertices));
    const labels = placeLabels(
      vertices.map(({ x, y }, i) => ({ at: [x, y], text: search.timesOf(i) })),
      edges.map(({ kind }, i) => ({ curve: curves[i], text: kind })),
      VERTEX_RADIUS,
    );
    this.lines = curves.map((curve) => svgElement("path", { d: svgCurve(curve) }));
    this.circles = vertices.map(makeVertex);
    this.edgeLabels = labels.ofEdges.map(([left, top, right, bottom]) =>
      svgElement("text", { class: "edge-label", x: (left + right) / 2, y: (top + bottom) / 2 + BASELINE }),
    );
    this.times = labels.ofVertices.map(([left, top, , bottom]) =>
      svgElement("text", { class: "times", x: left, y: (top + bottom) / 2 + BASELINE }),
    );
    const viewBox = viewBoxAround(vertices, [...labels.ofVertices, ...labels.ofEdges]);
    const heads = svgElement("defs", {}, ...[...EDGE_KINDS, "unseen"].map(makeArrowHead));
    const parts = [...this.lines, ...this.circles, ...this.edgeLabels, ...this.times];
    this.element = svgElement("svg", { viewBox, role: "img" }, heads, ...parts);
  }

  show(step, sentence) {
    this.lines.forEach((_, i) => this.showEdge(i, step));
    this.circles.forEach((_, i) => this.showVertex(i, step));
    this.element.setAttribute("aria-label", `graph of ${this.circles.length} vertices: ${sentence}`);
  }

  showEdge(i, step) {
    const isSeen = this.search.isExamined(i, step);
    const kind = isSeen ? this.search.edges[i].kind : "";
    const now = this.search.examinedAt[i] === step ? "now" : "";
    this.lines[i].setAttribute("class", `edge ${kind} ${now}`);
    this.lines[i].setAttribute("marker-end", `url(#head-${isSeen ? kind : "unseen"})`);
    this.edgeLabels[i].textContent = kind;
  }

  showVertex(i, step) {
    const [discovery, finish] = [this.search.discoveries[i], this.search.finishes[i]];
    const color = this.search.colorOf(i, step);
    const here = discovery.step === step || finish.step === step ? "here" : "";
    this.circles[i].setAttribute("class", `vertex ${color} ${here}`);
    const finishTime = color === "black" ? finish.time : "";
    this.times[i].textContent = color === "white" ? "" : `${discovery.time}/${finishTime}`;
  }
}

function makeVertex({ name, x, y }) {
  const label = svgElement("text", { class: "label", y: 0.085 }, name);
  if (name.length > 2) label.style.fontSize = `${Math.max(0.12, 0.7 / name.length)}px`;
  return svgElement("g", { transform: `translate(${x} ${y})` }, svgElement("circle", { r: VERTEX_RADIUS }), label);
}

function makeArrowHead(kind) {
  const shape = { id: `head-${kind}`, viewBox: "0 0 10 10", refX: 6, refY: 5, orient: "auto" };
  const size = { markerWidth: 0.2, markerHeight: 0.2, markerUnits: "userSpaceOnUse" };
  const triangle = svgElement("path", { d: "M0 0L10 5L0 10z", class: `head ${kind}` });
  return svgElement("marker", { ...shape, ...size }, triangle);
}

// Return the view box around vertices and boxes, with a margin.
function viewBoxAround(vertices, labelBoxes) {
  const margin = 0.1;
  const boxes = [...vertices.map(({ x, y }) => boxAround([x, y], 1.2, 1.2)), ...labelBoxes];
  const left = Math.min(...boxes.map((box) => box[0])) - margin;
  const top = Math.min(...boxes.map((box) => box[1])) - margin;
  const right = Math.max(...boxes.map((box) => box[2])) + margin;
  const bottom = Math.max(...boxes.map((box) => box[3])) + margin;
  return `${left} ${top} ${right - left} ${bottom - top}`;
}
