// A graph in place of the board. Its vertices are buttons, which move when their positions change.
const GRAPH_SIDE = 100; // the side of the picture
const GRAPH_MARGIN = 8;
const MOVE_TIME = 900; // milliseconds
let graphView = null;

// Send an event to the Python side of the page.
const emitFrom = (element, name, detail) => element.dispatchEvent(new CustomEvent(name, { detail }));

// Show a graph, or with null the board again.
function showGraph(graph) {
  document.body.classList.toggle("graph", graph !== null);
  if (graph === null) {
    graphView?.element.remove();
    graphView = null;
    return;
  }
  const key = JSON.stringify([graph.names, graph.edges]);
  if (graphView?.key !== key) {
    graphView?.element.remove();
    graphView = { key, ...makeGraphView(graph) };
    document.querySelector(".graph-board").append(graphView.element);
  }
  graphView.show(graph);
}

function makeGraphView({ names, edges, directed }) {
  const place = (point) => point.map((part) => GRAPH_MARGIN + part * (GRAPH_SIDE - 2 * GRAPH_MARGIN));
  const radius = Math.max(1.2, Math.min(4, 40 / names.length + 1.2));
  const lines = edges.map(() => svgElement("path", { class: "graph-edge" }));
  const vertices = names.map(makeVertex);
  const kind = directed ? "directed" : "undirected";
  const viewBox = `0 0 ${GRAPH_SIDE} ${GRAPH_SIDE}`;
  const svg = svgElement("svg", { class: kind, viewBox, role: "group", "aria-label": "Graph" });
  if (directed) svg.append(makeArrowHead(radius));
  svg.append(...lines, ...vertices);
  const edgeOf = new Map(edges.flatMap(([one, other], i) => keysOf(one, other).map((key) => [key, i])));
  let points = null; // where the vertices are now
  let moves = 0; // how often they have begun to move

  function keysOf(one, other) {
    return directed ? [`${one} ${other}`] : [`${one} ${other}`, `${other} ${one}`];
  }

  function makeVertex(name, vertex) {
    const text = svgElement("text", { y: 0.35 * radius }, name);
    text.style.fontSize = `${Math.min(radius, (2.6 * radius) / name.length)}px`;
    const attributes = { class: "vertex", role: "button", tabindex: "0", "data-vertex": vertex };
    const group = svgElement("g", attributes, svgElement("circle", { r: radius }), text);
    const pick = () => emitFrom(document.querySelector(".graph-board"), "picked", { vertex });
    group.addEventListener("click", pick);
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      pick();
    });
    return group;
  }

  function draw() {
    edges.forEach(([one, other], i) => lines[i].setAttribute("d", lineBetween(points[one], points[other])));
    vertices.forEach((vertex, i) => vertex.setAttribute("transform", `translate(${points[i].join(" ")})`));
  }

  // A line from the rim of a vertex to the rim of another.
  function lineBetween([x, y], [toX, toY]) {
    const [right, down] = [toX - x, toY - y];
    const part = radius / Math.max(Math.hypot(right, down), 2 * radius);
    return `M${x + right * part} ${y + down * part}L${toX - right * part} ${toY - down * part}`;
  }

  function moveTo(targets) {
    const from = points;
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (from === null || isCalm) {
      points = targets;
      return draw();
    }
    const mine = ++moves;
    const began = performance.now();
    const frame = (now) => {
      if (mine !== moves) return; // they move elsewhere since
      const part = Math.min(1, Math.max(0, now - began) / MOVE_TIME);
      const eased = part * part * (3 - 2 * part);
      points = from.map(([x, y], i) => [x + (targets[i][0] - x) * eased, y + (targets[i][1] - y) * eased]);
      draw();
      if (part < 1) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  function show(graph) {
    const { path } = graph;
    const walked = path.slice(1).map((vertex, i) => [path[i], vertex]);
    if (graph.closes) walked.push([path.at(-1), path[0]]);
    const onPath = new Set(walked.map(([one, other]) => edgeOf.get(`${one} ${other}`)));
    lines.forEach((line, i) => line.classList.toggle("on-path", onPath.has(i)));
    vertices.forEach((vertex, i) => {
      vertex.setAttribute("aria-label", graph.labels[i]);
      vertex.classList.toggle("visited", path.includes(i));
      vertex.classList.toggle("start", path[0] === i);
      vertex.classList.toggle("next", graph.next.includes(i));
    });
    const targets = graph.points.map(place);
    if (JSON.stringify(targets) !== JSON.stringify(points)) moveTo(targets);
  }

  return { element: svg, show };
}

function makeArrowHead(radius) {
  const size = { markerWidth: radius, markerHeight: radius, markerUnits: "userSpaceOnUse" };
  const shape = { id: "arrow-head", viewBox: "0 0 10 10", refX: 10, refY: 5, orient: "auto" };
  const marker = svgElement("marker", { ...shape, ...size }, svgElement("path", { d: "M0 0L10 5L0 10z" }));
  return svgElement("defs", {}, marker);
}
