"""Large rectangles from small solved ones."""
