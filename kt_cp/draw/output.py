"""Write pictures to files; the ending of the name says of which kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kt_cp.board import Board
from kt_cp.draw.board import reason_picture
from kt_cp.draw.faults import as_tour, report_picture
from kt_cp.draw.picture import Discs, Layer, Picture, Shapes, Texts, Tiles, svg
from kt_cp.draw.replay import check_page_size, tour_page
from kt_cp.draw.sheet import USUAL, Look, check_size
from kt_cp.draw.tour import animation, tour_picture
from kt_cp.errors import InputError
from kt_cp.files import check_writable, require_matplotlib, whole_file
from kt_cp.tour.report import Report
from kt_cp.tour.tour import Tour
from kt_dfs import Status

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL.Image import Image

    from kt_cp.solving import Result


Page = list[tuple[Picture, float, float]]  # pictures, and the places of their top left corners

_DPI = 100
_POINTS = 72 / _DPI  # in a pixel
_SHARP = 1200  # pixels: below, a picture is drawn at twice its size
_GIF_SIDE = 560
_FONT, _BOXES = "DejaVu Sans", "Last Resort High-Efficiency"
_FRAME, _LAST_FRAME = 250, 2500  # milliseconds


def png(picture: Picture) -> bytes:
    """Return a picture as PNG, with its title and description as metadata."""
    scale = 2 if max(picture.width, picture.height) < _SHARP else 1
    return _saved(picture, scale, "png", {"Description": picture.description})


def pdf(picture: Picture) -> bytes:
    """Return a picture as PDF of one page, with its title and description as metadata."""
    return _saved(picture, 1, "pdf", {"Subject": picture.description, "CreationDate": None})


def pdf_pages(pages: Iterable[Page], size: tuple[int, int], title: str) -> bytes:
    """Return a PDF of pages of one size, in pixels, with pictures at places on them."""
    from matplotlib.backends.backend_pdf import PdfPages

    file = BytesIO()
    with PdfPages(file, metadata={"Title": title, "CreationDate": None}) as document:
        for page in pages:
            document.savefig(_canvas(page, size, 1).figure)
    return file.getvalue()


def gif(pictures: Iterable[Picture]) -> bytes:
    """Return pictures of one size as an animation that stays on the last one and starts again."""
    first, *others = [_frame(picture) for picture in pictures]
    times = [_FRAME] * len(others) + [_LAST_FRAME]
    file = BytesIO()
    first.save(file, "gif", save_all=True, append_images=others, duration=times, loop=0)
    return file.getvalue()


def _saved(picture: Picture, scale: float, form: str, metadata: dict[str, str | None]) -> bytes:
    file = BytesIO()
    figure = _canvas([(picture, 0, 0)], (picture.width, picture.height), scale).figure
    figure.savefig(file, format=form, metadata={"Title": picture.title, **metadata})
    return file.getvalue()


def _frame(picture: Picture) -> Image:
    from PIL import Image

    size = picture.width, picture.height
    canvas = _canvas([(picture, 0, 0)], size, min(1.0, _GIF_SIDE / max(size)))
    canvas.draw()  # type: ignore[no-untyped-call]
    pixels = canvas.buffer_rgba()  # type: ignore[no-untyped-call]
    return Image.frombuffer("RGBA", canvas.get_width_height(), pixels).convert("RGB").quantize(64)


def _canvas(page: Page, size: tuple[float, float], scale: float) -> FigureCanvasAgg:
    """Draw pictures on a canvas of their own, without matplotlib's global state."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    width, height = size
    figure = Figure((width / _DPI, height / _DPI), dpi=_DPI * scale)
    for picture, x, y in page:
        box = x, height - y - picture.height, picture.width, picture.height
        axes = figure.add_axes((box[0] / width, box[1] / height, box[2] / width, box[3] / height))
        texts = [layer for layer in picture.layers if isinstance(layer, Texts)]
        fonts = _fonts(frozenset().union(*(word for layer in texts for word in layer.words)))
        for depth, layer in enumerate(picture.layers):
            _draw(axes, layer, depth, fonts)
        axes.set(xlim=(0, picture.width), ylim=(picture.height, 0), aspect="auto")
        axes.set_axis_off()
    return FigureCanvasAgg(figure)


def _draw(axes: Axes, layer: Layer, depth: int, fonts: list[str]) -> None:
    from matplotlib.collections import PolyCollection

    match layer:
        case Tiles():
            height, width = (layer.side * count for count in layer.colours.shape[:2])
            extent = (layer.x, layer.x + width, layer.y + height, layer.y)
            axes.imshow(layer.colours, extent=extent, interpolation="nearest", zorder=depth)
        case Shapes():
            style: dict[str, Any] = {"closed": layer.closed, "zorder": depth, **_paint(layer)}
            if layer.dashes:
                style["linestyles"] = [(0, [dash / layer.width for dash in layer.dashes])]
            shapes = PolyCollection(layer.outlines(), capstyle="round", joinstyle="round", **style)
            axes.add_collection(shapes, autolim=False)
        case Discs():
            area = ((2 * layer.radius - layer.width) * _POINTS) ** 2
            axes.scatter(
                layer.centres[:, 0], layer.centres[:, 1], area, zorder=depth, **_paint(layer)
            )
        case Texts():
            font: dict[str, Any] = {"size": layer.size * _POINTS, "color": layer.fill}
            font["family"] = fonts
            font |= {"weight": "bold" if layer.bold else "normal", "parse_math": False}
            font |= {"ha": "center" if layer.centred else "left", "va": "center_baseline"}
            for (x, y), word in zip(layer.points.tolist(), layer.words, strict=True):
                axes.text(x, y, word, zorder=depth, **font)


