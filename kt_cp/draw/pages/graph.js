// The page that replays depth-first search of a graph, with its times as nested bars and parentheses.
const data = readData();
const { vertices, edges, steps } = data;
const COLORS = ["white", "gray", "black"];

// A search. A step is [what, index, time]: it discovers or finishes a vertex, or examines an edge.
// Steps are numbered from 1; step 0 is before the search.
class GraphSearch {
  constructor(vertices, edges, steps) {
    this.vertices = vertices;
    this.edges = edges;
    this.discoveries = vertices.map(() => null); // the step and time of each vertex
    this.finishes = vertices.map(() => null);
    this.examinedAt = edges.map(() => Infinity); // the step of each edge
    steps.forEach(([what, index, time], i) => {
      if (what === "discover") this.discoveries[index] = { step: i + 1, time };
      else if (what === "finish") this.finishes[index] = { step: i + 1, time };
      else this.examinedAt[index] = i + 1;
    });
  }

  isExamined(edge, step) {
    return this.examinedAt[edge] <= step;
  }

  colorOf(vertex, step) {
    if (step < this.discoveries[vertex].step) return "white";
    return step < this.finishes[vertex].step ? "gray" : "black";
  }

  // Return the discovery and finish time, as they are written beside a vertex.
  timesOf(vertex) {
    return `${this.discoveries[vertex].time}/${this.finishes[vertex].time}`;
  }
}

// The times as nested bars: each vertex from its discovery to its finish, below its parent.
class TimeBars {
  constructor(search) {
    this.search = search;
    const { vertices } = search;
    const lastTime = 2 * vertices.length;
    const depth = Math.max(...vertices.map((vertex) => vertex.depth)) + 1;
    const svg = svgElement("svg", { viewBox: `0 -0.2 ${lastTime + 1} ${depth + 1.4}`, role: "img" });
    svg.setAttribute("aria-label", "discovery and finish times as nested bars");
    svg.style.minWidth = `${Math.min(lastTime, 60) * 0.9}rem`;
    svg.style.maxWidth = `${lastTime * 2.4}rem`;
    for (let time = 1; time <= lastTime; time++)
      svg.append(svgElement("text", { class: "tick", x: time, y: depth + 0.7 }, String(time)));
    this.bars = vertices.map((vertex, i) => {
      const x = search.discoveries[i].time - 0.4;
      return svgElement("rect", { class: "bar", x, y: vertex.depth + 0.08, height: 0.8, rx: 0.15 });
    });
    this.labels = vertices.map((vertex, i) => {
      const x = search.discoveries[i].time;
      return svgElement("text", { class: "bar-label", x, y: vertex.depth + 0.7 }, vertex.name);
    });
    svg.append(...this.bars, ...this.labels);
    this.element = htmlElement("div", { class: "times-picture", tabindex: "0" }, svg);
  }

  show(step, time) {
    const { search } = this;
    search.vertices.forEach((_, i) => {
      const color = search.colorOf(i, step);
      for (const part of [this.bars[i], this.labels[i]]) {
        part.style.display = color === "white" ? "none" : "";
        part.classList.toggle("closed", color === "black");
      }
      const length = Math.min(time, search.finishes[i].time) - search.discoveries[i].time;
      this.bars[i].setAttribute("width", Math.max(0, length) + 0.8);
    });
  }
}

const search = new GraphSearch(vertices, edges, steps);

// Return the times as parentheses: (a (b b) a).
function parenthesesAt(step) {
  const words = steps.slice(0, step).map(([what, index]) => {
    if (what === "edge") return "";
    const { name } = vertices[index];
    return what === "discover" ? `(${name} ` : `${name}) `;
  });
  return words.join("").trim() || "–";
}

// Return a sentence on what a step does.
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
  return `${head} is ${search.colorOf(edge.to, step)} and was discovered ${order} ${tail}`;
}

// Return the gray vertices, in the order of their discovery.
function grayVertices(step) {
  const grays = [...vertices.keys()].filter((i) => search.colorOf(i, step) === "gray");
  return grays.sort((one, other) => search.discoveries[one].time - search.discoveries[other].time);
}

// Return how often each of some values occurs among items.
const countEach = (values, items) => values.map((value) => items.filter((item) => item === value).length);

const legendOf = (kind) =>
  legendEntry("0 0 0.6 0.25", svgElement("path", { class: `edge ${kind}`, d: "M0 0.12H0.6" }), kind);

const picture = new GraphPicture(search);
const bars = new TimeBars(search);
const [facts, setFacts] = makeFacts(["time", ...COLORS, ...EDGE_KINDS]);
const [list, setStack] = makeStackList("stack of gray vertices, innermost first");
const parentheses = htmlElement("p", { class: "parentheses" });
const side = htmlElement("div", { class: "facts" }, facts, htmlElement("h3", {}, "Stack"), list);
document.getElementById("view").append(
  htmlElement("div", { class: "beside" }, htmlElement("div", { class: "picture" }, picture.element), side),
  htmlElement("p", { class: "legend" }, ...EDGE_KINDS.map(legendOf)),
  htmlElement("h3", {}, "Times as parentheses"),
  bars.element,
  parentheses,
);

function showStep(step) {
  const sentence = describe(step);
  const time = steps.slice(0, step).filter(([what]) => what !== "edge").length;
  const colors = vertices.map((_, i) => search.colorOf(i, step));
  const kinds = edges.filter((_, i) => search.isExamined(i, step)).map((edge) => edge.kind);
  picture.show(step, sentence);
  bars.show(step, time);
  setStack(grayVertices(step).map((i) => vertices[i].name));
  setFacts(time, ...countEach(COLORS, colors), ...countEach(EDGE_KINDS, kinds));
  parentheses.textContent = parenthesesAt(step);
  return sentence;
}

startPlayer(steps.length, showStep, { plays: true, rate: 2 });
