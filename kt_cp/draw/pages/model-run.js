// A run of a model: cycles through all squares are joined until one is left.
const CYCLE_COLORS = 5; // in the style sheet
const MAX_STEPS_PER_FRAME = 20;

// Return a color number for each line of each frame: a line keeps the color of the previous line
// with which it shares the most squares.
function colorFrames(frames) {
  let colorOfSquare = new Map(); // in the frame before
  let nextColor = 0;
  return frames.map((lines) => {
    const colors = [];
    const longestFirst = [...lines.keys()].sort((one, other) => lines[other].length - lines[one].length);
    for (const i of longestFirst) {
      const candidates = lines[i].map((square) => colorOfSquare.get(square));
      const free = candidates.filter((color) => color !== undefined && !colors.includes(color));
      colors[i] = mostFrequent(free) ?? nextColor++;
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

// Return a run as `makeSearchRun` does.
function makeModelRun(run, replay) {
  const { shape } = replay;
  const { frames } = run;
  const colors = colorFrames(frames);
  // Beside a search, each frame lasts several steps, so that it is visible.
  const stepsToFillTheSearch = Math.max(1, Math.ceil(replay.longestSearch / frames.length));
  const stepsPerFrame = Math.min(MAX_STEPS_PER_FRAME, stepsToFillTheSearch);
  const [heading, setCounter] = makeHeading(run.name, "backtracks");
  setCounter(0); // a model never backtracks: this stands beside the number of the search
  const { svg, clipped } = shape.makeBoardElement();
  const cycles = svgElement("g");
  clipped.append(cycles);
  const ending = htmlElement("p", { class: "ending" });

  // Whether a frame shows a tour: a run that was stopped may end with several cycles.
  function isTour(index) {
    return index === frames.length - 1 && frames[index].length === 1;
  }

  function drawFrame(index) {
    const paths = frames[index].map((line, i) => {
      const color = isTour(index) ? "tour" : colors[index][i] % CYCLE_COLORS;
      return svgElement("path", { class: `joined cycle-${color}`, d: pathThrough(shape, line) });
    });
    cycles.replaceChildren(...paths);
  }

  function describe(index) {
    if (index < 0) return "states that every square has a move in and a move out.";
    if (isTour(index)) return "one tour.";
    const count = frames[index].length;
    return count === 1 ? "1 cycle through all squares." : `${count} cycles through all squares.`;
  }

  function show(step) {
    const index = Math.min(frames.length - 1, Math.floor(step / stepsPerFrame) - 1);
    const isOver = index === frames.length - 1;
    if (index < 0) cycles.replaceChildren();
    else drawFrame(index);
    const sentence = describe(index);
    svg.setAttribute("aria-label", `board ${shape.rows}x${shape.columns}, ${run.name}: ${sentence}`);
    ending.textContent = isOver ? run.ending : sentence;
    return replay.statusOf(run, sentence, isOver);
  }

  const explanation =
    "The model does not go from square to square. Every square has two moves; the cycles that they make are joined.";
  const details = [htmlElement("summary", {}, "What is this?"), htmlElement("p", {}, explanation)];
  const element = makeRunSection(run.name, heading, svg, ending, details);
  return { element, length: stepsPerFrame * frames.length, deadEnds: [], show };
}