def _fonts(letters: frozenset[str]) -> list[str]:
    """Return fonts that have the letters: matplotlib's own one and, if need be, installed ones.

    Raises `InputError` for a letter that no installed font has, which would become a box.
    """
    from matplotlib.font_manager import fontManager, get_font

    missing, chosen = {*map(ord, letters)}, []
    installed = sorted(fontManager.ttflist, key=lambda font: (font.name != _FONT, font.name))
    for font in installed:
        if not missing:
            break
        if font.name != _BOXES and (has := missing & get_font(font.fname).get_charmap().keys()):
            missing -= has
            chosen.append(font.name)
    if missing:
        letter = chr(min(missing))
        wanted = "install one, such as Noto Sans CJK for Chinese, or choose .svg"
        raise InputError(f"no installed font has the letter {letter!r}: {wanted}")
    return chosen


def _paint(layer: Shapes | Discs) -> dict[str, Any]:
    return {
        "facecolors": layer.fill or "none",
        "edgecolors": layer.stroke or "none",
        "linewidths": layer.width * _POINTS,
    }


Progress = Callable[[str], None]  # is called with a message

_STILL: dict[str, Callable[[Picture], bytes]] = {
    ".svg": lambda picture: svg(picture).encode(),
    ".png": png,
    ".pdf": pdf,
}
_MOVING = (".gif", ".html")


def check_picture(file: str | Path, role: str = "--draw", board: Board | None = None) -> None:
    """Raise `InputError` if no picture can be written to a file of this name.

    The reason is the ending of the name (unknown, or matplotlib is missing), a place that may not
    be written, or a board that is too large. ``role`` is what the message calls the file.
    """
    ending = _ending(file)
    if ending not in (*_STILL, *_MOVING):
        known = ", ".join((*_STILL, *_MOVING))
        raise InputError(f"{role} {file}: a picture's name ends in one of {known}")
    if ending not in (".svg", ".html"):
        require_matplotlib("PNG, PDF and GIF", ", or choose .svg")
    check_writable(file, role)
    if board is not None:
        (check_page_size if ending == ".html" else check_size)(board)


class Svg(str):
    """The text of an SVG element, which a notebook shows as a picture."""

    def _repr_svg_(self) -> str:
        return self


def draw_tour(
    tour: Tour,
    file: str | Path | None = None,
    look: Look = USUAL,
    progress: Progress = lambda message: None,
    **changes: Any,
) -> Svg | None:
    """Draw a tour to a file: .svg, .png, .pdf, .gif (animated) or .html (to step through).

    Without a file, return the picture as SVG. ``changes`` are fields of `Look`, such as
    ``style="arrows"`` or ``legend=False``; an .html page uses the title only. ``progress`` is
    called with a message before each picture of a .gif. Raises `InputError` as `check_picture`
    does, and for an unknown style.
    """
    if unknown := changes.keys() - Look.__annotations__:
        known = ", ".join(Look.__annotations__)
        raise TypeError(f"unknown keyword {min(unknown)!r}: the options of a picture are {known}")
    look = replace(look, **changes)
    if file is None:
        return Svg(svg(tour_picture(tour, look)))
    check_picture(file, "picture", tour.board)
    ending = _ending(file)
    if ending == ".html":
        content = tour_page(tour, look.title, look.first).encode()
    elif ending == ".gif":
        content = gif(_told(animation(tour, look), progress))
    else:
        content = _STILL[ending](tour_picture(tour, look))
    _write(content, file)
    return None


def draw_result(result: Result, file: str | Path, progress: Progress) -> None:
    """Draw the tour that was found, as `draw_tour` does, or the reason why there is none.

    Nothing is drawn for an unknown answer, nor of a reason as .gif or .html.
    """
    if result.tour is not None:
        draw_tour(result.tour, file, progress=progress)
    elif result.explanation and result.status is Status.IMPOSSIBLE and _ending(file) in _STILL:
        draw_picture(reason_picture(result.explanation), file)


def draw_report(
    report: Report,
    file: str | Path,
    look: Look = USUAL,
    progress: Progress = lambda message: None,
    role: str = "--draw",
) -> None:
    """Draw a validation report to a file: the path and its faults, or the tour if it is one.

    Raises `InputError` as `check_picture` does, and for faults as .gif or .html.
    """
    if report.valid:
        tour, look = as_tour(report, look)
        draw_tour(tour, file, look, progress)
    else:
        draw_picture(report_picture(report, look), file, role)


def draw_picture(picture: Picture, file: str | Path, role: str = "--draw") -> None:
    """Write a picture to a file: .svg, .png or .pdf.

    Raises `InputError` as `check_picture` does, and for .gif and .html, which show tours only.
    """
    check_picture(file, role)
    ending = _ending(file)
    if ending in _MOVING:
        raise InputError(f"{role} {file}: {picture.description}; choose .svg, .png or .pdf")
    _write(_STILL[ending](picture), file)


def _told(pictures: Iterable[Picture], progress: Progress) -> Iterator[Picture]:
    for picture in pictures:
        progress(f"drawing {picture.description}")
        yield picture


def _write(content: bytes, file: str | Path) -> None:
    with whole_file(file) as stream:
        stream.write(content)


def _ending(file: str | Path) -> str:
    return Path(file).suffix.lower()
