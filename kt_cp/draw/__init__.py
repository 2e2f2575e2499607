"""Pictures of tours and of what is wrong with them, and pages that replay a search.

A picture is described once, as layers (`kt_cp.draw.picture`), and drawn as SVG by the standard
library or as PNG and GIF by matplotlib.
"""

from kt_cp.draw.notebook import report_html, tour_svg
from kt_cp.draw.output import check_picture, draw_report, draw_tour
from kt_cp.draw.tour import Style

__all__ = ["Style", "check_picture", "draw_report", "draw_tour", "report_html", "tour_svg"]
