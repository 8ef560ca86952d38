"""How many stones nobody can see: how much of them ships hide on average, wherever they lie.

``python -m training.unseen SETUP_DIR...`` lays stones by chance on all squares without a ship, in each still of some
set-ups, and counts those of which ships hide more than half, or all, as many as the still shows.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.bench.scenes import Still, read_stills
from companion.boards import Board
from companion.cli.teach import board_of
from companion.games.pacal.pieces import Ship, Stones
from companion.squares import Square
from vision.frames import read_picture
from vision.geometry import Floats
from vision.reading.die.camera import DieCamera
from vision.reading.shapes import STONE_MM, hidden_by_ship
from vision.teaching.setup_folder import read_setup

LAID, POINTS = 20, 30
"""Stones that are laid on each square, and places on each that are looked at."""
HALF, ALL = 0.5, 0.97
NEAR_MM = 150.0
"""No ship hides what is further from it, seen from where the cameras are."""


def unseen(rng: Generator, board: Board, still: Still) -> tuple[float, float]:
    """How many of a still's stones ships would hide to more than half, and wholly, on average."""
    camera = DieCamera.of(read_picture(still.file), np.array(still.corners_px), board.size_mm)
    if camera is None:
        raise SystemExit(f"{still.name}: its corners are those of no board")
    eye = camera.pose.eye
    ships = [np.array(board.centre_mm(name)) for name, piece in still.seen.items() if isinstance(piece, Ship)]
    outlines = [ship + hidden_by_ship(eye - (*ship, 0)) for ship in ships]
    shares: list[Floats] = []
    for name in sorted(board.squares):
        if not isinstance(still.seen.get(name), Ship):
            points = _laid(rng, board, name)
            hidden = np.zeros(points.shape[:2], bool)
            for ship, outline in zip(ships, outlines, strict=True):
                if np.hypot(*(ship - board.centre_mm(name))) < NEAR_MM:
                    hidden |= _within(outline, points)
            shares.append(hidden.mean(axis=1))
    stones = sum(len(piece.colours) for piece in still.seen.values() if isinstance(piece, Stones))
    every = np.concatenate(shares)
    return stones * float((every > HALF).mean()), stones * float((every > ALL).mean())


def _laid(rng: Generator, board: Board, name: Square) -> Floats:
    """Places on stones that lie on a square by chance: stones x places x 2, mm."""
    reach = STONE_MM / np.sqrt(3)
    slack = np.array(board.square_mm) / 2 - reach
    middles = board.centre_mm(name) + rng.uniform(-1, 1, (LAID, 1, 2)) * slack
    angles = rng.uniform(0, 2 * np.pi, (LAID, 1)) + np.arange(3) * 2 * np.pi / 3
    corners = reach * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return np.asarray(middles + rng.dirichlet((1, 1, 1), (LAID, POINTS)) @ corners, np.float64)


def _within(outline: Floats, points: Floats) -> NDArray[np.bool_]:
    """Which points (... x 2) are within a convex outline (N x 2)."""
    sides = np.roll(outline, -1, axis=0) - outline
    across = points[..., None, :] - outline
    turns = sides[:, 0] * across[..., 1] - sides[:, 1] * across[..., 0]
    return np.asarray((turns >= 0).all(axis=-1) | (turns <= 0).all(axis=-1))


def main() -> None:
    parser = argparse.ArgumentParser(description="How many stones ships hide on average.")
    parser.add_argument("setups", type=Path, nargs="+")
    rng, half, whole, stills = np.random.default_rng(0), 0.0, 0.0, 0
    for folder in parser.parse_args().setups:
        board = read_setup(folder, board_of).board
        for still in read_stills(folder):
            hidden = unseen(rng, board, still)
            half, whole, stills = half + hidden[0], whole + hidden[1], stills + 1
    sys.stdout.write(f"{stills} stills: {half:.2f} stones of which more than half is hidden, {whole:.2f} all hidden\n")


if __name__ == "__main__":
    main()
