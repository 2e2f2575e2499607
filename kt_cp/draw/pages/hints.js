// A hint: one square, its number, and why. What is known are the numbers on the board, the moves
// that the puzzle gives, and as few as possible of the moves that `kt` deduced, which are the
// premises. From these, counting moves between known numbers tells the number of the square.
//
// Places go around the whole circle of the tour: the step of a square, and for an open tour 0 for
// the outside, which stands between its end and its start. The places at which a node can be are
// the bits of a number, as in kt_cp/puzzles/deduction.py.

function findHint(puzzle, shape, game, word) {
  const known = [...game.numbers()];
  const isNew = ({ square }) => !game.numbers().has(square);
  const placements = (deductions) => countMoves(puzzle, known, deductions).filter(isNew);
  const all = puzzle.deductions;
  if (!placements(all).length) return unexplained(puzzle, shape, game, word);

  let [low, high] = [0, all.length]; // the fewest deductions, from the first on, that suffice
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (placements(all.slice(0, middle)).length) high = middle;
    else low = middle + 1;
  }
  const knownBeside = ({ number }) =>
    [-1, 1].filter((by) => game.squaresWith(game.following(number, by)).length > 0).length;
  const [best] = placements(all.slice(0, low)).sort((a, b) => knownBeside(b) - knownBeside(a));
  const suffices = (deductions) =>
    placements(deductions).some(({ square, number }) => square === best.square && number === best.number);
  const premises = fewest(all.slice(0, low), suffices);
  return { ...best, premises, ...explainHint(best, premises, puzzle, shape, game, word) };
}

// Leave out what is not needed: parts of the list, from its half down to single items.
function fewest(items, suffices) {
  let kept = items;
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let first = 0; first < kept.length; ) {
      const without = [...kept.slice(0, first), ...kept.slice(first + size)];
      if (suffices(without)) kept = without;
      else first += size;
    }
  return kept;
}

// The squares whose number is determined, as { square, number, onlySquare }.
function countMoves(puzzle, known, deductions) {
  const { count, closed } = puzzle;
  const squares = puzzle.solution;
  const outside = puzzle.neighbors.length;
  const nodes = closed ? squares : [...squares, outside];
  const size = nodes.length;
  const near = new Map(squares.map((square) => [square, new Set(puzzle.neighbors[square])]));
  const used = new Map(nodes.map((node) => [node, new Set()]));
  if (!closed) {
    near.set(outside, new Set(squares));
    for (const square of squares) near.get(square).add(outside);
  }
  const decide = ([one, other], isUsed) => {
    for (const [node, beside] of [[one, other], [other, one]])
      if (isUsed) used.get(node).add(beside);
      else near.get(node).delete(beside);
  };
  for (const move of puzzle.moves) decide(move, true);
  for (const move of puzzle.forbidden) decide(move, false);
  for (const { moves, used: areUsed } of deductions) for (const move of moves) decide(move, areUsed);

  const all = (1n << BigInt(size)) - 1n;
  const bit = (place) => 1n << BigInt(place);
  const taken = closed ? 0n : bit(0);
  const free = all & ~known.reduce((sum, [, number]) => sum | bit(number % size), taken);
  const places = new Map(nodes.map((node) => [node, free]));
  for (const [square, number] of known) places.set(square, bit(number % size));
  if (!closed) places.set(outside, bit(0));
  const up = (set) => ((set << 1n) & all) | (set >> BigInt(size - 1));
  const down = (set) => (set >> 1n) | ((set & 1n) << BigInt(size - 1));

  // Keep only places that one neighbor before and another after can go with.
  for (let changed = true; changed; ) {
    changed = false;
    for (const node of nodes) {
      let [after, before] = [0n, 0n];
      for (const other of near.get(node)) {
        after |= up(places.get(other));
        before |= down(places.get(other));
      }
      let kept = places.get(node) & after & before;
      const [one, other] = [...used.get(node)].map((each) => places.get(each));
      if (one !== undefined) kept &= up(one) | down(one);
      if (other !== undefined) kept &= (up(one) & down(other)) | (up(other) & down(one));
      if (kept === 0n) return []; // which cannot be, as all that is known is right
      if (kept !== places.get(node)) {
        places.set(node, kept);
        changed = true;
      }
    }
  }
  const isKnown = new Set(known.map(([square]) => square));
  const found = new Map();
  for (const node of squares) {
    const set = places.get(node);
    if (isKnown.has(node)) continue;
    if ((set & (set - 1n)) === 0n) {
      const number = set.toString(2).length - 1 || count;
      found.set(node, { square: node, number, onlySquare: false });
    }
  }
  for (let place = 0; place < size; place++) {
    if (!(free & bit(place))) continue;
    const fitting = nodes.filter((node) => places.get(node) & bit(place));
    if (fitting.length === 1) found.set(fitting[0], { square: fitting[0], number: place || count, onlySquare: true });
  }
  return [...found.values()];
}

