"""The PDFs for a class are made from their pages, and small."""

from scripts.handouts import GUIDES, HANDOUTS, SETTINGS, digest_of, typst_document


def test_the_handouts_are_made_from_the_pages_as_they_are() -> None:
    for name in SETTINGS:
        document = typst_document((GUIDES / f"{name}.md").read_text(encoding="utf-8"), name)
        stored = (HANDOUTS / f"{name}.pdf").read_bytes()
        assert digest_of(document) in stored, "run python scripts/handouts.py"
        assert len(stored) < 150_000
