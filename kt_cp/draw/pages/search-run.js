// A run of a search, or of a tour, which is a search that never backtracks.
// An event is a visit, stored as the square, or a backtrack, stored as ~square.

// A search after some of its events. Every event can be undone, so that any step can be reached from
// any other.
class SearchState {
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

  // The square from which the search has just backtracked, or null.
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
function deadEndsOf(events) {
  const isDeadEnd = (event, i) => event < 0 && events[i - 1] >= 0;
  return events.flatMap((event, i) => (isDeadEnd(event, i) ? [i] : []));
}

// How runs are described. The large number counts what `counted` says; `factsOf` has a value for each
// of `factNames`; the list of the squares on the path is titled and named.
const SEARCH = {
  counted: "backtracks",
  countOf: (state) => state.backtracks,
  factNames: ["calls", "backtracks", "depth"],
  factsOf: (state) => [state.visits, state.backtracks, state.stack.length],
  listTitle: "Stack",
  listName: "stack",
  sentenceOf(state, nameOf) {
    const count = state.stack.length === 1 ? "1 square" : `${state.stack.length} squares`;
    if (state.backtrackedFrom === null) return `visits ${nameOf(state.stack.at(-1))}, ${count} on the path.`;
    return `backtracks from ${nameOf(state.backtrackedFrom)}, ${count} on the path.`;
  },
};
const TOUR = {
  counted: "squares",
  countOf: (state) => state.visits,
  factNames: ["visited", "left"],
  factsOf: (state) => [state.visits, state.events.length - state.visits],
  listTitle: "Path",
  listName: "squares",
  sentenceOf: (state, nameOf) => `${nameOf(state.stack.at(-1))} is visited.`,
};

// Return a run: its element, its length, its dead ends, and `show(step)`, which shows a step and
// returns a sentence about it. `replay` is the `ReplayPage` of all runs.
function makeSearchRun(run, replay) {
  const { shape, tour } = replay;
  const description = tour ? TOUR : SEARCH;
  const firstStep = tour ? tour.first : 1;
  const state = new SearchState(run.events);
  const board = new PathBoard(shape, replay.glyph, run.name, firstStep);
  const [heading, setCounter] = makeHeading(run.name, description.counted);
  const [facts, setFacts] = makeFacts(description.factNames);
  const [list, setStack] = makeStackList(`${description.listName} of ${run.name}, latest first`, firstStep);
  const ending = htmlElement("p", { class: "ending" });

  function describe() {
    return state.step === 0 ? "no square is visited yet." : description.sentenceOf(state, shape.nameOf);
  }

  function show(step) {
    state.goTo(Math.min(step, run.events.length));
    const sentence = describe();
    const isClosed = state.isOver && run.found && replay.closed;
    board.show(state.stack, state.backtrackedFrom, isClosed, sentence);
    setCounter(description.countOf(state));
    setFacts(...description.factsOf(state));
    setStack(state.stack.map(shape.nameOf));
    ending.textContent = state.isOver ? run.ending : "";
    return replay.statusOf(run, sentence, state.isOver);
  }

  const details = [htmlElement("summary", {}, description.listTitle), facts, list];
  const element = makeRunSection(run.name, heading, board.element, ending, details);
  return { element, length: run.events.length, deadEnds: deadEndsOf(run.events), show };
}
