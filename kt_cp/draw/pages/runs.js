// @ts-check
// A run of a search, or of a tour, which is a search that never backtracks.
// An event is a visit, stored as the square, or a backtrack, stored as ~square.

// A search after some of its events. Every event can be undone.
export class SearchState {
  constructor(events) {
    this.events = events;
    this.step = 0; // the number of events until now
    this.stack = [];
    this.visits = 0;
    this.backtracks = 0;
  }

  goTo(step) {
    for (; this.step < step; this.step++) this.apply(this.events[this.step]);
    for (; this.step > step; this.step--) this.undo(this.events[this.step - 1]);
  }

  apply(event) {
    if (event >= 0) {
      this.stack.push(event);
      this.visits += 1;
    } else {
      this.stack.pop();
      this.backtracks += 1;
    }
  }

  undo(event) {
    if (event >= 0) {
      this.stack.pop();
      this.visits -= 1;
    } else {
      this.stack.push(~event);
      this.backtracks -= 1;
    }
  }

  get backtrackedFrom() {
    const event = this.events[this.step - 1] ?? 0;
    return event < 0 ? ~event : null;
  }

  get isOver() {
    return this.step === this.events.length;
  }
}

// Return the dead ends of a search: the steps that visit a square from which the next one backtracks.
// Event i is step i + 1, so the visit before a backtrack i is step i.
export function deadEndsOf(events) {
  const isDeadEnd = (event, i) => event < 0 && events[i - 1] >= 0;
  return events.flatMap((event, i) => (isDeadEnd(event, i) ? [i] : []));
}

// Return a color number for each line of each frame: a line keeps the color of the previous line
// with which it shares the most squares.
export function colorFrames(frames) {
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
