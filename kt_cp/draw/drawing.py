"""The contents of a picture: its boards or its graph, what is drawn on them, and the words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from kt_cp.draw.frame import zoom_for
from kt_cp.draw.ground import NAMES_ROOM, Ground
from kt_cp.draw.look import Look
from kt_cp.draw.picture import LegendEntry, Picture, svg_group
from kt_cp.draw.text_below import LEGEND_SIZE, TextBelow
from kt_cp.draw.wording import as_caption, one_line

MARGIN = 16
"""The room around a board and its names, in pixels."""

# In pixels.
_SHOWN_WIDTH = 800  # of a picture on a page, which reduces a wider picture
_MIN_WIDTH = 360  # of a picture
_CAPTION_GAP = 8  # above the caption
_MIN_LEGIBLE = 7.5  # size of the font of the legend below which words are hidden


def reduction_for(width: float) -> float:
    """Return the factor by which a page on a large screen reduces a picture of a width."""
    return max(1.0, width / _SHOWN_WIDTH)


class Sentence(NamedTuple):
    """A paragraph below the caption, and what the description for screen readers says instead.

    It may refer to squares by their marks, which the description names.
    """

    shown: str
    described: str


@dataclass
class Drawing:
    """The contents of a picture, which several boards may share.

    ``grounds`` are its boards or its graph. ``elements`` are those of SVG that are drawn on them,
    the lowest first. ``sentences`` are paragraphs between the caption and the legend. Words and
    margins are enlarged by ``least_zoom`` or more.
    """

    grounds: list[Ground]
    least_zoom: float = 1.0
    elements: list[str] = field(default_factory=list)
    sentences: list[Sentence] = field(default_factory=list)
    legend: list[LegendEntry] = field(default_factory=list)

    @property
    def lower_right(self) -> tuple[float, float]:
        """The corner of the smallest rectangle around all boards, in pixels."""
        corners = [ground.frame.lower_right for ground in self.grounds]
        return max(x for x, _ in corners), max(y for _, y in corners)

    @property
    def zoom(self) -> float:
        """The factor that enlarges the words; further boards make the picture wider."""
        right, _ = self.lower_right
        return max(self.least_zoom, zoom_for(right + MARGIN))

    def picture(self, caption: str, look: Look, description: str = "") -> Picture:
        """Return the picture with its caption, unless the look has a title, and its legend.

        The description is for screen readers; by default it is the caption, the sentences and the
        legend.
        """
        first, zoom = self.grounds[0], self.zoom
        right, _ = self.lower_right
        left = first.frame.left
        width = max(_MIN_WIDTH * zoom, right + MARGIN * zoom)
        title = as_caption(caption) if look.title is None else look.title
        below = self._text_below(title, look, width)
        elements = [element for ground in self.grounds for element in ground.below(zoom)]
        elements += self.elements
        elements += [element for ground in self.grounds for element in ground.above()]
        if below.elements:
            elements.append(svg_group("words-below", below.elements))
        return Picture(
            width,
            below.bottom + MARGIN / 2 * zoom,
            one_line(title),
            description or self._description(caption),
            tuple(elements),
            look.theme,
            corner=(left, first.frame.top),
            cell=first.frame.cell,
            legend=tuple(self.legend),
            faces=look.words.faces,
            legible_width=_MIN_LEGIBLE / LEGEND_SIZE * width / zoom,
        )

    def _description(self, caption: str) -> str:
        """Return the caption, the sentences and the legend as one text."""
        legend = (entry.text for entry in self.legend)
        sentences = (sentence.described for sentence in self.sentences)
        return "; ".join([caption, *sentences, *legend])

    def _text_below(self, title: str, look: Look, width: float) -> TextBelow:
        """Return the title, the sentences and, unless the look has none, the legend.

        They are below all boards.
        """
        first, zoom = self.grounds[0], self.zoom
        _, bottom = self.lower_right
        top = bottom + _CAPTION_GAP * zoom
        if first.has_line_names:
            top += NAMES_ROOM * zoom
        left = first.frame.left
        below = TextBelow(left, top, (width - left) / zoom - MARGIN, zoom)
        below.write_caption(title, bold=bool(self.sentences))
        for sentence in self.sentences:
            below.write_sentence(sentence.shown)
        if look.legend:
            below.write_legend(self.legend)
        return below
