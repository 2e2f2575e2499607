"""Reading and writing tours in the notations people use."""

from kt_cp.notation.choose import parse_path
from kt_cp.notation.names import Notation
from kt_cp.notation.reading import Reading
from kt_cp.notation.source import load
from kt_cp.notation.write import tour_bytes, write_graph, write_tour

__all__ = ["Notation", "Reading", "load", "parse_path", "tour_bytes", "write_graph", "write_tour"]
