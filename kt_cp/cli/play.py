"""``kt play``: the playground in the browser."""

from __future__ import annotations

import ipaddress

import click

from kt_cp.cli.options import FILE
from kt_cp.cli.process import tell
from kt_cp.files import optional, size_or_map


@click.command()
@click.argument("board", type=FILE, default="6x6", metavar="[BOARD]")
@click.option("--closed", is_flag=True, help="The tour returns to its first square.")
@click.option("--host", default="127.0.0.1", help="The address to serve on; others can then play.")
@click.option("--port", type=click.IntRange(1, 65535), default=8080, help="The port to serve on.")
@click.option("--no-browser", is_flag=True, help="Print the address, and open no browser.")
def play_command(board: str, closed: bool, host: str, port: int, no_browser: bool) -> int:
    """Open the playground: a page on which to draw, solve, check and watch tours.

    BOARD is a size such as 8x8 (rows x columns), a file with a map, or - for standard input, of up
    to 20 rows and columns. It is read once; visitors can choose others. Everything runs on this
    machine, and Ctrl-C ends it.

    Exit code 2: invalid input, or the port is in use.
    """
    optional("nicegui", "playgrounds", "pip install 'knights-tours[play]'")
    from kt_cp.play.server import serve
    from kt_cp.play.state import Position

    with size_or_map(board) as text:
        position = Position.parse(text, closed)
    if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
        tell("warning: everyone who reaches this address can use this machine's processor")
    serve(position, host, port, show=not no_browser)
    return 0
