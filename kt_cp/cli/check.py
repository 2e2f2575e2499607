"""``kt check``: does a certificate prove that there is no tour?"""

from __future__ import annotations

import click

from kt_cp.cli.files import write_lines
from kt_cp.cli.messages import Exit
from kt_cp.cli.options import FILE, draw_option
from kt_cp.files import opened, read_text
from kt_cp.proof.certificate import Certificate
from kt_cp.proof.checker import check


@click.command()
@click.argument("file", type=FILE, metavar="FILE")
@draw_option
def check_command(file: str, draw: str | None) -> int:
    """Check a certificate that kt solve --certificate wrote, without a solver.

    FILE is the certificate, or - for standard input. The picture shows the decisive squares.

    Exit code 0: it proves that there is no tour; 1: it does not; 2: it is not a certificate.
    """
    if draw is not None:
        from kt_cp.draw.output import check_picture

        check_picture(draw)
    with opened(file, "a file that kt solve --certificate wrote") as stream:
        certificate = Certificate.parse(read_text(stream, "a certificate is JSON"))
    verdict = check(certificate)
    if draw is not None and verdict:
        from kt_cp.draw.board import verdict_picture
        from kt_cp.draw.output import draw_picture

        draw_picture(verdict_picture(certificate, verdict), draw)
    write_lines([verdict.message], None)
    return Exit.YES if verdict else Exit.NO
