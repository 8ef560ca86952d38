"""How well the stills of a set-up are read, as they are and changed; and the tables that say so."""

from __future__ import annotations

import math
import re
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from companion.bench import goals
from companion.bench.goals import Goal, share
from companion.bench.scenes import Still, is_named, read_stills
from companion.boards import Board
from companion.observation import Reading, Seen
from companion.referee.weigh import MARGIN, Fit
from vision.frames import Picture, read_picture
from vision.measuring import changes, evaluate, robustness
from vision.measuring.evaluate import BINS, CERTAIN, Bins, Score
from vision.measuring.robustness import SURE, Borne
from vision.reader import Reader
from vision.table import Table
from vision.teaching.palettes import LIGHTS, ReadBack, learn_and_look, matches_of
from vision.teaching.progress import unheard
from vision.teaching.setup_folder import read_setup

EXACT_GOAL = 29 / 30
SQUARES_GOAL = 0.999
BORNE_GOAL = 0.95

AS_IT_IS = "as it is"
"""The name of the unchanged picture among the changes."""

_SQUARES = re.compile(r"[A-Z]\d+(, [A-Z]\d+)*( and \d+ squares? more)?")
"""Those that a reason names: others in each picture."""

MAY_DOUBT = ("blur", "hand")
"""Under these changes a reading may also be unusable or unsure, but never wrong and sure."""


@dataclass(frozen=True)
class StillFigures:
    """What one still's readings are worth. reason: why the unchanged picture was not usable; None when it was.
    borne: by the name of the change."""

    still: Still
    reason: str | None
    score: Score
    borne: Mapping[str, Borne]


def taught(setup: Path, board_of: Callable[[str, str], Board]) -> tuple[Table, ReadBack]:
    """The table that a set-up shows, and how many pieces of its palettes that reads back. Raises BadSetup as teaching
    does."""
    content = read_setup(setup, board_of)
    look = learn_and_look(content, unheard)
    return look.table, ReadBack.of(matches_of(content, look))


def measure(
    setup: Path, table: Table, kinds: Collection[str] = changes.NAMES, draws: int = 1
) -> Iterator[StillFigures]:
    """Read the stills of a set-up, each as it is and then changed.

    kinds: which of ``changes.NAMES``. draws: how often each that goes by chance is made. Raises BadPicture as reading
    does.
    """
    reader = Reader(table)
    for still in read_stills(setup):
        picture = read_picture(still.file)
        begin = time.process_time()
        clean = reader.read(picture)
        seconds = time.process_time() - begin
        score = evaluate.total(
            (
                evaluate.score(clean, still.seen, table.board.squares, seconds, still.hidden),
                evaluate.score_die(clean, still.die, still.die_hidden),
                Score(known=int(is_known(clean, still.seen))),
            )
        )
        borne = {AS_IT_IS: robustness.compare(clean, clean, still.seen)}
        for kind, seed, reading in _changed(reader, table, still, picture, kinds, draws):
            covered = changes.under_hand(table.board, still.corners_px, seed, picture) if kind == "hand" else ()
            one = robustness.compare(clean, reading, still.seen, covered)
            borne[kind] = borne.get(kind, Borne()) + one
        yield StillFigures(still, clean.reason, score, borne)


def is_known(reading: Reading, truth: Seen) -> bool:
    """Whether the referee, who knows in a game what was there before, would take nothing for happened that has not:
    what is misread is so doubtful that nothing fits better by as much as it asks for."""
    return reading.usable and sum(Fit(reading).misfits(truth).values()) < MARGIN


def _changed(
    reader: Reader, table: Table, still: Still, picture: Picture, kinds: Collection[str], draws: int
) -> Iterator[tuple[str, int, Reading]]:
    """The name of each change, what its chance was drawn from, and what is read of the picture it makes."""
    for kind in changes.NAMES:
        if kind in kinds:
            for seed in range(still.seed, still.seed + (draws if kind in changes.BY_CHANCE else 1)):
                change = changes.all_changes(table.board, still.corners_px, table.lens, seed)[kind]
                yield kind, seed, reader.read(change(picture))


