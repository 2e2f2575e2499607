"""The colors of pictures: enough contrast, in every theme and on every ground."""

from itertools import chain, pairwise, product

import numpy as np
import pytest

from kt_cp.draw.look import GROUPS, PATHS, ROLES, SHADES, Theme, color, css_variables

THEMES = [Theme.LIGHT, Theme.DARK, Theme.WOOD, Theme.GRAY]
GROUNDS = ("paper", "light", "dark")
TEXTS = ("ink", "muted", "line", "start", "end", "fault", "given")
LINES = (*TEXTS, "faint", *PATHS)
FILLS = tuple(role for role in ROLES if role not in {*GROUNDS, *LINES})


def luminance(value: str) -> float:
    parts = np.frombuffer(bytes.fromhex(value[1:]), dtype=np.uint8) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colors, from 1 to 21, as WCAG 2.2 defines it."""
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_shades_have_a_contrast_of_3_and_those_of_open_tours_get_lighter(theme: Theme) -> None:
    scales = [[color(f"{name}-{n}", theme) for n in range(SHADES)] for name in ("order", "cycle")]
    for shade, ground in product(chain(*scales), GROUNDS):
        assert contrast(shade, color(ground, theme)) >= 3
    lightness = [luminance(shade) for shade in scales[0]]
    assert lightness == sorted(lightness)
    parts = np.array([list(bytes.fromhex(shade[1:])) for shade in scales[1]], dtype=int)
    assert np.abs(np.diff(parts, axis=0, append=parts[:1])).max() <= 40


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    ("upper", "lower", "least"),
    [
        (LINES, GROUNDS, 3),
        (("line",), ("visited", "interior", "removed", "group-1"), 3),
        (TEXTS, GROUNDS, 4.5),
        (("ink",), FILLS, 4.5),
    ],
)
def test_lines_have_a_contrast_of_3_to_what_they_lie_on_and_text_of_4_5(
    upper: tuple[str, ...], lower: tuple[str, ...], least: float, theme: Theme
) -> None:
    for one, other in product(upper, lower):
        assert contrast(color(one, theme), color(other, theme)) >= least


@pytest.mark.parametrize("theme", THEMES)
def test_the_line_of_a_path_has_a_contrast_of_3_to_its_tint(theme: Theme) -> None:
    for line, tint in zip(PATHS, GROUPS, strict=True):
        assert contrast(color(line, theme), color(tint, theme)) >= 3


def test_colors_that_turn_dark_differ_in_light_too() -> None:
    """The style sheet recolors by the light color, which must tell which role it is."""
    scales = [f"{scale}-{shade}" for scale in ("order", "cycle") for shade in range(SHADES)]
    roles = [*ROLES, *scales]
    dark: dict[str, str] = {}
    for role in roles:
        dark.setdefault(color(role), color(role, Theme.DARK))
        assert dark[color(role)] == color(role, Theme.DARK)


def test_gray_has_no_hue_and_its_text_lines_and_clues_are_black() -> None:
    black = {"ink", "line", "given", "start", "end", *PATHS}
    for role in ROLES:
        shade = color(role, Theme.GRAY)
        assert shade[1:3] == shade[3:5] == shade[5:7]
        assert (shade == "#000000") == (role in black)
        if role not in black and not role.startswith("angle"):
            assert luminance(shade) == pytest.approx(luminance(color(role)), abs=0.005)


def test_in_gray_the_six_angles_can_be_told_apart() -> None:
    shades = [color(role, Theme.GRAY) for role in ROLES if role.startswith("angle")]
    for darker, lighter in pairwise(shades):
        assert contrast(darker, lighter) >= 1.2


def test_pages_follow_the_screen_unless_a_theme_is_asked_for() -> None:
    assert "prefers-color-scheme:dark" in css_variables()
    assert "prefers-color-scheme" not in css_variables(Theme.WOOD)
    assert f"--line:{color('line', Theme.WOOD)}" in css_variables(Theme.WOOD)
