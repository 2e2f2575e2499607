"""The server of the playground, which answers its own page and nobody else's."""

from __future__ import annotations

import ipaddress
import socket
import sys
from typing import Any
from urllib.parse import urlsplit

from nicegui import app, ui
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse

from kt_cp.messages import InputError
from kt_cp.play.jobs import BRIEF_SECONDS, JobRunner
from kt_cp.play.page import Playground
from kt_cp.play.position import Position
from kt_cp.play.work import open_address
from kt_cp.workers import STARTUP_LIMIT


def own_pages_only(inner: Any, host: str) -> Any:
    """Return an ASGI server that refuses other host names, and requests made by other pages.

    A page of another site may have a name that resolves to this machine (DNS rebinding). It is
    recognized by that name in the headers Host and Origin. Numeric addresses are accepted.
    """

    def is_own(request: HTTPConnection) -> bool:
        requested_host = request.headers.get("host", "")
        origin = request.headers.get("origin", "")
        try:
            name = urlsplit(f"//{requested_host}").hostname or ""
            if name not in ("localhost", host):
                ipaddress.ip_address(name)
            return not origin or urlsplit(origin).netloc == requested_host
        except ValueError:  # it is no numeric address, or no address at all
            return False

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        refusal = PlainTextResponse("not this host, or not this origin", status_code=403)
        allowed = scope["type"] == "lifespan" or is_own(HTTPConnection(scope))
        await (inner if allowed else refusal)(scope, receive, send)

    return answer


def serve(position: Position, host: str, port: int, show: bool) -> None:
    """Serve the page until Ctrl-C. Raises `InputError` for an address that cannot be used."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        raise InputError(f"{host}, port {port}: {error.strerror}; use another --port") from None

    jobs = JobRunner()

    @ui.page("/", title="Knight's tours", response_timeout=STARTUP_LIMIT + BRIEF_SECONDS)
    async def index(request: Request) -> None:
        fields = dict(request.query_params)
        Playground(jobs, await jobs.run_brief(open_address, fields, position.query))

    jobs.pool.start_ahead()
    app.on_shutdown(lambda: jobs.pool.end(busy=True))
    app.add_middleware(own_pages_only, host=host)
    name = f"[{host}]" if ":" in host else host
    print(f"playing on http://{name}:{port}/ (Ctrl-C ends it)", file=sys.stderr, flush=True)
    ui.run(
        host=host,
        port=port,
        show=show,
        reload=False,
        show_welcome_message=False,
        dark=None,
        language="en-US",
        tailwind=False,
        reconnect_timeout=10,  # seconds: then the search of a visitor who has left is ended
    )
