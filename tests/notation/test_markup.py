"""What is rewritten in pasted texts: every rewrite finds its example."""

import pytest

from kt_cp.notation.markup import HTML, REWRITES, Rewrite, plain_text


@pytest.mark.parametrize("rewrite", [*HTML, *REWRITES], ids=lambda rewrite: rewrite.example)
def test_a_rewrite_changes_its_example(rewrite: Rewrite) -> None:
    assert rewrite.apply(rewrite.example) == rewrite.result


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("np.int64(5) 6", "          5 6"),
        ("| **1** | 4 |", "|   1   | 4 |"),
        ("[[1 2\n 3] [4 5\n 6]]", "[[1 2  3]\n [4 5  6]\n]"),
        ("1) a1\n2) b3", "   a1\n   b3"),
        ("1:1; 2:3", "1:1; 2:3"),
        ("|a|b|\n|-|-|\n|1|2|", "|a|b|\n\n|1|2|"),
    ],
)
def test_what_is_removed_leaves_the_rest_in_its_place(text: str, plain: str) -> None:
    assert plain_text(text) == plain
