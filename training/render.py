"""Render set-ups of Pacal's Rocket with exact truth, in the format of the shared scenes.

``python -m training.render OUT_DIR --seed 7 --setups 10 --stills 12``; see README.md beside this file.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.boards import Board
from companion.games.pacal.pieces import Piece
from companion.squares import Square, reading_order
from training.board_layout import LAYOUT_FILE, draw_board, to_toml
from training.board_print import draw_print
from training.camera import SIZE, STEEP, TILT, Camera, bump, draw_camera
from training.camera_effects import Metering, Sensor, meter, photograph
from training.light import Light, change_light, draw_light, mirrored_lamps, put_light
from training.pieces_box import PiecesBox
from training.placing import (
    OFTEN_TURNED,
    TURNED,
    PieceSizes,
    Standing,
    draw_palettes,
    draw_position,
    draw_pyramids,
    stand,
)
from training.scene import put_board, put_table, render, start_scene
from training.tables import draw_room, draw_table
from training.things import Beside, put_die, put_supplies, put_things
from training.truth import hidden_die, hidden_shares
from training.usual import (
    PYRAMID_SHARE,
    USUAL_DIM,
    crowd,
    fleet,
    hiding,
    more_ships,
    played_position,
    supplied_position,
    usual_position,
    usual_sensor,
    usual_sizes,
)

GLOSSY = "glossy"
FULL: dict[str, Callable[[Generator, Board], dict[Square, Piece]]] = {
    "pyramids": draw_pyramids,
    "crowd": crowd,
    "fleet": fleet,
    "hiding": hiding,
    "stones": partial(crowd, pyramids=0.1),
    GLOSSY: partial(crowd, pyramids=PYRAMID_SHARE),
}
"""What boards full of pieces show."""


@dataclass
class Studio:
    """All that one set-up's pictures have in common; the scene itself is Blender's."""

    folder: Path
    board: Board
    board_file: str
    camera: Camera
    sensor: Sensor
    light: Light
    room: NDArray[np.float32]
    pieces: PiecesBox
    beside: Beside
    draw_position: Callable[[Generator, Board], dict[Square, Piece]]
    turned: float
    scale: float
    notes: str
    metering: Metering | None = None

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the board in mm."""
        return self.board.size_mm[0] / 2, self.board.size_mm[1] / 2

    def take(self, rng: Generator, name: str, placed: list[Standing], camera: Camera, light: Light) -> dict[str, Any]:
        """Take a picture of pieces on the board; what the truth says besides what stands where."""
        room_beside = list(self.beside.taken)
        die, cube = put_die(rng, self.beside, camera)
        made = cube + put_supplies(rng, self.beside, self.pieces)
        parts: list[set[str]] = []
        for at, piece in enumerate(placed):
            put = self.pieces.put(piece, f"piece-{at}")
            parts.append({part.name for part in put})
            made += put
        hidden: dict[str, Any] = dict(hidden_shares(placed, self.pieces.sizes, parts, camera.pose.eye))
        if die is not None:
            hidden |= hidden_die(cube, camera.pose.eye)
        made += put_light(light, self.middle, self.room)
        seen = render(camera, self.scale, self.folder, int(rng.integers(2**31)))
        metering = meter(self.sensor, seen, _colour_of(light), light.dim)
        if self.metering is not None and not self.sensor.automatic:
            metering = self.metering
        self.metering = self.metering or metering
        photo = photograph(rng, self.sensor, metering, camera.lens, seen, self.scale)
        cv2.imwrite(str(self.folder / f"{name}.jpg"), photo, [cv2.IMWRITE_JPEG_QUALITY, self.sensor.quality])
        for thing in made:
            _take_away(thing)
        self.beside.taken = room_beside
        return {"die": die, "conditions": {"bumped": camera is not self.camera, "light": light.words}, "hidden": hidden}

    def write_truth(self, name: str, truth: dict[str, Any]) -> None:
        head = {"format": 1, "game": "pacal", "board": self.board_file}
        (self.folder / f"{name}.json").write_text(json.dumps(head | truth) + "\n", encoding="utf-8")


def _colour_of(light: Light) -> tuple[float, ...]:
    """The colour of all light that falls on the board."""
    parts = [light.room * np.ones(3)] + [lamp.share * np.array(lamp.colour) for lamp in light.lamps]
    return tuple(float(part) for part in np.sum(parts, axis=0))


def _take_away(thing: bpy.types.Object) -> None:
    data = thing.data
    bpy.data.objects.remove(thing)
    if data.users == 0:
        (bpy.data.meshes if isinstance(data, bpy.types.Mesh) else bpy.data.lights).remove(data)


