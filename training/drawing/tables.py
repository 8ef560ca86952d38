"""Set-ups that are drawn within a second a picture: far from a photograph, but each is another table.

Boards, sizes and paints of pieces, camera, light, shadows and noise are all drawn by chance.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board
from companion.games.pacal.pieces import COLOURS, MAX_FLOORS, Piece, Pyramid, Ship, Stones
from companion.squares import position, square
from training.drawing.pieces import Pieces, solid_of
from training.rendering.board_layout import LAYOUT_FILE, draw_board, to_toml
from vision.frames import Picture
from vision.geometry import Floats
from vision.simulated import shapes
from vision.simulated.brush import draw_shadows, draw_solids
from vision.simulated.light import Light, LightField
from vision.simulated.printed import PrintedBoard
from vision.simulated.shapes import Solid
from vision.simulated.surroundings import draw_surroundings
from vision.simulated.view import View

STILLS = 6
PLAIN = 1000
"""From this seed on the pieces are those of the simulated table, so that its demo game can be read too."""


class Table:
    """One table: board, pieces, camera and light."""

    def __init__(self, seed: int, plain: bool = False) -> None:
        """plain: with the pieces of the simulated table instead of a set of its own."""
        self.plain = plain
        self.rng = rng = np.random.default_rng(seed)
        self.seed = seed
        self.layout = layout = draw_board(rng).layout
        squares = frozenset(
            square(c, r) for r, row in enumerate(layout.districts) for c, kind in enumerate(row) if kind.isalpha()
        )
        rows, columns = len(layout.districts), len(layout.districts[0])
        self.board = Board("pacal", layout.name, layout.size_mm, layout.grid_mm, columns, rows, squares)
        self.printed = PrintedBoard(self.board, layout.districts, layout.shore, dict(layout.values))
        self.box = Pieces.draw(rng, min(self.board.square_mm))
        self.light = self._lamp()
        self.view = self._view()
        self.cover = rng.choice(["wood", "cloth"])
        # A lamp that is mirrored in the board while it is taught, and most of the time later.
        self.mirrored = self._glare() if rng.random() < 0.4 else None
        self.noise = rng.uniform(1.0, 4.5)
        self.blur = rng.uniform(0.3, 1.1)
        self.quality = int(rng.integers(80, 96))
        self._empties: dict[tuple[View, Light], tuple[Picture, LightField]] = {}

    def corners(self, view: View) -> Floats:
        width, height = self.board.size_mm
        return view.project(np.array([(0, 0, 0), (width, 0, 0), (width, height, 0), (0, height, 0)], float))

    def write(self, folder: Path) -> None:
        """Write the set-up and its stills into a folder."""
        folder.mkdir(parents=True)
        (folder / LAYOUT_FILE).write_text(to_toml(self.layout), encoding="utf-8")
        (folder / "empty.jpg").write_bytes(self.photograph({}, self.light, self.view))
        for number, squares in enumerate(self._palette_squares(), 1):
            self._write(folder / f"palette-{number}", squares, self.light, self.view)
        for number in range(1, STILLS + 1):
            light, view = self.light, self.view
            if number == 1:
                light = self._lamp()
            elif number == 2:
                light = replace(
                    light, level=light.level * self.rng.uniform(0.4, 1.0), ambient=self.rng.uniform(0.3, 0.7)
                )
            if self.rng.random() < 0.12:
                view = view.bumped(tuple(self.rng.uniform(-12, 12, 2)), self.rng.uniform(-2, 2))
            squares = self._game()
            self._write(folder / f"still-{number:03}", squares, light, view, troubled=True)
        setup = {
            "format": 1, "game": "pacal", "board": LAYOUT_FILE, "image_size": list(self.view.size),
            "board_corners_px": self.corners(self.view).round(2).tolist(), "notes": "drawn",
        }  # fmt: skip
        (folder / "setup.json").write_text(json.dumps(setup) + "\n", encoding="utf-8")

    def _write(
        self, path: Path, squares: Mapping[str, Piece], light: Light, view: View, troubled: bool = False
    ) -> None:
        path.with_suffix(".jpg").write_bytes(self.photograph(squares, light, view, troubled))
        truth = {"format": 1, "squares": {name: piece.to_json() for name, piece in squares.items()}}
        path.with_suffix(".json").write_text(json.dumps(truth) + "\n", encoding="utf-8")

    def photograph(self, squares: Mapping[str, Piece], light: Light, view: View, troubled: bool = False) -> bytes:
        rng = self.rng
        if (view, light) not in self._empties:
            field = LightField(light, view)
            empty = draw_surroundings(self.printed, self.cover, view, field, self.seed % 1000)
            self._empties[view, light] = (empty, field)
        empty, field = self._empties[view, light]
        picture = empty.copy()
        solids = [solid for name, piece in squares.items() for solid in self._solids(name, piece, light)]
        draw_shadows(picture, solids, view, field)
        draw_solids(picture, solids, view, field)
        seen = picture.astype(np.float32)
        if self.mirrored is not None and (not troubled or (light == self.light and rng.random() < 0.6)):
            seen = _lit(seen, self.mirrored)
        if troubled:
            seen = self._troubled(seen)
        seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), self.blur), np.float32)
        sharp = rng.uniform(0, 0.6)
        seen += sharp * (seen - cv2.GaussianBlur(seen, (0, 0), 1.2))
        grain = rng.normal(0, self.noise, (seen.shape[0] // 2, seen.shape[1] // 2, 3)).astype(np.float32)
        seen += cv2.resize(grain, seen.shape[1::-1]) + rng.normal(0, self.noise / 2, seen.shape[:2])[..., None]
        packed = cv2.imencode(".jpg", np.clip(seen, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, self.quality])[
            1
        ]
        return packed.tobytes()

    def _troubled(self, seen: NDArray[np.float32]) -> NDArray[np.float32]:
        rng = self.rng
        height, width = seen.shape[:2]
        x, y = np.meshgrid(np.linspace(-1, 1, width // 4), np.linspace(-0.6, 0.6, height // 4))
        gain = np.ones_like(x)
        if rng.random() < 0.55:
            angle, place = rng.uniform(0, 6.3), rng.uniform(-0.5, 0.5)
            edge = (x * np.cos(angle) + y * np.sin(angle) - place) / rng.uniform(0.01, 0.2)
            gain *= 1 - rng.uniform(0.2, 0.75) / (1 + np.exp(-np.clip(edge, -30, 30)))
        tint = rng.normal(0, 0.06, 3) if rng.random() < 0.5 else np.zeros(3)
        hue = rng.normal(0, 0.12, 3)
        grown = cv2.resize(gain.astype(np.float32), (width, height))[..., None]
        # Shadows have the hue of the light that is left.
        seen = seen * np.exp(np.log(grown) * (1 + hue - hue.mean())).astype(np.float32)
        seen = seen * np.exp(tint + rng.normal(0, 0.1)).astype(np.float32)
        if rng.random() < 0.25:
            seen = _lit(seen, self._glare())
        return np.asarray(seen, np.float32)

    def _glare(self) -> NDArray[np.float32]:
        """The light that a mirrored lamp adds, in shares of white."""
        rng, (width, height) = self.rng, (384, 216)
        x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-0.6, 0.6, height))
        across, down, wide, long = rng.uniform(-0.5, 0.5), rng.uniform(-0.4, 0.4), *rng.uniform(0.05, 0.2, 2)
        spot = np.exp(-((x - across) ** 2) / 2 / wide**2 - (y - down) ** 2 / 2 / long**2)
        tint = 1 + rng.normal(0, 0.08, 3)
        return np.asarray(spot[..., None] * tint * rng.uniform(0.05, 0.5), np.float32)

    def _solids(self, name: str, piece: Piece, light: Light) -> list[Solid]:
        rng, middle = self.rng, np.array(self.board.centre_mm(name))
        room = min(self.board.square_mm) / 2
        if isinstance(piece, Stones):
            placed: list[Floats] = []
            for _ in piece.colours:
                for _ in range(60):
                    at = rng.uniform(-1, 1, 2) * (room - 6.5)
                    if all(np.hypot(*(at - other)) > 0.85 * self.box.stone for other in placed):
                        break
                placed.append(at)
            return [self._solid("stone", c, 1, middle + at, light) for c, at in zip(piece.colours, placed, strict=True)]
        aside = np.clip(rng.normal(0, 2.2, 2), -4.5, 4.5)
        if isinstance(piece, Ship):
            return [self._solid("ship", piece.colour, 1, middle + aside, light)]
        return [self._solid("pyramid", piece.colour, piece.floors, middle + aside, light)]

    def _solid(self, kind: str, colour: str, floors: int, at: Floats, light: Light) -> Solid:
        if not self.plain:
            return solid_of(self.rng, self.box, light, kind, colour, floors, at)
        if kind == "ship":
            return shapes.ship(colour, *at)
        if kind == "stone":
            return shapes.stone(colour, at[0], at[1], turn=self.rng.uniform(0, 6.3))
        return shapes.pyramid(colour, floors, at[0], at[1], turn=self.rng.normal(0, 0.12))

    def _game(self) -> dict[str, Piece]:
        rng = self.rng
        names = list(rng.permutation(sorted(self.board.squares)))
        players = list(rng.permutation(COLOURS)[: rng.integers(2, 6)])
        squares: dict[str, Piece] = {str(names.pop()): Ship(str(colour)) for colour in players}
        crowd = int(rng.integers(6, 75))
        tall = rng.uniform(0.3, 0.9)
        while len(squares) < crowd:
            # Pieces stand beside others more often than by chance.
            near = rng.random() < 0.5
            spots = [n for n in names if any(_beside(n, other) for other in squares)] if near else names
            if not spots:
                continue
            name = str(spots[rng.integers(len(spots))])
            names.remove(name)
            if rng.random() < tall:
                squares[name] = Pyramid(str(rng.choice(players)), int(rng.integers(1, MAX_FLOORS + 1)))
            else:
                count = min(len(players), int(rng.choice([1, 1, 2, 3, 4])))
                squares[name] = Stones(tuple(sorted(str(c) for c in rng.choice(players, count, replace=False))))
        return squares

    def _palette_squares(self) -> list[dict[str, Piece]]:
        pyramids: list[Piece] = [Pyramid(c, f) for f in range(1, MAX_FLOORS + 1) for c in COLOURS]
        both: list[Piece] = [*(Ship(c) for c in COLOURS), *(Stones((c,)) for c in COLOURS for _ in range(2))]
        free = sorted(name for name in self.board.squares if sum(position(name)) % 2 == 0)
        found = []
        for number in range(2):
            pieces = pyramids[number::2] + both
            spots = self.rng.choice(len(free), len(pieces), replace=False)
            found.append({free[spot]: piece for spot, piece in zip(spots, pieces, strict=True)})
        return found

    def _lamp(self) -> Light:
        rng = self.rng
        angle, away = rng.uniform(0, 6.3), rng.uniform(0, 900)
        warm = rng.uniform(0, 1)
        return Light(
            (240 + away * np.cos(angle), 240 + away * np.sin(angle), rng.uniform(600, 1400)),
            rng.uniform(0.4, 0.95), rng.uniform(0.25, 1.0),
            (1 - 0.35 * warm, 1 - 0.08 * warm, 1.0), rng.uniform(2, 12),
        )  # fmt: skip

    def _view(self) -> View:
        rng, (width, height) = self.rng, self.board.size_mm
        while True:
            view = View(
                (1536, 864), rng.uniform(620, 1000), 35 * rng.random() ** 0.8, rng.uniform(0, 360),
                (width / 2 + rng.uniform(-30, 30), height / 2 + rng.uniform(-30, 30)), rng.uniform(-180, 180), 66.0,
                rng.uniform(-0.05, 0.06),
            )  # fmt: skip
            corners = self.corners(view)
            size = np.array(view.size)
            if (corners > 4).all() and (corners < size - 4).all() and np.ptp(corners, axis=0).max() > 0.72 * size[1]:
                return view


def _lit(seen: NDArray[np.float32], added: NDArray[np.float32]) -> NDArray[np.float32]:
    """A picture with light added."""
    grown = cv2.resize(added, seen.shape[1::-1])
    return np.asarray(255 * ((np.clip(seen, 0, 255) / 255) ** 2.2 + grown) ** (1 / 2.2), np.float32)


def _beside(name: str, other: str) -> bool:
    (a, b), (c, d) = position(name), position(other)
    return max(abs(a - c), abs(b - d)) == 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("first", type=int, help=f"seed of the first set-up; from {PLAIN} on they are plain")
    parser.add_argument("count", type=int, help="so many set-ups")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    for seed in range(given.first, given.first + given.count):
        Table(seed, plain=seed >= PLAIN).write(given.out / f"drawn-{seed:03}")
        print(seed, flush=True)


if __name__ == "__main__":
    main()
