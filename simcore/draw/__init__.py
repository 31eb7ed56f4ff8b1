"""Pictures of tables, balls and paths, drawn to scale with matplotlib, which is imported only when a picture is made.

Knows nothing of rules: which ball has which colour is told by the caller.
"""

from simcore.draw.table import BALL_COLOURS, draw_balls, draw_paths, draw_table, picture, save_picture

__all__ = ["BALL_COLOURS", "draw_balls", "draw_paths", "draw_table", "picture", "save_picture"]
