"""The parameters of CP-SAT, each with its reason."""

from __future__ import annotations

from collections.abc import Mapping

Value = bool | int | float | str | list[str]
Parameters = Mapping[str, Value]
"""Fields of CP-SAT's ``SatParameters``; an enumeration's value is given by its name."""

# CP-SAT takes no more.
MAX_WORKERS = 10_000

# Plain clause learning on the arcs: the fastest where tours abound. Presolve costs more than it
# gains on a model that is one circuit, the LP slows every node down, and probing and inprocessing
# would first try every arc both ways, which takes longer than all the rest.
CLAUSES: Parameters = {
    "linearization_level": 0,
    "cp_model_presolve": False,
    "cp_model_probing_level": 0,
    "inprocessing_probing_dtime": 0.0,
    "inprocessing_dtime_ratio": 0.0,
}

# With the LP and its cuts: sees at once what counting tells (colours, degrees, narrow strips),
# where clause learning alone would count for ever.
CUTS: Parameters = {"linearization_level": 2, "cp_model_presolve": False}

# Branch against the heuristic now and then: without it every seed gives the same tour, and a search
# that has gone astray stays there.
VARIETY: Parameters = {"random_polarity_ratio": 0.05}

# Make a tour of hinted cycles. A hint that helps at all does so within a few conflicts; where it
# does not, another 2-factor is cheaper than to go on.
REPAIR: Parameters = {
    **CLAUSES,
    **VARIETY,
    "symmetry_level": 0,  # to look for symmetries takes a tenth of the time
    "hint_conflict_limit": 30,
    "max_number_of_conflicts": 60,
}

# Enumeration takes one worker. Taking the arcs in order, square by square, halves the time against
# the default search, which jumps about: all of the tree must be seen anyway.
ENUMERATION: Parameters = {
    **CLAUSES,
    "enumerate_all_solutions": True,
    "search_branching": "FIXED_SEARCH",
}

# With several workers CP-SAT runs its own portfolio side by side; these lead it.
PARALLEL: Parameters = {
    "cp_model_presolve": False,
    "subsolvers": ["no_lp", "max_lp", "quick_restart_no_lp", "default_lp"],
}

# The best tour: presolve is worth its while where a bound has to be proven, and all of the LP where
# the bound rests on linear constraints; the fewest crossings rest on clauses, which it slows down.
OPTIMIZATION: Parameters = {
    "linearization_level": 2,
    "subsolvers": ["max_lp", "default_lp", "no_lp"],  # of several workers, beside neighborhoods
}
OPTIMIZATION_BY_CLAUSES: Parameters = {"linearization_level": 1}

# A look at what CP-SAT makes of a model: it does not depend on how fast the machine is.
BRIEFLY: Parameters = {"max_deterministic_time": 1.0}

# Fields by which users limit a search. Where one is given and CP-SAT ends without an answer, the
# method gives up; otherwise it would search again, for longer, to no avail.
LIMITS = frozenset(
    {
        "max_deterministic_time",
        "max_memory_in_mb",
        "max_number_of_conflicts",
        "stop_after_presolve",
        "stop_after_root_propagation",
    }
)
