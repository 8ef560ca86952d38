"""An arm that reaches over the table: a hand that holds something between thumb and fingers, and mostly a sleeve."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import bmesh
import bpy
import numpy as np
from mathutils import Matrix
from numpy.random import Generator
from numpy.typing import NDArray

from training.rendering.camera import Camera
from training.rendering.solids import MM, linear, material, put, solid

Floats = NDArray[np.float64]

_FINEST_MM = 2.2
"""How fine the skin's mesh is."""

_SKINS = ((206, 224, 255), (150, 185, 235), (100, 145, 205), (60, 95, 160), (35, 55, 95))
"""From the palest to the darkest, BGR."""

_SLEEVED = 0.7
"""How often there is a sleeve to be seen."""

_ARM_MM = 800.0
"""As far as an arm goes on behind its wrist; out of every picture."""

# Knuckles in mm from the wrist, fingers along y: where, how long the three parts of a finger are, and how thick.
_FINGERS = (
    ((-29.0, 86.0), (42.0, 26.0, 20.0), 8.5),
    ((-9.0, 91.0), (46.0, 30.0, 21.0), 8.5),
    ((11.0, 88.0), (43.0, 28.0, 21.0), 8.0),
    ((29.0, 79.0), (34.0, 20.0, 18.0), 7.0),
)


@dataclass(frozen=True)
class Arm:
    """Solids in one pose, which the table's frame moves: what it holds is at their origin, the arm goes on along -y."""

    solids: tuple[bpy.types.Object, ...]
    shoulder_mm: Floats

    def reach(self, at_mm: Floats, height_mm: float, way_mm: Floats) -> None:
        """Hold something at a place over the board (mm), on the way from half of ``way_mm`` before that to half of it
        behind while the picture is taken."""
        away = at_mm - self.shoulder_mm
        turn = float(np.arctan2(away[0], -away[1]))
        for thing in self.solids:
            put_moving(thing, at_mm, turn, height_mm, way_mm)

    def seen(self, camera: Camera) -> bool:
        """Whether any of it is in the picture."""
        bpy.context.view_layer.update()
        return any(camera.sees_some(_points_mm(thing)) for thing in self.solids)

    def hide(self) -> None:
        """Leave no trace of it."""
        for thing in self.solids:
            thing.animation_data_clear()
            thing.location = (0, 0, -1000)


def put_moving(thing: bpy.types.Object, at_mm: Floats, turn: float, height_mm: float, way_mm: Floats) -> None:
    """Put a thing at a place as ``put`` does, moving by ``way_mm`` from frame 0 to frame 2 of Blender's time."""
    thing.animation_data_clear()
    for frame, share in ((0, -0.5), (2, 0.5)):
        put(thing, at_mm + share * way_mm, turn, height_mm)
        thing.keyframe_insert("location", frame=frame)
    put(thing, at_mm, turn, height_mm)


def draw_arm(rng: Generator, middle_mm: Sequence[float]) -> Arm:
    """Somebody's arm: large or small, of any skin, from anywhere round the board, a right or a left one."""
    around = rng.uniform(0, 2 * np.pi)
    shoulder = np.array(middle_mm) + 850 * np.array([np.cos(around), np.sin(around)])
    size, left = float(rng.uniform(0.8, 1.12)), rng.random() < 0.5
    hand, arm = _bones(rng)
    shade = rng.uniform(0, len(_SKINS) - 1)
    skin = [float(np.interp(shade, np.arange(len(_SKINS)), part)) for part in zip(*_SKINS, strict=True)]
    paint = material("skin", linear(skin), float(rng.uniform(0.4, 0.65)), 0.06, specular=0.35)
    scale = np.array([-size if left else size, size, size])
    solids = [_skinned("arm", [(points * scale, thick * size) for points, thick in [*hand, arm]], paint)]
    if rng.random() < _SLEEVED:
        colour = rng.uniform(0.0, 0.8) * rng.uniform(0.15, 1.0, 3)
        cloth = material("sleeve", (float(colour[0]), float(colour[1]), float(colour[2])), 0.9, 0.1)
        points, thick = arm
        far = np.linalg.norm(points - points[0], axis=1) > rng.uniform(20, 260)
        sleeve = (points[far] * scale, (thick[far] + rng.uniform(5, 12)) * size)
        solids.append(_skinned("sleeve", [sleeve], cloth))
    return Arm(tuple(solids), shoulder)


