"""Knight's tours stated as a CP-SAT circuit: found, refuted, counted, drawn and validated.

The public names are imported on first use (PEP 562), so that validating a path, for instance, does
not wait for the solver. ``__init__.pyi`` has the same names for type checkers and editors.
"""

from importlib import import_module

from kt_cp import hooks

_MODULES = {
    "Board": "kt_cp.board",
    "Certificate": "kt_cp.proof.certificate",
    "check": "kt_cp.proof.checker",
    "Count": "kt_cp.count.counting",
    "count_boards": "kt_cp.count.sequences",
    "count_prefixes": "kt_cp.count.sequences",
    "count_tours": "kt_cp.count.counting",
    "CoverResult": "kt_cp.cover",
    "enumerate_tours": "kt_cp.count.classes",
    "Fault": "kt_cp.tour.report",
    "FaultKind": "kt_cp.tour.report",
    "FEATURES": "kt_cp.tour.feature_table",
    "features": "kt_cp.tour.feature_table",
    "Graph": "kt_cp.graph",
    "hamiltonian_cycle": "kt_cp.solving",
    "hamiltonian_path": "kt_cp.solving",
    "InputError": "kt_cp.messages",
    "Instance": "kt_cp.problem.instance",
    "InvalidTourError": "kt_cp.tour.tour",
    "Level": "kt_cp.puzzles.puzzle",
    "longest_cycle": "kt_cp.longest",
    "longest_path": "kt_cp.longest",
    "make_puzzle": "kt_cp.puzzles.making",
    "MethodError": "kt_cp.methods.custom",
    "METHODS": "kt_cp.methods.table",
    "Move": "kt_cp.problem.moves",
    "NamedGraph": "kt_cp.graph",
    "NoAnswerError": "kt_cp.solving",
    "Notation": "kt_cp.notation.notations",
    "Optimum": "kt_cp.problem.objectives",
    "OutOfMemoryError": "kt_cp.count.cost",
    "OutOfTimeError": "kt_cp.problem.clock",
    "parse_path": "kt_cp.notation.detect",
    "path_cover": "kt_cp.cover",
    "Piece": "kt_cp.board.piece",
    "Puzzle": "kt_cp.puzzles.puzzle",
    "random_board": "kt_cp.puzzles.boards",
    "Reading": "kt_cp.notation.reading",
    "ReasonKind": "kt_cp.proof.reason",
    "Report": "kt_cp.tour.report",
    "Result": "kt_cp.solving",
    "sample_tours": "kt_cp.count.sampling",
    "SearchInterruptedError": "kt_cp.solving",
    "solve": "kt_cp.solving",
    "Status": "kt_dfs",
    "Symmetry": "kt_cp.board.symmetry",
    "Task": "kt_cp.problem.task",
    "Topology": "kt_cp.board",
    "Tour": "kt_cp.tour.tour",
    "validate": "kt_cp.notation.detect",
    "validate_cover": "kt_cp.tour.covers",
    "Verdict": "kt_cp.proof.checker",
    "write_tour": "kt_cp.notation.writing",
}
"""The module that defines each public name."""

_RENAMED = {
    "Grade": "Level",
    "Interrupted": "SearchInterruptedError",
    "NoAnswer": "NoAnswerError",
    "OutOfMemory": "OutOfMemoryError",
    "OutOfTime": "OutOfTimeError",
}
"""The public names of version 0.1 and their names since 1.0; using an old one warns."""

# The functions of higher packages that lower ones call, also imported on first use.
hooks.provide(hooks.Hook.NOTEBOOK_PICTURE, lambda: import_module("kt_cp.draw.output").notebook_svg)
hooks.provide(hooks.Hook.DRAW_TOUR, lambda: import_module("kt_cp.draw.output").draw_tour)
hooks.provide(hooks.Hook.ANSWER_BY_FRONTIER, lambda: import_module("kt_cp.count.sampling").answer)
hooks.provide(hooks.Hook.VALIDATE, lambda: import_module("kt_cp.notation.detect").validate)

__all__ = ["__version__", *sorted(_MODULES)]  # noqa: F822 (found by __getattr__)


def __getattr__(name: str) -> object:
    """Return a public name, imported on first use."""
    value: object
    if name == "__version__":
        from importlib.metadata import version

        value = version("knights-tours")
    elif name in _MODULES:
        value = getattr(import_module(_MODULES[name]), name)
    elif name in _RENAMED:
        import warnings

        new = _RENAMED[name]
        warnings.warn(f"kt_cp.{name} is now kt_cp.{new}", DeprecationWarning, stacklevel=2)
        return __getattr__(new)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return all names, also those that are not imported yet."""
    return sorted({*globals(), *__all__})
