"""A picture as PNG or GIF, with matplotlib."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, TYPE_CHECKING

from kt_cp.draw.picture import Discs, Layer, Lines, Picture, Polygons, Texts, Tiles
from kt_cp.files import require_matplotlib

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL.Image import Image

_DPI = 100
_POINTS = 72 / _DPI  # in a pixel
_SHARP = 1200  # pixels: below, a picture is drawn at twice its size
_GIF_SIDE = 560
_FRAME, _LAST_FRAME = 250, 2500  # milliseconds


def write_png(picture: Picture, file: IO[bytes]) -> None:
    """Write a picture as PNG, with its title and description as metadata."""
    canvas = _canvas(picture, 2 if max(picture.width, picture.height) < _SHARP else 1)
    metadata = {"Title": picture.title, "Description": picture.description}
    canvas.figure.savefig(file, format="png", metadata=metadata)


def write_gif(pictures: Iterable[Picture], file: IO[bytes]) -> None:
    """Write pictures of one size as an animation that stays on the last one, then starts again."""
    frames = [_frame(picture) for picture in pictures]
    durations = [_FRAME] * (len(frames) - 1) + [_LAST_FRAME]
    first, *others = frames
    first.save(file, format="gif", save_all=True, append_images=others, duration=durations, loop=0)


def _frame(picture: Picture) -> Image:
    from PIL import Image

    scale = min(1.0, _GIF_SIDE / max(picture.width, picture.height))
    canvas = _canvas(picture, scale)
    canvas.draw()  # type: ignore[no-untyped-call]
    pixels = canvas.buffer_rgba()  # type: ignore[no-untyped-call]
    return Image.frombuffer("RGBA", canvas.get_width_height(), pixels).convert("RGB").quantize(64)


def _canvas(picture: Picture, scale: float) -> FigureCanvasAgg:
    """Draw the layers on a canvas of their own, without matplotlib's global state."""
    require_matplotlib("PNG and GIF", ", or choose .svg")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure((picture.width / _DPI, picture.height / _DPI), dpi=_DPI * scale)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    for depth, layer in enumerate(picture.layers):
        _draw(axes, layer, depth)
    axes.set_xlim(0, picture.width)
    axes.set_ylim(picture.height, 0)
    axes.set_aspect("auto")
    return FigureCanvasAgg(figure)


def _draw(axes: Axes, layer: Layer, depth: int) -> None:
    from matplotlib.collections import EllipseCollection, LineCollection, PolyCollection

    match layer:
        case Tiles():
            rows, columns, _ = layer.colours.shape
            right, bottom = layer.x + columns * layer.side, layer.y + rows * layer.side
            extent = (layer.x, right, bottom, layer.y)
            axes.imshow(layer.colours, extent=extent, interpolation="nearest", zorder=depth)
        case Lines():
            width = layer.width * _POINTS
            style = (0, tuple(dash / layer.width for dash in layer.dashes)) if layer.dashes else "-"
            axes.add_collection(
                LineCollection(
                    layer.chains(),
                    colors=layer.colour,
                    linewidths=width,
                    linestyles=[style],
                    capstyle="round",
                    zorder=depth,
                ),
                autolim=False,
            )
        case Polygons():
            shapes = PolyCollection(list(layer.corners), facecolors=layer.colour, zorder=depth)
            axes.add_collection(shapes, autolim=False)
        case Discs():
            width = 0.25 * layer.radius if layer.hollow else 0.0
            side = 2 * layer.radius - width
            axes.add_collection(
                EllipseCollection(
                    [side],
                    [side],
                    [0],
                    units="xy",
                    offsets=layer.centres,
                    offset_transform=axes.transData,
                    facecolors="none" if layer.hollow else layer.colour,
                    edgecolors=layer.colour if layer.hollow else "none",
                    linewidths=width * _POINTS,
                    zorder=depth,
                ),
                autolim=False,
            )
        case Texts():
            for (x, y), word in zip(layer.points.tolist(), layer.words, strict=True):
                axes.text(
                    x,
                    y,
                    word,
                    size=layer.size * _POINTS,
                    color=layer.colour,
                    ha="left" if layer.anchor.value == "start" else "center",
                    va="center_baseline",
                    weight="bold" if layer.bold else "normal",
                    parse_math=False,
                    zorder=depth,
                )
