"""What the owner of a simulated table photographs to teach it: a set-up folder like that of a real one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2

from companion.games.pacal.pieces import Piece, Pyramid, Ship
from companion.observation import squares_to_json
from vision.frames import Picture
from vision.simulated.light import DAYLIGHT, Light
from vision.simulated.scene import Renderer, SceneState, Standing
from vision.simulated.view import View
from vision.teaching.laying import palettes_to_lay


def write_setup(folder: Path, renderer: Renderer, view: View, light: Light = DAYLIGHT) -> None:
    """Write ``setup.json``, ``empty.jpg`` and the palettes (``palettes_to_lay``) into a folder.

    folder: made when it is not there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    board = renderer.printed.board
    setup = {
        "format": 1,
        "game": board.game,
        "board": board.name,
        "image_size": list(view.size),
        "board_corners_px": corners_px(renderer, view),
        "notes": "simulated",
    }
    (folder / "setup.json").write_text(json.dumps(setup) + "\n", encoding="utf-8")
    _write_picture(folder / "empty.jpg", renderer.render(SceneState(light=light), view))
    for number, seen in enumerate(palettes_to_lay(board), 1):
        scene = SceneState({name: standing(piece) for name, piece in seen.items()}, light=light)
        _write_picture(folder / f"palette-{number}.jpg", renderer.render(scene, view, float(number)))
        truth: dict[str, Any] = {"format": 1, "game": board.game, "board": board.name}
        truth |= {"squares": squares_to_json(seen), "die": None}
        (folder / f"palette-{number}.json").write_text(json.dumps(truth) + "\n", encoding="utf-8")


def corners_px(renderer: Renderer, view: View) -> list[list[float]]:
    """Where the board's corners are in the picture: the one at A1, then clockwise as seen from above."""
    width, height = renderer.printed.board.size_mm
    corners = [(0, 0, 0), (width, 0, 0), (width, height, 0), (0, height, 0)]
    return [[round(float(x), 2), round(float(y), 2)] for x, y in view.project(corners)]


def standing(piece: Piece) -> Standing:
    """A piece that can be seen, as what is on its square."""
    match piece:
        case Ship():
            return Standing(ship=piece)
        case Pyramid():
            return Standing(pyramid=piece)
    return Standing(stones=piece.colours)


def _write_picture(path: Path, picture: Picture) -> None:
    encoded, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 93])
    assert encoded
    path.write_bytes(data.tobytes())