def sum_borne(borne: Iterable[Mapping[str, Borne]]) -> dict[str, Borne]:
    """The sums of what each change gave, by its name."""
    sums: dict[str, Borne] = {}
    for some in borne:
        for kind, one in some.items():
            sums[kind] = sums.get(kind, Borne()) + one
    return sums


def misses(figures: StillFigures) -> Iterator[str]:
    """A line for each square that was read wrongly, and for each that a changed picture made different."""
    name = figures.still.name
    if figures.reason is not None:
        yield f"{name}: {figures.reason}"
    yield from (f"{name}, {miss.text()}" for miss in figures.score.misses)
    for kind, one in figures.borne.items():
        yield from (f"{name}, {kind}, {miss.text()}" for miss in one.others)


def groups(setups: Iterable[str], apart: Sequence[str]) -> dict[str, list[str]]:
    """Set-ups by what they were for: those that were tuned on, those kept apart, and all; only all when they are of one
    kind."""
    names = list(setups)
    away = [name for name in names if any(is_named(Path(name), end) for end in apart)]
    split = {"tuned on": [name for name in names if name not in away], "kept apart": away}
    return (split if all(split.values()) else {}) | {"all": names}


def accuracy_report(
    scores: Mapping[str, Score], backs: Mapping[str, ReadBack], apart: Sequence[str] = ()
) -> Iterator[str]:
    """The tables of the unchanged pictures: counts of each set-up and group, and each group's reliability, mistakes and
    goals.

    scores: by the set-up's name; backs: how many pieces of each one's palettes were read back. apart: names of the
    set-ups that were kept out of tuning.
    """
    grouped = {name: evaluate.total(scores[one] for one in some) for name, some in groups(scores, apart).items()}
    yield (
        f"{'':12}{'read back':>10}{'squares right':>20}{'occupied right':>20}{'bare taken':>11}{'exact':>8}"
        f"{'die right':>11}{'wrong':>6}{'missed':>7}{'made up':>8}{f'wrong, {CERTAIN}+':>13}{'s each':>8}"
    )
    for name, one in (*scores.items(), *grouped.items()):
        back = f"{backs[name].sure}/{backs[name].pieces}" if name in backs else ""
        yield (
            f"{name:12}{back:>10}{share(one.squares_right, one.squares):>20}"
            f"{share(one.occupied_right, one.occupied):>20}"
            f"{f'{one.bare_wrong}/{one.bare}':>11}{f'{one.exact}/{one.pictures}':>8}"
            f"{f'{one.die_right}/{_dice(one)}':>11}{one.die_wrong:>6}{one.die_missed:>7}"
            f"{f'{one.die_made_up}/{one.die_none + one.die_made_up}':>8}{one.certain_wrong:>13}"
            f"{one.seconds / max(one.pictures, 1):>8.2f}"
        )
    for name, one in grouped.items():
        if one.exact_in_sight > one.exact:
            told = share(one.exact_in_sight, one.pictures)
            yield f"{name}: {told} read exactly but for pieces of which less than half can be seen"
        if one.known > one.exact:
            told = share(one.known, one.pictures)
            yield f"{name}: {told} read so that the referee, who knows what was there, takes nothing for happened"
        mistakes = Counter(miss.mistake for miss in one.misses).most_common()
        yield from ("", *_reliability(name, one), *(f"{name}: {count} x {mistake}" for mistake, count in mistakes))
        yield from ("", *goals.lines(accuracy_goals(name, one)))
    yield from ("", *_by_read_back(scores, backs))


def _by_read_back(scores: Mapping[str, Score], backs: Mapping[str, ReadBack]) -> Iterator[str]:
    """How well the stills of tables are read that read as many pieces of their palettes back."""
    yield f"{'pieces read back in teaching':<30}{'tables':>7}{'exact':>20}{'but for hidden':>20}"
    _, *shares = LIGHTS
    names = ["all", *(f"{least:.0%} or more" for least in shares), f"less than {shares[-1]:.0%}"]
    for what, (limit, least) in zip(names, pairwise((math.inf, *LIGHTS, 0.0)), strict=True):
        alike = [name for name, back in backs.items() if least <= back.share < limit]
        if alike:
            one = evaluate.total(scores[name] for name in alike)
            exact, in_sight = share(one.exact, one.pictures), share(one.exact_in_sight, one.pictures)
            yield f"{what:<30}{len(alike):>7}{exact:>20}{in_sight:>20}"


