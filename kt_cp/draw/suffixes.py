"""The suffixes of the files that pictures are written to."""

PICTURE_SUFFIXES = (".svg", ".png", ".pdf", ".html")
"""The suffixes of files for pictures that do not move."""

TOUR_SUFFIXES = (*PICTURE_SUFFIXES, ".gif")
"""The suffixes of files for tours of boards, which can be animated too."""
