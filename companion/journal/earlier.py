"""What earlier versions wrote into journals, as this one wants it. Nothing is rewritten: it is made good when read."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path

from companion.boards import LAYOUT_FILE, is_path, to_keep
from companion.errors import BadLayout, BrokenGame
from companion.journal.entries import Recorded, Started


def with_layout(recorded: Recorded, folder: Path) -> Recorded:
    """An entry of which the board is more than the path of its layout file, which was all that was kept once.

    folder: the journal's; the table's own layout lies beside it, also when both were moved. Raises BrokenGame when the
    file is in neither place.
    """
    started = recorded.entry
    if not isinstance(started, Started) or not is_path(started.board):
        return recorded
    for path in (Path(started.board), folder / LAYOUT_FILE):
        with contextlib.suppress(BadLayout):
            return recorded._replace(entry=replace(started, board=to_keep(str(path))))
    raise BrokenGame(
        f"game {recorded.game} is played on a layout of its own, and {Path(started.board).name} is not there any more"
    )
