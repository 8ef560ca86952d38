"""A set-up as Blender shows it: board, table, light, camera and pieces, and how a picture of it is taken."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.boards import Board
from companion.games.pacal.pieces import Piece
from companion.squares import Square
from training.rendering.board_layout import LAYOUT_FILE, draw_board, to_toml
from training.rendering.board_print import draw_print
from training.rendering.camera import SIZE, Camera, draw_camera
from training.rendering.camera_effects import Metering, Sensor, meter, photograph
from training.rendering.light import Light, draw_light, put_light
from training.rendering.pieces_box import PiecesBox
from training.rendering.placing import PieceSizes, Standing
from training.rendering.scene import put_board, put_table, render, start_scene
from training.rendering.tables import draw_room, draw_table
from training.rendering.things import Beside, put_die, put_supplies, put_things
from training.rendering.truth import hidden_die, hidden_shares
from training.rendering.usual import USUAL_DIM, usual_sensor, usual_sizes


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
        self.shoot(rng, name, camera, light)
        take_away(made)
        self.beside.taken = room_beside
        return {"die": die, "conditions": {"bumped": camera is not self.camera, "light": light.words}, "hidden": hidden}

    def shoot(self, rng: Generator, name: str, camera: Camera, light: Light) -> None:
        """Take a picture of all that is there."""
        seen = render(camera, self.scale, self.folder, int(rng.integers(2**31)))
        metering = meter(self.sensor, seen, _colour_of(light), light.dim)
        if self.metering is not None and not self.sensor.automatic:
            metering = self.metering
        self.metering = self.metering or metering
        photo = photograph(rng, self.sensor, metering, camera.lens, seen, self.scale)
        cv2.imwrite(str(self.folder / f"{name}.jpg"), photo, [cv2.IMWRITE_JPEG_QUALITY, self.sensor.quality])

    def write_truth(self, name: str, truth: dict[str, Any]) -> None:
        head = {"format": 1, "game": "pacal", "board": self.board_file}
        (self.folder / f"{name}.json").write_text(json.dumps(head | truth) + "\n", encoding="utf-8")


def _colour_of(light: Light) -> tuple[float, ...]:
    """The colour of all light that falls on the board."""
    parts = [light.room * np.ones(3)] + [lamp.share * np.array(lamp.colour) for lamp in light.lamps]
    return tuple(float(part) for part in np.sum(parts, axis=0))


def take_away(things: Iterable[bpy.types.Object]) -> None:
    """Take things off the table for good."""
    for thing in things:
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
    others: bool,
    position: Callable[[Generator, Board], dict[Square, Piece]],
    turned: float,
) -> Studio:
    """Draw a set-up and put up everything that stays. usual, glossy: see ``main``. most_tilt, others: see
    ``draw_camera``. position: draws what stills show. turned: see ``stand``."""
    start_scene(samples, threads)
    drawn = draw_board(rng)
    board = drawn.layout.board()
    if drawn.file == LAYOUT_FILE:
        (folder / LAYOUT_FILE).write_text(to_toml(drawn.layout), encoding="utf-8")
    camera = draw_camera(rng, board.size_mm, usual, most_tilt, others)
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
