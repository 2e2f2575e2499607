"""Certificates that random changes make from others: the checker may accept only true ones."""

import copy
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from kt_cp.messages import InputError
from kt_cp.proof.certificate import Certificate

Change = Callable[[dict[str, Any], random.Random], None]
"""Changes one thing in the values of a certificate, in place."""


def mutants(
    originals: Sequence[Certificate], change: Change, count: int, seed: int
) -> Iterator[Certificate]:
    """What is still a certificate after one to three changes, in ``count`` trials."""
    choice = random.Random(seed)
    values_of_originals = [original.as_dict() for original in originals]
    for _ in range(count):
        values = copy.deepcopy(choice.choice(values_of_originals))
        for _ in range(choice.randint(1, 3)):
            change(values, choice)
        try:
            certificate = Certificate.from_dict(values)
        except InputError:
            continue
        yield certificate
