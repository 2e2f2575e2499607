// A certificate, step by step: what each one settles, removes or pulls apart.
const data = readData();
const { edges, steps } = data;
const { rowOf, columnOf, begin, wayTo, makeSquares } = makeBoardShape(data);

const cornerOf = (square) => [columnOf(square) + 0.5, rowOf(square) + 0.5];

// An edge to the depot, whose id is that of no square, says whether a square is an end.
function makeEdge([one, other]) {
  if (other >= data.rows * data.columns) {
    const [cx, cy] = cornerOf(one);
    return svgElement("circle", { cx, cy, r: 0.3 });
  }
  return svgElement("path", { d: begin(one) + wayTo(one, other) });
}

function makeProof() {
  const { svg, cells, over } = makeSquares();
  const lines = edges.map(makeEdge);
  over.append(...lines);
  const names = { "+": "settled", "-": "unused", ".": "possible" };

  function show(step) {
    const { settled, tried, removed, groups } = steps[step];
    const before = steps[Math.max(0, step - 1)].settled;
    lines.forEach((line, i) => {
      const depot = line.tagName === "circle" ? "end" : "";
      const [sign, how] =
        settled[i] !== before[i] ? [settled[i], "fresh"] : tried[i] !== "." ? [tried[i], "tried"] : [settled[i], ""];
      line.setAttribute("class", `edge ${depot} ${names[sign]} ${how}`);
    });
    const classes = new Map(removed.map((square) => [square, "removed"]));
    groups.forEach((group, i) => group.forEach((square) => classes.set(square, `group-${i % 5}`)));
    cells.forEach((cell, square) => {
      const shade = (data.rows - 1 - rowOf(square) + columnOf(square)) % 2 ? "light" : "dark";
      cell.setAttribute("class", `square ${classes.get(square) ?? shade}`);
    });
  }
  return { svg, show };
}

const proof = makeProof();
const told = htmlElement("ol", { class: "stack proof", "aria-label": "steps of the proof", tabindex: "0" });
const key = (name, text) =>
  legendEntry("0 0 2 1", svgElement("path", { class: name, d: "M0 .5H2" }), text);
const patch = (name, text) =>
  legendEntry("0 0 2 1", svgElement("rect", { class: name, x: 0.5, width: 1, height: 1 }), text);
const legend = htmlElement(
  "p",
  { class: "legend" },
  key("edge possible", "may be used"),
  key("edge settled", "must be used"),
  key("edge unused", "cannot be used"),
  key("edge settled tried", "derived up to a contradiction"),
  patch("square removed", "removed or short of moves"),
);
document.getElementById("view").append(
  htmlElement("div", { class: "beside" }, htmlElement("div", { class: "picture" }, proof.svg), htmlElement("div", { class: "facts wide" }, told)),
  legend,
);
startPlayer(steps.length - 1, (step) => {
  proof.show(step);
  const sentence = steps[step].text;
  proof.svg.setAttribute("aria-label", `board ${data.rows}x${data.columns}: ${sentence}`);
  const recent = steps.slice(Math.max(1, step - 39), step + 1);
  const items = recent.map(({ text }, i) => htmlElement("li", {}, `${step - recent.length + i + 1}. ${text}`));
  told.replaceChildren(...items.reverse());
  return sentence;
});
