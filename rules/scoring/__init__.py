"""Scoring by hand: what a scorer types, the session it makes, and the terminal it is typed on."""