_Bones = tuple[Floats, Floats]
"""Points (N x 3, mm) and how thick it is round each (N)."""


def _bones(rng: Generator) -> tuple[list[_Bones], _Bones]:
    """A right hand's bones, and its arm's, with what it holds at the origin."""
    palm = [_line((x * 0.75, 0, 0), (x, y - 3, -2), 14, 13) for (x, y), _, _ in _FINGERS]
    palm.append(_line((-20, 8, -2), (-36, 40, -10), 15, 12))
    bent = np.radians([rng.uniform(25, 45), rng.uniform(35, 55), rng.uniform(15, 35)])
    fingers = []
    for at, ((x, y), parts, thick) in enumerate(_FINGERS):
        # Those that hold nothing are bent more.
        angles = np.cumsum(bent * (1 + 0.18 * at * rng.uniform(0.3, 1)))
        point, inwards = np.array([x, y, 0.0]), -0.25 * (x + 29) / 29
        for part, (length, angle) in enumerate(zip(parts, angles, strict=True)):
            way = np.array([inwards * np.cos(angle) * 0.5, np.cos(angle), -np.sin(angle)])
            to = point + length * way
            fingers.append(_line(point, to, thick * 0.93**part, thick * 0.93 ** (part + 1)))
            point = to
        if at == 0:
            held = point - np.array([0, 0, 6.0])
    thumb = [np.array([-36.0, 40, -10]), np.array([-48.0, 70, -32]), held + np.array([-7.0, -7, 4])]
    fingers += [_line(one, other, 10, 8.5) for one, other in pairwise(thumb)]
    down, roll = np.radians(rng.uniform(8, 32)), np.radians(rng.uniform(-15, 25))
    bend = np.array(Matrix.Rotation(-down, 3, "X") @ Matrix.Rotation(roll, 3, "Y"))
    hand = [((points - held) @ bend.T, thick) for points, thick in [*palm, *fingers]]
    wrist = -held @ bend.T
    rise, aside = np.radians(rng.uniform(3, 14)), np.radians(rng.uniform(-15, 15))
    way = np.array([np.sin(aside), -np.cos(aside) * np.cos(rise), np.sin(rise)])
    far = np.arange(0, _ARM_MM, 7.0)
    thick = np.interp(far, [0, 20, 170, 260, _ARM_MM], [25.0, 25, 40, 42, 52])
    return hand, (wrist + far[:, None] * way, thick)


def _line(one: Sequence[float] | Floats, other: Sequence[float] | Floats, thick: float, thin: float) -> _Bones:
    share = np.linspace(0, 1, 8)[:, None]
    points = np.asarray(one) + share * (np.asarray(other) - np.asarray(one))
    return points, np.interp(share[:, 0], [0, 1], [thick, thin])


def _skinned(name: str, bones: Iterable[_Bones], paint: bpy.types.Material) -> bpy.types.Object:
    """Smooth skin round some bones."""
    shape = bmesh.new()
    for points, thick in bones:
        for point, radius in zip(points, thick, strict=True):
            at = Matrix.Translation(tuple(float(part) * MM for part in point))
            bmesh.ops.create_icosphere(shape, subdivisions=2, radius=float(radius) * MM, matrix=at)
    mesh = bpy.data.meshes.new(name)
    shape.to_mesh(mesh)
    shape.free()
    rough = solid(name, mesh, paint)
    joined = rough.modifiers.new("joined", "REMESH")
    joined.mode, joined.voxel_size = "VOXEL", _FINEST_MM * MM
    smooth = rough.modifiers.new("smooth", "SMOOTH")
    smooth.factor, smooth.iterations = 0.5, 12
    done = bpy.data.meshes.new_from_object(rough.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    bpy.data.objects.remove(rough)
    bpy.data.meshes.remove(mesh)
    done.polygons.foreach_set("use_smooth", np.ones(len(done.polygons), bool))
    done.materials.clear()
    return solid(name, done, paint)


def _points_mm(thing: bpy.types.Object) -> Floats:
    """Where a thing's skin is (N x 3: x and y on the board, height; mm)."""
    count = len(thing.data.vertices)
    points = np.empty(3 * count, np.float32)
    thing.data.vertices.foreach_get("co", points)
    world = np.array(thing.matrix_world)
    moved = points.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]
    return np.asarray(moved * [1, -1, 1] / MM, np.float64)
