"""Pictures as PNG, PDF and GIF: typst draws their SVG, and Pillow puts animations together.

The typeface is Source Sans 3, made for print. Letters that it lacks come from DejaVu Sans, in
the same folder `kt_cp/draw/fonts`, or from installed fonts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING, Any

from kt_cp.draw.palette import color
from kt_cp.draw.paper import Paper
from kt_cp.draw.picture import PRINT_FACE, Picture, svg
from kt_cp.files import import_optional
from kt_cp.messages import InputError

if TYPE_CHECKING:
    from PIL import Image

    from kt_cp.puzzles.words import Words

FONT_FOLDERS = [str(files("kt_cp.draw").joinpath("fonts"))]
"""The folders with the shipped fonts."""

ShowProgress = Callable[[str], None]
"""A function that is called with the progress of a long drawing, as a phrase."""

_METADATA = """#set document(
    title: sys.inputs.caption, description: sys.inputs.description, date: none
)
"""
_FITTING_PAGE = "#set page(width: auto, height: auto, margin: 0pt)\n"

_WIDE = 1.2  # the proportion of a picture, width to height, for which paper is turned

_MAX_LISTED_LETTERS = 8  # in the message that no font has them

_MAX_ENLARGED_SIDE = 1200  # of a picture that is drawn at twice its size as PNG, in pixels

_MAX_GIF_SIDE = 640  # in pixels
_FRAME_TIME = 250  # in milliseconds
_LAST_FRAME_TIME = 2500  # in milliseconds
_FRAMES_AT_ONCE = 16
_GIF_COLORS = 128


def require_typst() -> Any:
    """Return typst. Raises `InputError`, with the command that installs it, if it is missing."""
    install = "pip install 'knights-tours[plot]', or choose .svg"
    return import_optional("typst", "PNG, PDF, GIF and books", install)


def png(picture: Picture) -> bytes:
    """Return a picture as PNG, at twice its size unless it is large."""
    scale = 2 if max(picture.width, picture.height) < _MAX_ENLARGED_SIDE else 1
    source = f'{_FITTING_PAGE}#image("0.svg")'
    [page] = compile_pages([picture], source, format="png", ppi=96 * scale)
    return page


def pdf(picture: Picture, paper: Paper | None = None) -> bytes:
    """Return a picture as PDF of one page, with its caption and description as metadata.

    The page has the size of the picture; on ``paper`` the picture is as large as the margins allow.
    For a picture that is much wider than high, upright paper is turned.
    """
    if paper is None:
        source = f'{_FITTING_PAGE}#image("0.svg")'
    else:
        ground = color("paper", picture.theme)
        paper = _turned_for(picture, paper)
        source = (
            f"#set page(width: {paper.width}mm, height: {paper.height}mm, "
            f'margin: {paper.narrow_margin}mm, fill: rgb("{ground}"))\n'
            '#align(center + horizon, image("0.svg", width: 100%, height: 100%, fit: "contain"))'
        )
    [document] = compile_pages(
        [picture], source, picture.caption, picture.description, format="pdf"
    )
    return document


def _turned_for(picture: Picture, paper: Paper) -> Paper:
    """Return upright paper on its side for a picture that is much wider than high."""
    is_upright = paper.height > paper.width
    if is_upright and picture.width > _WIDE * picture.height:
        return Paper(paper.height, paper.width)
    return paper


def gif(pictures: Iterable[Picture], progress: ShowProgress | None = None) -> bytes:
    """Return pictures of one size as an animation, which repeats and shows the last one longest.

    ``progress`` is called with a phrase on how many of them are drawn.
    """
    from PIL import Image

    pictures = list(pictures)
    images: list[Image.Image] = []
    for first in range(0, len(pictures), _FRAMES_AT_ONCE):
        images += _rasterized(pictures[first : first + _FRAMES_AT_ONCE])
        if progress is not None:
            progress(f"drawing the animation: {len(images)} of {len(pictures)} pictures")
    palette = _common_palette(images)
    frames = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    times = [_FRAME_TIME] * (len(frames) - 1) + [_LAST_FRAME_TIME]
    file = BytesIO()
    frames[0].save(file, "gif", save_all=True, append_images=frames[1:], duration=times, loop=0)
    return file.getvalue()


def _rasterized(pictures: Sequence[Picture]) -> list[Image.Image]:
    """Return pictures as images with sides of at most `_MAX_GIF_SIDE`.

    They are drawn in their own size and then reduced. At other scales, at which squares are not a
    whole number of pixels, typst omits rows of pixels, which clips the joins of lines.
    """
    from PIL import Image

    pages = [f'#page(image("{number}.svg"))' for number in range(len(pictures))]
    source = _FITTING_PAGE + "\n".join(pages)
    images: list[Image.Image] = []
    for content in compile_pages(pictures, source, format="png", ppi=96):
        image = Image.open(BytesIO(content)).convert("RGB")
        image.thumbnail((_MAX_GIF_SIDE, _MAX_GIF_SIDE), Image.Resampling.LANCZOS)
        images.append(image)
    return images


def _common_palette(images: Sequence[Image.Image]) -> Image.Image:
    """Return an image whose palette suits the first image, the middle one and the last."""
    from PIL import Image

    chosen = [images[0], images[len(images) // 2], images[-1]]
    height = images[0].height
    joined = Image.new("RGB", (images[0].width, height * len(chosen)))
    for number, image in enumerate(chosen):
        joined.paste(image, (0, number * height))
    return joined.quantize(_GIF_COLORS)


def compile_pages(
    pictures: Sequence[Picture],
    source: str,
    caption: str = "",
    description: str = "",
    **options: Any,
) -> list[bytes]:
    """Return the documents that typst compiles from a source and pictures.

    They are one PDF, or a PNG for each page. The pictures are the files ``0.svg``, ``1.svg`` … of
    the source. ``options`` are those of ``typst.compile``. Raises `InputError` if typst or a font
    is missing.
    """
    texts = {f"{index}.svg": svg(each, printed=True) for index, each in enumerate(pictures)}
    # Descriptions are not drawn, so that their letters need no font.
    written = source + re.sub("<desc>.*</desc>", "", "".join(texts.values()))
    fonts = fonts_for(_special_letters(written))
    texts["main.typ"] = _METADATA + source
    sources = {name: text.encode() for name, text in texts.items()}
    inputs = {"caption": caption, "description": description}
    compiled = require_typst().compile(sources, font_paths=fonts, sys_inputs=inputs, **options)
    return compiled if isinstance(compiled, list) else [bytes(compiled)]


def check_fonts(words: Words) -> None:
    """Raise `InputError` if no font has all letters of a language."""
    fonts_for(_special_letters("".join(words.texts.values())))


def _special_letters(text: str) -> str:
    """Return the distinct letters of a text that are not ASCII, sorted."""
    return "".join(sorted(letter for letter in {*text} if not letter.isascii()))


@lru_cache(maxsize=8)
def fonts_for(letters: str) -> Any:
    """Return the shipped fonts or, if they lack some of the letters, the installed ones too.

    Raises `InputError` if no font has a letter.
    """
    typst = require_typst()
    source = f'#set text(font: "{PRINT_FACE}")\n#sys.inputs.letters'.encode()
    options = {"format": "pdf", "pdf_standards": "a-2b", "sys_inputs": {"letters": letters}}
    for system in (False, True):
        sources = {"include_system_fonts": system, "include_embedded_fonts": False}
        fonts = typst.Fonts(font_paths=FONT_FOLDERS, **sources)
        with suppress(typst.TypstError):  # PDF/A allows no letter that is not in a font
            typst.compile(source, font_paths=fonts, **options)
            return fonts
    listed = letters
    if len(letters) > _MAX_LISTED_LETTERS:
        listed = f"{letters[:_MAX_LISTED_LETTERS]}…"
    noto = "Noto Sans CJK for Chinese and Japanese (Debian's package fonts-noto-cjk)"
    wanted = f"install one, such as {noto}, or choose .svg"
    raise InputError(f"no installed font has all of the letters {listed}: {wanted}")
