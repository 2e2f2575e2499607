// A puzzle that is being played: its numbers, pencil marks and history, and nothing that is seen.
// Squares are ids, numbers are steps from 1 to `count`, and 0 stands for no number.
const MAX_HISTORY = 300;

function makeGame(puzzle, shape, word) {
  const { count, closed } = puzzle;
  const clues = new Map(puzzle.givens);
  let state = { numbers: new Map(clues), marks: new Map() };
  let past = [];
  let future = [];

  const copy = ({ numbers, marks }) => ({ numbers: new Map(numbers), marks: new Map(marks) });
  const numberOf = (square) => state.numbers.get(square) ?? 0;
  const marksOf = (square) => state.marks.get(square) ?? [];
  const squaresWith = (number) => [...state.numbers].filter(([, each]) => each === number).map(([square]) => square);
  const isEmpty = (square) => !state.numbers.has(square) && !shape.holes.has(square);
  const isMove = (from, to) => puzzle.neighbors[from].includes(to);
  const describe = (square) => word("number on square", { number: numberOf(square), square: shape.nameOf(square) });

  function change(edit) {
    past.push(copy(state));
    past = past.slice(-MAX_HISTORY);
    future = [];
    edit(state);
  }

  // Write a number, or with 0 erase it; nothing else on the board changes.
  function write(square, number) {
    if (clues.has(square) || shape.holes.has(square) || numberOf(square) === number || number > count) return false;
    change(({ numbers, marks }) => {
      if (number) numbers.set(square, number);
      else numbers.delete(square);
      marks.delete(square);
    });
    return true;
  }

  function toggleMark(square, number) {
    if (!isEmpty(square) || number < 1 || number > count) return false;
    const before = marksOf(square);
    const after = before.includes(number) ? before.filter((each) => each !== number) : [...before, number];
    change(({ marks }) => marks.set(square, after.sort((a, b) => a - b)));
    return true;
  }

  // Erase every number and mark of the player.
  function clear() {
    change((now) => Object.assign(now, { numbers: new Map(clues), marks: new Map() }));
  }

  // Begin anew, with nothing to undo.
  function reset() {
    state = { numbers: new Map(clues), marks: new Map() };
    past = [];
    future = [];
  }

  function fillIn(solution) {
    change(({ numbers }) => solution.forEach((square, i) => numbers.set(square, i + 1)));
  }

  function travel(from, to) {
    if (!from.length) return false;
    to.push(state);
    state = from.pop();
    return true;
  }

  // The number that follows on another by 1 or -1, around a closed tour, or 0.
  function following(number, by) {
    const next = number + by;
    if (next >= 1 && next <= count) return next;
    if (!closed) return 0;
    return next < 1 ? count : 1;
  }

  // Conflicts that are visible without the solution: the squares and the reason.
  function conflicts() {
    const found = [];
    const at = new Map();
    for (const [square, number] of state.numbers) at.set(number, [...(at.get(number) ?? []), square]);
    for (const [number, squares] of at) {
      if (squares.length > 1) {
        const names = squares.map(shape.nameOf);
        const first = joinWords(word, names.slice(0, -1));
        found.push({ squares, why: word("twice", { number, first, last: names.at(-1) }) });
      }
      const next = at.get(following(number, 1));
      if (squares.length === 1 && next?.length === 1 && !isMove(squares[0], next[0])) {
        const why = word("apart", { one: describe(squares[0]), other: describe(next[0]), move: puzzle.move });
        found.push({ squares: [squares[0], next[0]], why });
      }
    }
    const areNeighbors = (one, other) =>
      following(numberOf(one), 1) === numberOf(other) || following(numberOf(other), 1) === numberOf(one);
    const ends = ([one, other]) => ({ one: shape.nameOf(one), other: shape.nameOf(other) });
    const bothNumbered = ([one, other]) => numberOf(one) > 0 && numberOf(other) > 0;
    for (const move of puzzle.moves.filter(bothNumbered))
      if (!areNeighbors(...move))
        found.push({ squares: move, why: word("must join", ends(move)) });
    for (const move of puzzle.forbidden.filter(bothNumbered))
      if (areNeighbors(...move))
        found.push({ squares: move, why: word("must not join", ends(move)) });
    return found;
  }

  // The solution as steps of squares. Where no number is given, a closed tour may begin anywhere
  // and run in either direction: as the numbers of the player fit best.
  function solutionSteps() {
    const { solution } = puzzle;
    const stepsFrom = (order) => new Map(order.map((square, i) => [square, i + 1]));
    if (puzzle.exact) return stepsFrom(solution);
    let best = { fits: -1 };
    for (const order of [solution, [...solution].reverse()])
      for (let first = 0; first < count; first++) {
        const steps = stepsFrom([...order.slice(first), ...order.slice(0, first)]);
        const fits = [...state.numbers].filter(([square, number]) => steps.get(square) === number).length;
        if (fits > best.fits) best = { fits, steps };
      }
    return best.steps;
  }

  function wrongSquares() {
    const steps = solutionSteps();
    return [...state.numbers].filter(([square, number]) => steps.get(square) !== number).map(([square]) => square);
  }

  const isSolved = () => state.numbers.size === count && wrongSquares().length === 0;

  const packed = ({ numbers, marks }) => [[...numbers], [...marks]];
  const unpacked = ([numbers, marks]) => ({ numbers: new Map(numbers), marks: new Map(marks) });
  const save = () => ({ state: packed(state), past: past.map(packed), future: future.map(packed) });
  function load(saved) {
    state = unpacked(saved.state);
    past = saved.past.map(unpacked);
    future = saved.future.map(unpacked);
  }

  return {
    clues, numberOf, marksOf, squaresWith, isEmpty, isMove, describe, write, toggleMark, clear, reset, fillIn,
    following, conflicts, solutionSteps, wrongSquares, isSolved, save, load,
    undo: () => travel(past, future),
    redo: () => travel(future, past),
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,
    numbers: () => state.numbers,
    left: () => count - state.numbers.size,
  };
}
