// A puzzle to be played: numbers are clicked or typed, checked, hinted at, and solved.
const { count, exact, solution, hints } = data;
const given = new Map(data.givens);
const holes = new Set(data.holes);
const steps = new Map(given); // by square
const right = new Map(solution.map((square, i) => [square, i + 1]));
const past = [];
let last = 0; // the number that was written last
let typed = "";

const { svg, cells, over } = makeSquares();
const edge = (name) => ([a, b]) => make("path", { class: `edge ${name}`, d: begin(a) + wayTo(a, b) });
const line = make("path", { class: "path" });
over.append(...data.moves.map(edge("settled")), ...data.forbidden.map(edge("unused")), line);
const texts = cells.map((_, square) =>
  make("text", { class: "entry", x: columnOf(square) + 0.5, y: rowOf(square) + 0.64 }),
);
svg.append(...texts);
svg.setAttribute("role", "group");
svg.setAttribute("aria-label", `board ${data.rows}x${data.columns}`);

const find = (id) => document.getElementById(id);
const say = (text) => (find("status").textContent = text);

function show() {
  const places = [];
  cells.forEach((cell, square) => {
    const step = steps.get(square);
    const told = [nameOf(square), step ? `step ${step}` : "empty", ...(given.has(square) ? ["given"] : [])];
    cell.setAttribute("aria-label", told.join(", "));
    texts[square].textContent = step ?? "";
    texts[square].setAttribute("class", `entry${given.has(square) ? " given" : ""}`);
    if (step) places[step] = square;
  });
  if (data.closed) places[count + 1] = places[1];
  const parts = places.map((square, i) =>
    i > 1 && square !== undefined && places[i - 1] !== undefined ? begin(places[i - 1]) + wayTo(places[i - 1], square) : "",
  );
  line.setAttribute("d", parts.join(""));
  find("undo").disabled = past.length === 0;
}

function put(square, step) {
  if (step) steps.set(square, step);
  else steps.delete(square);
  show();
}

function write(square, step) {
  if (given.has(square) || holes.has(square) || step > count) return;
  past.push([square, steps.get(square)]);
  put(square, step);
  last = step || last;
  if (steps.size === count && wrong().length === 0) say("Solved: every number is right.");
  else say(step ? `${step} on ${nameOf(square)}` : `${nameOf(square)} is empty`);
}

function following() {
  const used = new Set(steps.values());
  for (let i = 0; i < count; i++) if (!used.has(((last + i) % count) + 1)) return ((last + i) % count) + 1;
  return 0;
}

// Without a number given, a closed tour may begin anywhere and run in either direction.
function wrong() {
  if (exact) return [...steps].filter(([square, step]) => right.get(square) !== step);
  const at = new Map([...steps].map(([square, step]) => [step, square]));
  const beside = (one, other) => [1, count - 1].includes(Math.abs(right.get(one) - right.get(other)));
  return [...steps].filter(([square, step]) => {
    const next = at.get((step % count) + 1);
    return at.get(step) !== square || (next !== undefined && !beside(square, next));
  });
}

function check() {
  const faults = wrong();
  for (const [square] of faults) texts[square].classList.add("fault");
  const left = count - steps.size;
  if (faults.length) say(`${faults.length} wrong: ${faults.map(([square]) => nameOf(square)).join(", ")}`);
  else say(left ? `All right so far, ${left} to go.` : "Solved: every number is right.");
}

function hint() {
  if (exact && wrong().length) return check();
  const told = hints.find(([square]) => !steps.has(square));
  const square = solution.find((each) => !steps.has(each));
  if (told) say(told[1]);
  else say(square === undefined ? "Every square has its number." : `${right.get(square)} is on ${nameOf(square)}.`);
}

function focus(square) {
  for (const cell of cells) cell.setAttribute("tabindex", "-1");
  cells[square].setAttribute("tabindex", "0");
  cells[square].focus();
}

cells.forEach((cell, square) => {
  cell.setAttribute("role", "button");
  cell.setAttribute("tabindex", "-1");
  cell.addEventListener("focus", () => (typed = ""));
  cell.addEventListener("click", () => {
    focus(square);
    write(square, steps.has(square) ? 0 : following());
  });
  cell.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    let to = squareAfter(event.key, square, data.rows, data.columns);
    if (to !== null) {
      for (let before = square; holes.has(to) && to !== before; )
        [before, to] = [to, squareAfter(event.key, to, data.rows, data.columns)];
      if (!holes.has(to)) focus(to);
    } else if (event.key === "Enter" || event.key === " ") cell.dispatchEvent(new Event("click"));
    else if (/^[0-9]$/.test(event.key)) write(square, Number((typed = (typed + event.key).slice(-4))));
    else if (event.key === "Delete" || event.key === "Backspace") write(square, 0);
    else return;
    event.preventDefault();
  });
});

find("check").onclick = check;
find("hint").onclick = hint;
find("undo").onclick = () => past.length && put(...past.pop());
find("clear").onclick = () => [...steps.keys()].forEach((square) => given.has(square) || write(square, 0));
find("solution").onclick = () => solution.forEach((square, i) => steps.get(square) !== i + 1 && write(square, i + 1));
find("view").append(html("div", { class: "picture puzzle" }, svg));
cells.find((_, square) => !holes.has(square)).setAttribute("tabindex", "0");
show();
