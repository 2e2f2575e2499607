"""The colors of pictures: enough contrast, in every theme and on every ground."""

from itertools import pairwise, product

import pytest

from kt_cp.draw.palette import (
    FILLS,
    GROUNDS,
    LINES,
    ROLES,
    SHADES,
    TEXTS,
    Theme,
    color,
    contrast,
    gray,
    variables,
)

THEMES = [Theme.LIGHT, Theme.DARK, Theme.WOOD]


@pytest.mark.parametrize("theme", THEMES)
def test_lines_have_a_contrast_of_3_to_what_they_lie_on(theme: Theme) -> None:
    for line, ground in product(LINES, GROUNDS):
        assert contrast(color(line, theme), color(ground, theme)) >= 3
    for ground in ("visited", "interior", "removed", "group-1"):
        assert contrast(color("line", theme), color(ground, theme)) >= 3


@pytest.mark.parametrize("theme", THEMES)
def test_every_shade_of_the_order_has_a_contrast_of_3_and_lightness_rises(theme: Theme) -> None:
    shades = [color(f"order-{shade}", theme) for shade in range(SHADES)]
    for shade, ground in product(shades, GROUNDS):
        assert contrast(shade, color(ground, theme)) >= 3
    to_black = [contrast(shade, "#000000") for shade in shades]
    assert all(later > earlier for earlier, later in pairwise(to_black))


@pytest.mark.parametrize("theme", THEMES)
def test_text_has_a_contrast_of_4_5_to_what_it_lies_on(theme: Theme) -> None:
    for text, ground in product(TEXTS, GROUNDS):
        assert contrast(color(text, theme), color(ground, theme)) >= 4.5
    for fill in FILLS:
        assert contrast(color("ink", theme), color(fill, theme)) >= 4.5


def test_text_has_a_contrast_of_4_5_in_gray() -> None:
    for text, ground in product(TEXTS, [*GROUNDS, *FILLS]):
        assert contrast(gray(text), gray(ground)) >= 4.5 or text != "ink"


def test_colors_that_turn_dark_differ_in_light_too() -> None:
    """The style sheet recolors by the light color, which must tell which role it is."""
    roles = [*ROLES, *(f"order-{shade}" for shade in range(SHADES))]
    dark: dict[str, str] = {}
    for role in roles:
        dark.setdefault(color(role), color(role, Theme.DARK))
        assert dark[color(role)] == color(role, Theme.DARK)


def test_pages_follow_the_screen_unless_a_theme_is_asked_for() -> None:
    assert "prefers-color-scheme:dark" in variables()
    assert "prefers-color-scheme" not in variables(Theme.WOOD)
    assert f"--line:{color('line', Theme.WOOD)}" in variables(Theme.WOOD)
