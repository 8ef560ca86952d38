"""From a set-up's pictures to a table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.boards import Board
from companion.errors import BadSetup
from companion.games.pacal.pieces import COLOURS, MAX_FLOORS, Piece, Pyramid, squares_from_json
from companion.squares import Square
from vision.finding.registration import BoardFinder, NotFound
from vision.frames import grey
from vision.grid import SHRINK, Canvas, shrink
from vision.light.appearance import edge_contrast, learn_noise
from vision.light.comparison import shadow_hue
from vision.light.veil import without
from vision.markers import find_markers, on_board_plane
from vision.quality import light_trouble
from vision.reading.evidence import EmptyBoard, Photo
from vision.reading.learning import Sample, clear_of_pieces, learn_looks, learn_print
from vision.reading.pyramids.floors import learn_overstated
from vision.reading.pyramids.terraces import learn_size
from vision.reading.stones.finder import can_find_stones
from vision.table import Table
from vision.teaching.lens_finding import find_lens
from vision.teaching.progress import Progress, unheard
from vision.teaching.setup_folder import Palette, Setup

NO_HUE = (0.0, 0.0)
LEAST_SIDE_MM, LEAST_SQUARES = 90.0, 3
"""A board less wide or high has too few places at which light and place can be told by its print."""
ANY_HUE = 1.5
"""Shadows may change the hue of a table that is not yet known so much."""


def teach(setup: Setup, progress: Progress | None = None) -> Table:
    """The table that a set-up shows.

    progress: is told what is being done, in words. Raises BadSetup for another game's board, when it is too small, its
    picture too dark, too bright or grey, when the corners fit no camera, or a palette's board is not found or its
    pieces are unknown to the game.
    """
    if setup.game != "pacal":
        raise BadSetup(f"a table for {setup.game!r} cannot be taught yet, only one for 'pacal'")
    _check_size(setup.board)
    if (trouble := light_trouble(setup.empty)) is not None:
        raise BadSetup(f"empty.jpg: {trouble}")
    say = progress or unheard
    say("finding out how the camera looks at the board")
    lens = find_lens(setup.board, setup.corners_px, setup.empty)
    bare = _with_markers(Table(setup.board, lens, setup.corners_px, setup.empty))
    if bare.markers:
        say(f"markers beside the board: {', '.join(map(str, bare.markers))}")
    canvas = Canvas.to_read(setup.board)
    straight = canvas.straighten(setup.empty, lens, bare.pose)
    empty = EmptyBoard(setup.board, canvas, straight)
    finder = BoardFinder(bare)
    seen = []
    for palette in setup.palettes:
        say(f"looking at the pieces of {palette.name}")
        seen.append(_look(bare, finder, palette, empty))
    say("learning what pieces and bare board look like")
    masks = [sample.bare for sample in seen]
    differences = np.concatenate([sample.change.difference[sample.bare] for sample in seen])
    hue = shadow_hue(differences, NO_HUE, reach=ANY_HUE)
    samples = [replace(sample, change=empty.compare(sample.straight, hue)) for sample in seen]
    noise = learn_noise([sample.change for sample in samples], masks, edge_contrast(empty.logs))
    looks = learn_looks(setup.board, canvas, samples, noise, hue)
    say("finding out how well floors can be counted and stones found")
    scenes = [
        (empty.look(one.photo, one.straight, shrink(one.straight), looks, one.reached), one.pieces) for one in samples
    ]
    taken = np.array([[name in one.taken for name in empty.places.names] for one in samples])
    learned = {
        **looks.to_arrays(),
        "print": learn_print(taken, np.array([one.print_left for one in samples]), empty.print_left(straight)),
        "pyramid_size": np.array(learn_size(scenes, looks), np.float32),
        "floors_overstated": learn_overstated(scenes, looks),
        "stones_found": np.array(can_find_stones(scenes, looks), np.float32),
    }
    return replace(bare, learned=learned)


def _with_markers(table: Table) -> Table:
    """The table with the printed markers that lie beside the board in its empty picture, if there are any."""
    seen = find_markers(grey(table.empty))
    return replace(table, markers=on_board_plane(seen, table.lens, table.pose, table.board.size_mm))


def _check_size(board: Board) -> None:
    (width, height), side = board.size_mm, LEAST_SIDE_MM
    if min(width, height) < side or min(board.columns, board.rows) < LEAST_SQUARES:
        raise BadSetup(
            f"board {board.name!r} is too small to be read: it has {board.columns} x {board.rows} squares on "
            f"{width:g} x {height:g} mm; {LEAST_SQUARES} x {LEAST_SQUARES} on {side:g} x {side:g} are needed"
        )


def _look(bare: Table, finder: BoardFinder, palette: Palette, empty: EmptyBoard) -> Sample:
    try:
        pieces = squares_from_json(palette.squares)
    except ValueError as error:
        raise BadSetup(f"{palette.name.removesuffix('.jpg')}.json: {error}") from None
    found = finder.find(palette.picture, bare.pose)
    if isinstance(found, NotFound):
        raise BadSetup(f"{palette.name}: {found.reason}")
    canvas, picture = empty.canvas, palette.picture
    straight = canvas.straighten(picture, bare.lens, found.pose)
    shown = canvas.reached(bare.lens, found.pose)[::SHRINK, ::SHRINK]
    if (veil := empty.veils.find(shrink(straight), shown)) is not None:
        picture = without(veil, picture)
        straight = canvas.straighten(picture, bare.lens, found.pose)
    photo = Photo(picture, bare.lens, found.pose)
    reached = shown & canvas.reached(bare.lens, bare.pose)[::SHRINK, ::SHRINK]
    # As much as the tallest piece would cover is kept out of what is learned of bare board.
    unknown: dict[Square, Piece] = {name: Pyramid(COLOURS[0], MAX_FLOORS) for name in palette.left_out}
    taken = pieces | unknown
    clear = reached & clear_of_pieces(bare.board, canvas, found.pose.eye, taken)
    pieces = {name: piece for name, piece in pieces.items() if name not in unknown}
    change, print_left = empty.compare(straight, NO_HUE), empty.print_left(straight)
    return Sample(palette.name, pieces, frozenset(taken), straight, change, photo, clear, reached, print_left)
