"""The arcs of a circuit, and the literal of each: whether the tour uses it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from kt_cp.board.symmetry import Ints
from kt_cp.model.backend import Model

Arc = tuple[int, int]

_KEY = np.array([2**32, 1])


class Arcs(Mapping[Arc, int]):
    """The literals of a model by pair of nodes (from, to), in the order in which they were added.

    ``pairs`` has a row for each arc, ``literals`` the literal of each.

    >>> arcs = Arcs(Model())
    >>> arcs.add(np.array([(0, 1), (1, 2), (2, 1)]), np.array([0, 1, 0]))
    >>> (0, 2) in arcs, arcs[2, 1] == arcs[0, 1]
    (False, True)
    """

    def __init__(self, cp: Model) -> None:
        """Begin with none; the literals become variables of this model."""
        self._cp = cp
        self.pairs: Ints = np.empty((0, 2), dtype=np.int32)
        self.literals: Ints = np.empty(0, dtype=np.int32)
        self._sorted: tuple[Ints, Ints] | None = None

    def add(self, pairs: Ints, groups: Ints | None = None) -> None:
        """Add arcs, with a literal each, or one for all arcs of the same group, from 0 on."""
        if groups is None:
            groups = np.arange(len(pairs))
        literals = self._cp.new_literals(int(groups.max(initial=-1) + 1))
        self.literals = np.append(self.literals, literals[groups])
        self.pairs = np.concatenate([self.pairs, pairs])
        self._sorted = None

    def literals_of(self, pairs: Ints) -> Ints:
        """Return the literals of many arcs. Raises `KeyError` for a pair that is no arc."""
        if self._sorted is None:
            keys = self.pairs @ _KEY
            order = np.argsort(keys)
            self._sorted = keys[order], self.literals[order]
        keys, literals = self._sorted
        wanted = np.asarray(pairs) @ _KEY
        places = np.searchsorted(keys, wanted)
        there = places < len(keys)
        there[there] = keys[places[there]] == wanted[there]
        if not there.all():
            raise KeyError(tuple(np.asarray(pairs)[~there][0].tolist()))
        return np.asarray(literals[places])

    def __getitem__(self, arc: Arc) -> int:
        """Return the literal of an arc."""
        return int(self.literals_of(np.array([arc]))[0])

    def __iter__(self) -> Iterator[Arc]:
        """Iterate over the arcs."""
        return ((source, target) for source, target in self.pairs.tolist())

    def __len__(self) -> int:
        """The number of arcs."""
        return len(self.pairs)