def accuracy_goals(name: str, one: Score) -> list[Goal]:
    """What the unchanged pictures of a group should give."""
    exact = one.exact >= EXACT_GOAL * one.pictures - 1e-9
    return [
        Goal(f"{name}: read exactly", share(one.exact, one.pictures), "at least 29 of 30", exact),
        Goal(
            f"{name}: squares right",
            share(one.squares_right, one.squares),
            "at least 99.9 %",
            one.squares_right >= SQUARES_GOAL * one.squares,
        ),
        Goal(
            f"{name}: die right where there is one, and none where not",
            share(one.die_right + one.die_none, _dice(one) + one.die_none + one.die_made_up),
            "all",
            one.die_wrong + one.die_missed + one.die_made_up == 0,
        ),
        Goal(
            f"{name}: squares wrong and said with {CERTAIN} or more",
            f"{one.certain_wrong}",
            "0",
            one.certain_wrong == 0,
        ),
    ]


def _dice(one: Score) -> int:
    return one.die_right + one.die_wrong + one.die_missed


def _reliability(name: str, one: Score) -> Iterator[str]:
    yield f"{name:<16}{'all squares':>11}{'said':>9}{'was':>9}{'said to hold something':>27}{'said':>9}{'was':>9}"
    for index, (low, high) in enumerate(pairwise(BINS)):
        if one.bins[index][0]:
            count, said, was = _said_and_was(one.bins, index)
            line = f"{f'{low:g} to {high:g}':<16}{count:>11}{said:>9}{was:>9}"
            count, said, was = _said_and_was(one.occupied_bins, index)
            yield f"{line}{count:>27}{said:>9}{was:>9}".rstrip()


def _said_and_was(bins: Bins, index: int) -> tuple[str, str, str]:
    count, right, said = bins[index]
    return (str(count), f"{said / count:.4f}", f"{right / count:.4f}") if count else ("", "", "")


def robustness_report(borne: Mapping[str, Mapping[str, Borne]], apart: Sequence[str] = ()) -> Iterator[str]:
    """The table of the changed pictures, for each group of set-ups. borne: by set-up and then by change."""
    for name, some in groups(borne, apart).items():
        yield from _robustness(name, sum_borne(borne[setup] for setup in some))


def _robustness(name: str, borne: Mapping[str, Borne]) -> Iterator[str]:
    yield ""
    yield (
        f"{name:<12}{'pictures':>9}{'like clean':>12}{'not usable':>12}{f'only below {SURE}':>16}"
        f"{'otherwise':>11}{f'squares wrong, {SURE}+':>22}{'other die':>11}   goal"
    )
    for kind, one in borne.items():
        goal = "" if kind == AS_IT_IS else _borne_goal(kind, one)
        yield (
            f"{kind:<12}{one.pictures:>9}{one.alike:>12}{one.unusable:>12}{one.unsure:>16}"
            f"{one.otherwise:>11}{len(one.misses):>22}{one.other_die:>11}   {goal}".rstrip()
        )
    for kind, one in borne.items():
        for reason, count in Counter(_SQUARES.sub("...", reason) for reason in one.reasons).most_common():
            yield f"{kind}: {count} x {reason}"


def is_borne(kind: str, one: Borne) -> bool:
    """Whether a change is borne as well as it should be."""
    enough = _kept(kind, one) >= BORNE_GOAL * one.pictures - 1e-9
    return enough and not (kind in MAY_DOUBT and one.misses)


def _borne_goal(kind: str, one: Borne) -> str:
    met = "met" if is_borne(kind, one) else "NOT MET"
    return f"{_kept(kind, one) / one.pictures:.1%} of 95 %{' and none wrong' * (kind in MAY_DOUBT)}: {met}"


def _kept(kind: str, one: Borne) -> int:
    """How many pictures are borne at the least: those whose squares are, less those with another die."""
    return one.alike + (one.unusable + one.unsure if kind in MAY_DOUBT else 0) - one.other_die
