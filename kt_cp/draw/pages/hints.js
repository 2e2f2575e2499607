// A hint: one square, its number, and why. What is known are the numbers on the board, the moves
// that the puzzle gives, and as few as possible of the moves that `kt` deduced, which are the
// premises. From these, counting moves between known numbers tells the number of the square.

function findHint(puzzle, shape, game, word) {
  const known = [...game.numbers()];
  const isNew = ({ square }) => !game.numbers().has(square);
  const placements = (deductions) => countMoves(puzzle, known, deductions).filter(isNew);
  const all = puzzle.deductions;
  if (!placements(all).length) return hintByTrying(puzzle, shape, game, word) ?? unexplained(puzzle, shape, game, word);

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

// The squares whose number follows from counting moves between known numbers.
function countMoves(puzzle, known, deductions) {
  const places = new Places(puzzle, known, deductions);
  return places.narrow() === null ? places.determined() : []; // as all that is known is right
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

// Where trying one number does not help either: the next square of the solution beside a number.
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