// Why a square has a number, in words, and the squares that the words are about.
function explainHint({ square, number, onlySquare }, premises, puzzle, shape, game, word) {
  const { move } = puzzle;
  const neighborsOf = (each) => puzzle.neighbors[each].filter((near) => game.isEmpty(near));
  const ruledOut = (one, other) =>
    premises.some(({ used, moves }) => !used && moves.some((move) => move.includes(one) && move.includes(other)));
  const around = [-1, 1].flatMap((by) => game.squaresWith(game.following(number, by)));
  const premisesAbout = premises.flatMap(({ moves }) => moves.flat()).filter((each) => each < puzzle.neighbors.length);
  const answer = (why, about) => ({ why, about: [...new Set([...about, ...premisesAbout])] });

  if (around.length === 2) {
    const [one, other] = around;
    const both = neighborsOf(one).filter((each) => neighborsOf(other).includes(each));
    const key = both.length === 1 ? "only empty from both" : "only left from both";
    return answer(word(key, { move, one: game.describe(one), other: game.describe(other) }), around);
  }
  const nearest = [-1, 1].flatMap((by) => knownFrom(number, by, game, puzzle.count));
  if (around.length === 1) {
    const [one] = around;
    const from = { move, one: game.describe(one) };
    const candidates = neighborsOf(one).filter((each) => !ruledOut(one, each));
    const isForced = premises.some(({ used, moves }) => used && moves.some((move) => move.includes(one) && move.includes(square)));
    if (candidates.length === 1) return answer(word("only empty from one", from), around);
    if (isForced) return answer(word("forced", from), around);
    const others = candidates.filter((each) => each !== square);
    const target = nearest.find((each) => each !== one);
    const named = others.length <= 4 ? { ...from, others: joinWords(word, others.map(shape.nameOf)) } : from;
    const key = others.length <= 4 ? "others named" : "others";
    if (target === undefined) return answer(word(`${key} cut off`, named), around);
    return answer(word(`${key} too far`, { ...named, target: game.describe(target) }), [one, target]);
  }
  const key = onlySquare ? "no other square" : "no other number";
  if (nearest.length === 0) return answer(word(key, { number }), nearest);
  const numbers = joinWords(word, nearest.map(game.describe), "and");
  return answer(word(`${key}, counting`, { number, numbers }), nearest);
}

// The square of the nearest known number in a direction, as a list of one or none.
function knownFrom(number, by, game, count) {
  let next = game.following(number, by);
  for (let tried = 0; next && tried < count; tried++, next = game.following(next, by)) {
    const [square] = game.squaresWith(next);
    if (square !== undefined) return [square];
  }
  return [];
}

// Where the rules that people use do not help, the next square of the solution beside a number.
function unexplained(puzzle, shape, game, word) {
  const steps = game.solutionSteps();
  const empty = puzzle.solution.filter((square) => game.isEmpty(square));
  const isBeside = (square) => [-1, 1].some((by) => game.squaresWith(game.following(steps.get(square), by)).length > 0);
  const square = empty.find(isBeside) ?? empty[0];
  const number = steps.get(square);
  const about = [-1, 1].flatMap((by) => game.squaresWith(game.following(number, by)));
  const deduced = puzzle.deductions.filter(
    ({ used, moves }) => used && moves.some(([one, other]) => [one, other].includes(square) && about.some((each) => [one, other].includes(each))),
  );
  const answer = (why) => ({ square, number, why, premises: deduced, about });
  if (deduced.length) return answer(word("forced", { one: game.describe(about[0]) }));
  return answer(word(about.length ? "by trying" : "begin anywhere"));
}
