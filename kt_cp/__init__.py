"""Knight's tours stated as a CP-SAT circuit: found, refuted, counted, drawn and validated.

The public names are those of ``__init__.pyi``, each imported on first use (PEP 562), so that
validating a path, for instance, does not wait for the solver.
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
