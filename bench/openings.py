"""Draw the opening of every game, as docs/games shows it.

python -m bench.openings        # writes docs/games/NAME.png anew
"""

from pathlib import Path

import rules
from rules.ruleset import GAME_NAMES
from simcore.draw import picture, save_picture

FOLDER = Path(__file__).parents[1] / "docs" / "games"


def draw_opening(game: str, folder: Path = FOLDER) -> Path:
    """Write the picture of a game's opening, the cue ball in the middle of the D; returns its path."""
    frame = rules.Frame.start(game)
    places = frame.positions.copy()
    places[0] = frame.bed.d_x, frame.bed.baulk_y - 0.5 * frame.bed.d_radius
    path = folder / f"{game}.png"
    save_picture(picture(frame.table, places, frame.colours, radius=frame.ruleset.ball_radius), path)
    return path


if __name__ == "__main__":
    for name in GAME_NAMES:
        draw_opening(name)
