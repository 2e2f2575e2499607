// A run of a model: cycles through all squares are joined until one is left.
const CYCLE_COLORS = 5; // in the style sheet
const MAX_STEPS_PER_FRAME = 20;

// Return a color number for each line of each frame: a line keeps the color of the previous line
// with which it shares the most squares.
function colorFrames(frames) {
  let colorOfSquare = new Map(); // in the frame before
  let unused = 0; // the next new color
  return frames.map((lines) => {
    const colors = [];
    const longestFirst = [...lines.keys()].sort((one, other) => lines[other].length - lines[one].length);
    for (const i of longestFirst) {
      const candidates = lines[i].map((square) => colorOfSquare.get(square));
      const free = candidates.filter((color) => color !== undefined && !colors.includes(color));
      colors[i] = mostFrequent(free) ?? unused;
      if (colors[i] === unused) unused += 1;
    }
    colorOfSquare = new Map(lines.flatMap((line, i) => line.map((square) => [square, colors[i]])));
    return colors;
  });
}

// Return the most frequent item, the first of several, or undefined if there are no items.
function mostFrequent(items) {
  const counts = new Map();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...counts.keys()].find((item) => counts.get(item) === most);
}

// Return a run as `makeSearchRun` does. Each frame lasts several steps, so that it is visible beside
// a search.
function makeModelRun(run, page) {
  const { shape } = page;
  const { frames } = run;
  const colors = colorFrames(frames);
  const fair = Math.max(1, Math.ceil(page.longestSearch / frames.length));
  const stepsPerFrame = Math.min(MAX_STEPS_PER_FRAME, fair);
  const [heading, setCounter] = makeHeading(run.name, "backtracks");
  setCounter(0);
  const { svg, clipped } = shape.makeSquares();
  const cycles = svgElement("g");
  clipped.append(cycles);
  const ending = htmlElement("p", { class: "ending" });

  function drawFrame(index) {
    const isLast = index === frames.length - 1;
    const paths = frames[index].map((line, i) => {
      const color = isLast ? "tour" : colors[index][i] % CYCLE_COLORS;
      return svgElement("path", { class: `joined cycle-${color}`, d: pathThrough(shape, line) });
    });
    cycles.replaceChildren(...paths);
  }

  function describe(index) {
    if (index < 0) return "states that every square has a move in and a move out.";
    const count = frames[index].length;
    if (count > 1) return `${count} cycles through all squares.`;
    return index === frames.length - 1 ? "one tour." : "1 cycle through all squares.";
  }

  function show(step) {
    const index = Math.min(frames.length - 1, Math.floor(step / stepsPerFrame) - 1);
    const isOver = index === frames.length - 1;
    if (index < 0) cycles.replaceChildren();
    else drawFrame(index);
    const sentence = describe(index);
    svg.setAttribute("aria-label", `board ${shape.rows}x${shape.columns}, ${run.name}: ${sentence}`);
    ending.textContent = isOver ? run.ending : sentence;
    return page.statusOf(run, sentence, isOver);
  }

  const explanation =
    "The model does not go from square to square. Every square has two moves; the cycles that they make are joined.";
  const details = [htmlElement("summary", {}, "What is this?"), htmlElement("p", {}, explanation)];
  const element = makeRunSection(run.name, heading, svg, ending, details);
  return { element, length: stepsPerFrame * frames.length, deadEnds: [], show };
}
