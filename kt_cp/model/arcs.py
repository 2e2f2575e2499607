"""The arcs of a circuit, and the literal of each: whether the tour uses it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from ortools.sat.python import cp_model
from ortools.sat.python.cp_model_helper import IntegerVariableProto

from kt_cp.board.symmetry import Ints

Arc = tuple[int, int]

_KEY = np.array([2**32, 1])


class Arcs(Mapping[Arc, cp_model.IntVar]):
    """The literals of a model by pair of nodes (from, to), in the order in which they were added.

    ``pairs`` has a row for each arc, ``indices`` the index of its variable in the model.

    >>> arcs = Arcs(cp_model.CpModel())
    >>> arcs.add(np.array([(0, 1), (1, 2), (2, 1)]), np.array([0, 1, 0]))
    >>> (0, 2) in arcs, arcs[2, 1].index == arcs[0, 1].index
    (False, True)
    """

    def __init__(self, cp: cp_model.CpModel) -> None:
        """Begin with none; the literals become variables of this model."""
        self._cp = cp
        self.pairs: Ints = np.empty((0, 2), dtype=np.int32)
        self.indices: Ints = np.empty(0, dtype=np.int32)
        self._sorted: tuple[Ints, Ints] | None = None

    def add(self, pairs: Ints, groups: Ints | None = None) -> None:
        """Add arcs, with a literal each, or one for all arcs of the same group, from 0 on.

        The variables are written into the model's own records at once: 100x100 has 77,616 arcs,
        and a call for each takes five times as long.
        """
        if groups is None:
            groups = np.arange(len(pairs))
        variables = self._cp.proto.variables
        zero_or_one = IntegerVariableProto()
        zero_or_one.domain.extend([0, 1])
        self.indices = np.append(self.indices, groups + len(variables))
        self.pairs = np.concatenate([self.pairs, pairs])
        self._sorted = None
        variables.extend([zero_or_one] * int(groups.max(initial=-1) + 1))

    def indices_of(self, pairs: Ints) -> Ints:
        """Return the variable indices of many arcs. Raises `KeyError` for a pair that has none."""
        if self._sorted is None:
            keys = self.pairs @ _KEY
            order = np.argsort(keys)
            self._sorted = keys[order], self.indices[order]
        keys, indices = self._sorted
        wanted = np.asarray(pairs) @ _KEY
        places = np.searchsorted(keys, wanted)
        there = places < len(keys)
        there[there] = keys[places[there]] == wanted[there]
        if not there.all():
            raise KeyError(tuple(np.asarray(pairs)[~there][0].tolist()))
        return np.asarray(indices[places])

    def __getitem__(self, arc: Arc) -> cp_model.IntVar:
        """Return the literal of an arc."""
        [index] = self.indices_of(np.array([arc]))
        return self._cp.get_bool_var_from_proto_index(int(index))

    def __iter__(self) -> Iterator[Arc]:
        """Iterate over the arcs."""
        return ((source, target) for source, target in self.pairs.tolist())

    def __len__(self) -> int:
        """The number of arcs."""
        return len(self.pairs)