def build(
    rng: Generator,
    folder: Path,
    scale: float,
    samples: int,
    threads: int,
    usual: bool,
    glossy: bool,
    most_tilt: float,
    position: Callable[[Generator, Board], dict[Square, Piece]],
    turned: float,
) -> Studio:
    """Draw a set-up and put up everything that stays. usual, glossy: see ``main``. most_tilt: see
    ``draw_camera``. position: draws what stills show. turned: see ``stand``."""
    start_scene(samples, threads)
    drawn = draw_board(rng)
    board = drawn.layout.board()
    if drawn.file == LAYOUT_FILE:
        (folder / LAYOUT_FILE).write_text(to_toml(drawn.layout), encoding="utf-8")
    camera = draw_camera(rng, board.size_mm, usual, most_tilt)
    gloss = put_board(rng, board.size_mm, draw_print(rng, drawn, usual))
    table, picture = draw_table(rng)
    put_table(rng, board.size_mm, picture)
    beside = Beside(camera, [])
    put_things(rng, beside)
    middle = (board.size_mm[0] / 2, board.size_mm[1] / 2)
    light = draw_light(rng, middle, camera.pose.eye.tolist())
    if usual:
        light = replace(light, dim=max(light.dim, USUAL_DIM))
    draw_sizes = usual_sizes if usual else PieceSizes.draw
    pieces = PiecesBox(rng, draw_sizes(rng, min(board.square_mm)), camera.tilt, usual, glossy)
    field = 2 * np.degrees(np.arctan(SIZE[0] / 2 / camera.lens.focal))
    notes = (
        f"{light.words}; table: {table}; {gloss}; {pieces.notes}; camera tilt about {camera.tilt:.0f} degrees from "
        f"vertical, seen from azimuth {camera.azimuth:.0f} degrees (270 = from below the last row); field of view "
        f"{field:.1f} degrees; lens k1 {camera.lens.k1:.3f}"
    )
    sensor = usual_sensor(rng) if usual else Sensor.draw(rng)
    room = draw_room(rng)
    return Studio(
        folder, board, drawn.file, camera, sensor, light, room, pieces, beside, position, turned, scale, notes
    )


def make_setup(rng: Generator, studio: Studio, stills: int, full: str | None) -> None:
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
            drawn = draw_light(rng, studio.middle, camera.pose.eye.tolist())
            # A camera that does not adapt would see little in a light that has nothing to do with the usual one.
            light = replace(drawn, dim=light.dim * float(rng.uniform(0.4, 1.2)))
            if full == GLOSSY:
                light = mirrored_lamps(rng, light, studio.middle, camera.pose.eye.tolist())
            position = FULL[full](rng, studio.board)
        light = change_light(rng, light, studio.middle, camera.pose.eye.tolist())
        _take_position(rng, studio, f"still-{number:03}", position, camera, light)


def _take_position(
    rng: Generator, studio: Studio, name: str, seen: dict[Square, Piece] | None, camera: Camera, light: Light
) -> None:
    """Take a picture of a position, drawn when there is none, and write its truth."""
    placed = None
    while placed is None:
        position = seen or studio.draw_position(rng, studio.board)
        placed = stand(rng, studio.board, studio.pieces.sizes, position, studio.turned)
    squares = {at: position[at].to_json() for at in sorted(position, key=reading_order)}
    truth = {"squares": squares, **studio.take(rng, name, placed, camera, light)}
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
    parser.add_argument("--name", default="setup", help="folders are called NAME-01, NAME-02, ...")
    parser.add_argument("--first", type=int, default=1, help="number of the first set-up, to go on where a run ended")
    parser.add_argument("--small", action="store_true", help="render fewer pixels, and enlarge them: faster and softer")
    parser.add_argument("--samples", type=int, default=5, help="rays a pixel, at most")
    parser.add_argument(
        "--full",
        choices=FULL,
        help="stills show many pieces, each in another light: nothing but pyramids, or of all sorts with --usual; "
        "glossy ones mirror lamps",
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
            chosen.full == GLOSSY,
            STEEP if chosen.ships else TILT,
            _positions(chosen),
            OFTEN_TURNED if chosen.turned else TURNED,
        )
        make_setup(rng, studio, chosen.stills, chosen.full)
        (making / "light.exr").unlink()
        # Only whole set-ups bear their name.
        making.rename(chosen.out_dir / name)
        seconds = (time.perf_counter() - begin) / (3 + chosen.stills)
        sys.stderr.write(f"{name}: {seconds:.1f} s a picture; {studio.notes}\n")


if __name__ == "__main__":
    main()
