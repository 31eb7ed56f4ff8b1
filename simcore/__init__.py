"""Snooker physics: tables, balls and shots in; positions, facts and events out. Knows nothing of rules or scores."""

from simcore.noise import Noise
from simcore.physics import Physics
from simcore.results import EventKind, Events, ShotResults, SimulationError, Status
from simcore.shots import Motion, Shots
from simcore.simulate import simulate
from simcore.streaming import in_chunks, stream
from simcore.table import Table

__version__ = "0.1.0"

__all__ = [
    "EventKind",
    "Events",
    "Motion",
    "Noise",
    "Physics",
    "ShotResults",
    "Shots",
    "SimulationError",
    "Status",
    "Table",
    "in_chunks",
    "simulate",
    "stream",
]
