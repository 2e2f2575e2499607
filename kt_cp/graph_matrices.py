"""Read graphs from matrices of NumPy and SciPy, tables of pandas, and arrays of edges."""

from __future__ import annotations

import reprlib
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import unique_rows
from kt_cp.graph_description import (
    Edges,
    GraphDescription,
    check_names,
    describe_edges,
    refuse_either,
    simple_graph,
)
from kt_cp.messages import InputError


def is_data_frame(value: object) -> bool:
    """Return whether a value is a table of pandas, or has the same attributes."""
    names = ("columns", "index", "to_numpy")
    return all(hasattr(value, name) for name in names) and not isinstance(value, type)


def read_data_frame(frame: Any) -> GraphDescription:
    """Read a table of pandas: an adjacency matrix with labels, or a list of edges.

    Raises `InputError` if it is neither.
    """
    rows, columns = list(frame.index), list(frame.columns)
    if rows == columns == list(range(len(rows))):  # the default labels
        return read_array(frame.to_numpy())
    if len(rows) == len(columns) and set(rows) == set(columns):
        if len(set(rows)) < len(rows):
            raise InputError("two rows of the adjacency matrix have the same label")
        check_names(rows)
        return simple_graph(rows, _matrix_edges(frame[rows].to_numpy()), directed=None)
    if {"source", "target"} <= set(columns):
        columns = ["source", "target"]
    if len(columns) != 2 or len(set(columns)) != 2:
        wanted = "the same labels for rows and columns (a matrix), or columns source and target"
        raise InputError(f"table with the columns {reprlib.repr(columns)}: give {wanted}")
    source, target = (frame[column].tolist() for column in columns)
    return describe_edges([], zip(source, target, strict=True), directed=False)


def is_array(value: object) -> bool:
    """Return whether a value is an array of NumPy, or a sparse matrix of SciPy."""
    has_entries = _is_sparse(value) or hasattr(value, "__array__")
    return has_entries and not isinstance(value, type | np.generic)


def read_array(value: Any) -> GraphDescription:
    """Read an adjacency matrix of NumPy or SciPy, or an array whose rows are edges."""
    if _is_sparse(value):
        return simple_graph(range(value.shape[0]), _matrix_edges(value), directed=None)
    array = np.asanyarray(value)
    if array.ndim == 2 and array.shape[1] == 2 and len(array) != 2:
        return _read_edge_array(array)
    edges = _matrix_edges(array)
    # Two rows of two may be edges, and three rows of three edges with weights.
    if len(array) in (2, 3) and array.diagonal().any() and not np.isin(array, (0, 1)).all():
        shown = f"array of shape {array.shape}"
        ways = "0 in the diagonal for a matrix, and a list of tuples for edges"
        refuse_either(shown, "an adjacency matrix or as edges", ways)
    return simple_graph(range(len(array)), edges, directed=None)


def _read_edge_array(array: npt.NDArray[Any]) -> GraphDescription:
    """Read an array with a row for each edge. Raises `InputError` for fractions as names."""
    if array.dtype.kind not in "iuOU" or np.ma.is_masked(array):
        raise InputError(f"edges as an array of {array.dtype}: give whole numbers or text")
    return describe_edges([], map(tuple, array.tolist()), directed=False)


def _matrix_edges(matrix: Any) -> Edges:
    """Return the edges of an adjacency matrix, its nonzero entries, as rows of two indices.

    Raises `InputError` for anything else, and for ambiguous entries: NaN, infinity, numbers below
    0, masked entries, and zeros stored in a sparse matrix.
    """
    shape = matrix.shape
    if len(shape) != 2 or shape[0] != shape[1]:
        wanted = "give a square one, or edges as rows of two vertices"
        raise InputError(f"adjacency matrix of shape {shape}: {wanted}")
    if matrix.dtype.kind not in "biuf":
        raise InputError(f"adjacency matrix of {matrix.dtype}: give numbers, 1 for an edge, else 0")
    rows, columns, values = _sparse_entries(matrix) if _is_sparse(matrix) else _entries(matrix)
    if np.isnan(values).any():
        raise InputError("adjacency matrix with NaN: write 0 where there is no edge")
    if (values < 0).any() or np.isinf(values).any():
        wanted = "write 1 where there is an edge and 0 where there is none"
        raise InputError(f"adjacency matrix with numbers below 0 or infinite ones: {wanted}")
    edges = np.stack([rows, columns], axis=1).astype(np.int64)
    if _may_be_incidences(edges, shape[0]):
        ways = "0 in the diagonal for adjacencies, and the edges if each column is one"
        refuse_either("matrix", "adjacencies or incidences", ways)
    return edges


def _is_sparse(value: object) -> bool:
    """Return whether a value is a sparse matrix of SciPy."""
    return hasattr(value, "tocoo")


def _sparse_entries(matrix: Any) -> tuple[Any, Any, Any]:
    """Return the row, the column and the value of each entry of a sparse matrix."""
    matrix = matrix.tocsr()
    matrix.sum_duplicates()
    entries = matrix.tocoo()
    if not entries.data.all():
        ways = "drop them by eliminate_zeros(), or write 1 where there is an edge"
        raise InputError(f"sparse adjacency matrix that stores zeros: {ways}")
    return entries.row, entries.col, entries.data


def _entries(matrix: npt.NDArray[Any]) -> tuple[Any, Any, Any]:
    """Return the row, the column and the value of each nonzero entry."""
    if np.ma.is_masked(matrix):
        raise InputError("adjacency matrix with masked entries: write 0 or 1 there")
    matrix = np.asarray(matrix)
    rows, columns = matrix.nonzero()
    return rows, columns, matrix[rows, columns]


def _may_be_incidences(edges: Edges, size: int) -> bool:
    """Return whether a square matrix may be an incidence matrix, whose columns are edges.

    Every column of such a matrix has two entries. Unlike an adjacency matrix, it is hardly ever
    symmetric, and hardly ever has an empty diagonal.
    """
    per_column = np.bincount(edges[:, 1], minlength=size)
    has_loops = bool((edges[:, 0] == edges[:, 1]).any())
    if not has_loops or (per_column != 2).any():
        return False
    return not np.array_equal(unique_rows(edges, size), unique_rows(edges[:, ::-1], size))
