// A run of a search, or of a tour, which is a search that never backtracks.
// An event is a visit, the square, or a backtrack, ~square.

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
function deadEndsOf(events) {
  const isDeadEnd = (event, i) => event < 0 && events[i - 1] >= 0;
  return events.flatMap((event, i) => (isDeadEnd(event, i) ? [i] : []));
}

// Return a run: its element, its length, its dead ends, and `show(step)`, which shows a step and
// returns a sentence about it. `page` is described in replay.js.
function makeSearchRun(run, page) {
  const { shape, tour } = page;
  const first = tour ? tour.first : 1;
  const state = new SearchState(run.events);
  const board = new PathBoard(shape, page.glyph, run.name, first);
  const [heading, setCounter] = makeHeading(run.name, tour ? "squares" : "backtracks");
  const [facts, setFacts] = makeFacts(tour ? ["visited", "left"] : ["calls", "backtracks", "depth"]);
  const [list, setStack] = makeStackList(`${tour ? "squares" : "stack"} of ${run.name}, latest first`, first);
  const ending = htmlElement("p", { class: "ending" });

  function describe() {
    if (state.step === 0) return "no square is visited yet.";
    const square = state.backtrackedFrom ?? state.stack.at(-1);
    if (tour) return `${shape.nameOf(square)} is visited.`;
    const action = state.backtrackedFrom === null ? "visits" : "backtracks from";
    const count = state.stack.length === 1 ? "1 square" : `${state.stack.length} squares`;
    return `${action} ${shape.nameOf(square)}, ${count} on the path.`;
  }

  function showCounts() {
    if (tour) {
      setCounter(state.visits);
      setFacts(state.visits, run.events.length - state.visits);
    } else {
      setCounter(state.backtracks);
      setFacts(state.visits, state.backtracks, state.stack.length);
    }
  }

  function show(step) {
    state.goTo(Math.min(step, run.events.length));
    const sentence = describe();
    const isClosed = state.isOver && run.found && page.closed;
    board.show(state.stack, state.backtrackedFrom, isClosed, sentence);
    showCounts();
    setStack(state.stack.map(shape.nameOf));
    ending.textContent = state.isOver ? run.ending : "";
    return page.statusOf(run, sentence, state.isOver);
  }

  const details = [htmlElement("summary", {}, tour ? "Path" : "Stack"), facts, list];
  const element = makeRunSection(run.name, heading, board.element, ending, details);
  return { element, length: run.events.length, deadEnds: deadEndsOf(run.events), show };
}
