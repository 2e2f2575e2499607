// A graph in place of the board. Its vertices are buttons, which move when their positions change.
const GRAPH_SIDE = 100; // of the picture
const GRAPH_MARGIN = 8;
const MOVE_TIME = 900; // milliseconds
let graphView = null;

// Send an event of an element to the Python side of the page.
const sendToPython = (element, name, detail) => element.dispatchEvent(new CustomEvent(name, { detail }));

// Show a graph, or with null the board again.
function showGraph(graph) {
  document.body.classList.toggle("graph", graph !== null);
  const key = graph && JSON.stringify([graph.names, graph.edges, graph.directed]);
  if (graphView && graphView.key !== key) {
    graphView.element.remove();
    graphView = null;
  }
  if (graph === null) return;
  if (graphView === null) {
    graphView = new GraphView(graph, key);
    document.querySelector(".graph-board").append(graphView.element);
  }
  graphView.show(graph);
}

class GraphView {
  // `key` is the same for graphs with the same vertices and edges.
  constructor({ names, edges, directed }, key) {
    this.key = key;
    this.edges = edges;
    this.radius = Math.min(4, 1.2 + 40 / names.length); // of a vertex: smaller if there are many
    this.lines = edges.map(() => svgElement("path", { class: "graph-edge" }));
    this.vertices = names.map((name, vertex) => this.makeVertex(name, vertex));
    this.points = null; // where the vertices are drawn now
    this.motionCount = 0; // of motions that have begun
    this.indexOfEdge = new Map();
    edges.forEach(([one, other], i) => {
      this.indexOfEdge.set(`${one} ${other}`, i);
      if (!directed) this.indexOfEdge.set(`${other} ${one}`, i);
    });
    const kind = directed ? "directed" : "undirected";
    const viewBox = `0 0 ${GRAPH_SIDE} ${GRAPH_SIDE}`;
    this.element = svgElement("svg", { class: kind, viewBox, role: "group", "aria-label": "Graph" });
    if (directed) this.element.append(makeArrowHead(this.radius));
    this.element.append(...this.lines, ...this.vertices);
  }

  makeVertex(name, vertex) {
    const text = svgElement("text", { y: 0.35 * this.radius }, name);
    text.style.fontSize = `${Math.min(this.radius, (2.6 * this.radius) / name.length)}px`;
    const attributes = { class: "vertex", role: "button", tabindex: "0", "data-vertex": vertex };
    const group = svgElement("g", attributes, svgElement("circle", { r: this.radius }), text);
    const tap = () => sendToPython(document.querySelector(".graph-board"), "tapped", { vertex });
    group.addEventListener("click", tap);
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      tap();
    });
    return group;
  }

  // Show the path of the graph, and move the vertices to their positions.
  show(graph) {
    const { path } = graph;
    const moves = path.slice(1).map((vertex, i) => [path[i], vertex]);
    if (graph.closes) moves.push([path.at(-1), path[0]]);
    const onPath = new Set(moves.map(([from, to]) => this.indexOfEdge.get(`${from} ${to}`)));
    this.lines.forEach((line, i) => line.classList.toggle("on-path", onPath.has(i)));
    this.vertices.forEach((vertex, i) => {
      vertex.setAttribute("aria-label", graph.labels[i]);
      vertex.classList.toggle("visited", path.includes(i));
      vertex.classList.toggle("start", path[0] === i);
      vertex.classList.toggle("next", graph.next.includes(i));
    });
    const inPicture = (coordinate) => GRAPH_MARGIN + coordinate * (GRAPH_SIDE - 2 * GRAPH_MARGIN);
    const targets = graph.points.map(([x, y]) => [inPicture(x), inPicture(y)]);
    if (JSON.stringify(targets) !== JSON.stringify(this.points)) this.moveTo(targets);
  }

  // Move the vertices to other points, at once where motion is not wanted or they are new.
  moveTo(targets) {
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.motionCount += 1; // which ends the motion before
    if (this.points === null || isStill) this.draw(targets);
    else this.animate(this.points, targets);
  }

  animate(starts, targets) {
    const motion = this.motionCount;
    const began = performance.now();
    const drawFrame = (now) => {
      if (motion !== this.motionCount) return; // another motion has begun
      const time = Math.min(1, Math.max(0, now - began) / MOVE_TIME);
      const share = time * time * (3 - 2 * time); // of the way, slow at both ends
      this.draw(starts.map((start, i) => pointBetween(start, targets[i], share)));
      if (time < 1) requestAnimationFrame(drawFrame);
    };
    requestAnimationFrame(drawFrame);
  }

  draw(points) {
    this.points = points;
    this.edges.forEach(([one, other], i) => this.lines[i].setAttribute("d", this.lineBetween(points[one], points[other])));
    this.vertices.forEach((vertex, i) => vertex.setAttribute("transform", `translate(${points[i].join(" ")})`));
  }

  // A line from the rim of a vertex to the rim of another.
  lineBetween(start, end) {
    const distance = Math.hypot(end[0] - start[0], end[1] - start[1]);
    const share = this.radius / Math.max(distance, 2 * this.radius);
    const [first, last] = [pointBetween(start, end, share), pointBetween(end, start, share)];
    return `M${first.join(" ")}L${last.join(" ")}`;
  }
}

// The point at a share of the way from one point to another.
const pointBetween = ([x, y], [toX, toY], share) => [x + (toX - x) * share, y + (toY - y) * share];

function makeArrowHead(radius) {
  const box = { viewBox: "0 0 10 10", refX: 10, refY: 5, orient: "auto" };
  const size = { markerWidth: radius, markerHeight: radius, markerUnits: "userSpaceOnUse" };
  const head = svgElement("path", { d: "M0 0L10 5L0 10z" });
  return svgElement("defs", {}, svgElement("marker", { id: "arrow-head", ...box, ...size }, head));
}
