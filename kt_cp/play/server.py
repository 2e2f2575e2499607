"""The server of the playground, which answers its own page and nobody else's."""

from __future__ import annotations

import ipaddress
import socket
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from nicegui import app, ui

from kt_cp.errors import InputError
from kt_cp.play.jobs import warm_up
from kt_cp.play.page import open_page
from kt_cp.play.state import Position

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Scope]]
Send = Callable[[Scope], Awaitable[None]]


class OwnPagesOnly:
    """Refuses requests for other host names, and those that pages from elsewhere make.

    A page of another site may have a name that resolves to this machine (DNS rebinding); it is
    known by its name in the headers Host and Origin. Addresses in numbers are no names.
    """

    def __init__(self, inner: Any, host: str) -> None:
        self.inner, self.host = inner, host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan" or self._is_own(dict(scope["headers"])):
            await self.inner(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            headers = [(b"content-type", b"text/plain")]
            await send({"type": "http.response.start", "status": 403, "headers": headers})
            await send({"type": "http.response.body", "body": b"not this host, or not this origin"})

    def _is_own(self, headers: dict[bytes, bytes]) -> bool:
        host, origin = (headers.get(name, b"").decode("latin-1") for name in (b"host", b"origin"))
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name not in ("localhost", self.host):
            try:
                ipaddress.ip_address(name)
            except ValueError:
                return False
        return not origin or urlsplit(origin).netloc == host


def serve(position: Position, host: str, port: int, show: bool) -> None:
    """Serve the page until Ctrl-C. Raises `InputError` for an address that cannot be used."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((host, port))
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or error
            raise InputError(f"{host}, port {port}: {why}; choose another by --port") from None
    warm_up()
    app.add_middleware(OwnPagesOnly, host=host)
    ui.page("/", title="Knight's tours")(_index(position))
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
    print(f"playing on {address} (Ctrl-C ends it)", file=sys.stderr, flush=True)
    ui.run(
        host=host,
        port=port,
        show=show,
        reload=False,
        dark=None,
        language="en-US",
        show_welcome_message=False,
    )


def _index(position: Position) -> Callable[..., None]:
    def index(board: str | None = None, closed: bool = False) -> None:
        open_page(position, board, closed)

    return index
