"""Runs on a Dask cluster, which comes with the extra ``distributed``."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from kt_cp.errors import InputError

_PATIENCE = 10


@contextmanager
def dask_executor(address: str) -> Iterator[Executor]:
    """Yield the executor of the cluster whose scheduler is at an address such as tcp://host:8786.

    The workers must have this package. A run whose worker is lost is done again by another one.
    Raises `InputError` when nothing answers there, or Dask is not installed.
    """
    try:
        from distributed import Client
    except ImportError:
        raise InputError("--dask needs Dask: pip install 'knights-tours[distributed]'") from None
    try:
        client = Client(address, timeout=_PATIENCE)
    except (OSError, ValueError, TypeError, RuntimeError) as error:  # by protocol
        raise InputError(f"--dask {address}: no scheduler answers there ({error})") from None
    logging.disable(logging.CRITICAL)  # what matters becomes a record or an error here
    try:
        with client:
            yield client.get_executor()
    finally:
        logging.disable(logging.NOTSET)
