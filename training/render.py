"""Render set-ups of Pacal's Rocket with exact truth, in the format of the shared scenes.

``python -m training.render OUT_DIR --seed 7 --setups 10 --stills 12``; see README.md beside this file.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator

from companion.boards import Board
from companion.games.pacal.pieces import Piece
from companion.observation import squares_to_json
from companion.squares import Square
from training.rendering.camera import SIZE, STEEP, TILT, Camera, bump
from training.rendering.light import Light, change_light, draw_light, mirrored_lamps
from training.rendering.placing import OFTEN_TURNED, TURNED, draw_position, draw_pyramids, stand
from training.rendering.studio import Studio, build
from training.rendering.turns import film
from training.rendering.usual import (
    PYRAMID_SHARE,
    crowd,
    fleet,
    hiding,
    more_ships,
    played_position,
    supplied_position,
    usual_position,
)
from vision.teaching.laying import draw_palettes

GLOSSY, PALE = "glossy", "pale"
MIRRORED = 0.5
"""How often more lamps are mirrored in pale stones than light their table."""
_MOSTLY_STONES = partial(crowd, pyramids=0.1)
FULL: dict[str, Callable[[Generator, Board], dict[Square, Piece]]] = {
    "pyramids": draw_pyramids,
    "crowd": crowd,
    "fleet": fleet,
    "hiding": hiding,
    "stones": _MOSTLY_STONES,
    PALE: _MOSTLY_STONES,
    GLOSSY: partial(crowd, pyramids=PYRAMID_SHARE),
}
"""What boards full of pieces show."""


def make_setup(rng: Generator, studio: Studio, stills: int, full: str | None, turns: int) -> None:
    """Take all pictures of a set-up. full: see ``main``."""
    corners = np.round(studio.camera.corners_px(), 2).tolist()
    setup = {"image_size": list(SIZE), "board_corners_px": corners, "notes": studio.notes}
    studio.write_truth("setup", setup)
    studio.take(rng, "empty", [], studio.camera, studio.light)
    for number, palette in enumerate(draw_palettes(rng, studio.board), 1):
        _take_position(rng, studio, f"palette-{number}", palette, studio.camera, studio.light)
    for number in range(1, stills + 1):
        camera = bump(rng, studio.camera) if rng.random() < 0.25 else studio.camera
        light, position = studio.light, None
        if full is not None:
            if full != PALE:
                drawn = draw_light(rng, studio.middle, camera.pose.eye.tolist())
                # A camera that does not adapt would see little in a light that has nothing to do with the usual one.
                light = replace(drawn, dim=light.dim * float(rng.uniform(0.4, 1.2)))
            if full == GLOSSY or (full == PALE and rng.random() < MIRRORED):
                light = mirrored_lamps(rng, light, studio.middle, camera.pose.eye.tolist())
            position = FULL[full](rng, studio.board)
        light = change_light(rng, light, studio.middle, camera.pose.eye.tolist())
        _take_position(rng, studio, f"still-{number:03}", position, camera, light)
    for number in range(1, turns + 1):
        film(rng, studio, f"turn-{number:02}")


def _take_position(
    rng: Generator, studio: Studio, name: str, seen: dict[Square, Piece] | None, camera: Camera, light: Light
) -> None:
    """Take a picture of a position, drawn when there is none, and write its truth."""
    placed = None
    while placed is None:
        position = seen or studio.draw_position(rng, studio.board)
        placed = stand(rng, studio.board, studio.pieces.sizes, position, studio.turned)
    truth = {"squares": squares_to_json(position), **studio.take(rng, name, placed, camera, light)}
    if camera is not studio.camera:
        truth["board_corners_px"] = np.round(camera.corners_px(), 2).tolist()
    studio.write_truth(name, truth)


def _positions(chosen: argparse.Namespace) -> Callable[[Generator, Board], dict[Square, Piece]]:
    """What draws the positions that stills show."""
    if chosen.ships:
        return more_ships
    if chosen.played:
        return played_position
    return supplied_position if chosen.supplied else usual_position if chosen.usual else draw_position


def main() -> None:
    parser = argparse.ArgumentParser(description="Render set-ups of Pacal's Rocket with exact truth.")
    parser.add_argument("out_dir", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--setups", type=int, default=1)
    parser.add_argument("--stills", type=int, default=8, help="stills of each set-up")
    parser.add_argument("--turns", type=int, default=0, help="filmed turns of each set-up, of 10 or 15 pictures")
    parser.add_argument("--name", default="setup", help="folders are called NAME-01, NAME-02, ...")
    parser.add_argument("--first", type=int, default=1, help="number of the first set-up, to go on where a run ended")
    parser.add_argument("--small", action="store_true", help="render fewer pixels, and enlarge them: faster and softer")
    parser.add_argument("--samples", type=int, default=5, help="rays a pixel, at most")
    parser.add_argument(
        "--full",
        choices=FULL,
        help="stills show many pieces, each in another light: nothing but pyramids, or of all sorts with --usual; "
        "glossy ones mirror lamps, and so do pale stones, in their table's own light",
    )
    parser.add_argument(
        "--usual",
        action="store_true",
        help="the game's pieces, as many as in a game, and a good camera, as in the reference scenes",
    )
    parser.add_argument(
        "--supplied",
        action="store_true",
        help="stills show no more pieces of any sort than players have, as in a game and in the reference scenes",
    )
    parser.add_argument(
        "--played",
        action="store_true",
        help="the same, and the ships of all players that have pieces there, or of all but one: with --usual",
    )
    parser.add_argument(
        "--ships",
        action="store_true",
        help="such stills with more ships, seen from nearly straight above: with --usual, to learn their walls from",
    )
    parser.add_argument("--lenses", action="store_true", help="seen by other cameras: lenses of 50 to 102 degrees")
    parser.add_argument("--turned", action="store_true", help="most pyramids are turned by any angle")
    parser.add_argument("--threads", type=int, default=1)
    chosen = parser.parse_args()
    cv2.setNumThreads(chosen.threads)
    for number in range(chosen.first, chosen.first + chosen.setups):
        begin = time.perf_counter()
        rng = np.random.default_rng([chosen.seed, number])
        name = f"{chosen.name}-{number:02}"
        making = chosen.out_dir / f".{name}"
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir(parents=True)
        studio = build(
            rng,
            making,
            0.65 if chosen.small else 1.0 if chosen.usual else 0.85,
            chosen.samples,
            chosen.threads,
            chosen.usual,
            chosen.full in (GLOSSY, PALE),
            STEEP if chosen.ships else TILT,
            chosen.lenses,
            _positions(chosen),
            OFTEN_TURNED if chosen.turned else TURNED,
        )
        make_setup(rng, studio, chosen.stills, chosen.full, chosen.turns)
        (making / "light.exr").unlink()
        # Only whole set-ups bear their name.
        making.rename(chosen.out_dir / name)
        seconds = (time.perf_counter() - begin) / len(list((chosen.out_dir / name).rglob("*.jpg")))
        sys.stderr.write(f"{name}: {seconds:.1f} s a picture; {studio.notes}\n")


if __name__ == "__main__":
    main()
