"""Knight's tours stated as a CP-SAT circuit: found, refuted, counted, drawn and validated.

The public names are those of ``__init__.pyi``, each imported on first use (PEP 562), so that
validating a path, for instance, does not wait for the solver.

The house from the ground up; what is named later may import what is named before, never the other
way. Begin with `kt_cp.tour.validator`, which says what a tour is, and `kt_cp.model.plain`, the
circuit on one page.

- ``messages``, ``workers``, ``files``, ``arrays``: errors and words, processes, files, array types.
- ``graph`` with ``graph_input``, ``graph_algorithms`` and ``graph_files``: vertices, arcs, names.
- ``board``, ``tour``: the graph of squares; tours, their validator and their features.
- ``problem``: what is asked, the constraints included.
- ``model``, ``sat``: the question as a CP-SAT circuit, and as a SAT formula.
- ``proof``, ``count``: why there is no tour, with certificates; how many there are.
- ``methods``, ``solving``: the ways to answer, and the functions that users call.
- ``puzzles``, ``notation``, ``draw``, ``export``: puzzles; tours as text; pictures; other tools.
- ``compare``, ``play``, ``cli``: methods compared, the playground, the command ``kt``.
"""

import lazy_loader

_public_name, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__all__ += ["__version__"]  # noqa: F822 (found by __getattr__)


def __getattr__(name: str) -> object:
    """Return a public name, imported on first use."""
    if name != "__version__":
        return _public_name(name)
    from importlib.metadata import version

    return version("knights-tours")
