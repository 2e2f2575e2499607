"""What the results of searches share: a certificate, and the exception for Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

from kt_cp.graph import Pictured
from kt_cp.proof.certificate import Certificate


@dataclass(frozen=True, kw_only=True)
class Certifiable(Pictured):
    """Base class of results, with the certificate that was asked for or why there is none."""

    certificate: Certificate | None = None
    no_certificate: str | None = None

    def certified(self, make: Callable[[], Certificate]) -> Self:
        """Return the result with a certificate, or with the reason why there is none.

        The function returns the certificate, and raises `NoCertificateError` if it cannot.
        """
        from kt_cp.proof.producer import NoCertificateError

        try:
            certificate = make()
        except NoCertificateError as error:
            return replace(self, no_certificate=str(error))
        return replace(self, certificate=certificate)


class InterruptedWithResultError(KeyboardInterrupt):
    """Base class: Ctrl-C ended a search; ``result`` holds the best answer so far."""

    def __init__(self, result: Certifiable) -> None:
        super().__init__()
        self.result = result
