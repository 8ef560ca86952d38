"""Lamps, windows and people's shadows: drawn for a set-up, changed for some of its pictures, put into Blender."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import bpy
import numpy as np
from mathutils import Vector
from numpy.random import Generator
from numpy.typing import NDArray

from training.rendering.solids import MM, Colour, lathe, material, solid

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Lamp:
    """A lamp at a place over the board (x, y in mm on the board, height in mm), seen from which it is size mm wide.

    share: how brightly it alone lights the middle of the board.
    """

    at: tuple[float, float, float]
    size: tuple[float, float]
    colour: Colour
    share: float


@dataclass(frozen=True)
class Light:
    """All light of one picture. room: how brightly the room's own light falls in from all sides. dim: 1 is a bright
    room. shadows: places of people who stand in the light, radius last, in mm."""

    lamps: tuple[Lamp, ...]
    room: float
    dim: float
    words: str
    shadows: tuple[tuple[float, float, float, float], ...] = field(default=())


def draw_light(rng: Generator, middle: Sequence[float], eye: Sequence[float]) -> Light:
    """The light of a set-up over a board with that middle (mm), seen from eye (x, y, height in mm)."""
    kind = str(rng.choice(["ceiling", "window", "evening", "glare", "overcast", "several"]))
    room = {"ceiling": 0.35, "window": 0.4, "evening": 0.12, "glare": 0.3, "overcast": 1.5, "several": 0.3}[kind]
    room *= float(rng.uniform(0.6, 1.6))
    cold, warm = _light_colour(rng, 0.58, 0.25), _light_colour(rng, 0.09, 0.55)
    lamps = [_lamp(rng, middle, cold if kind in ("window", "overcast") else warm, kind)]
    if kind == "several":
        lamps += [replace(_lamp(rng, middle, _any_colour(rng), "ceiling"), share=rng.uniform(0.2, 1.0)) for _ in "ab"]
    if kind == "glare":
        lamps.append(_mirrored(rng, middle, eye, warm))
    dim = float(rng.uniform(0.05, 0.3)) if kind == "evening" else float(rng.uniform(0.3, 1.0))
    words = {
        "ceiling": "ceiling lamp",
        "window": "daylight window from one side",
        "evening": "dim evening, floor lamp",
        "glare": "lamp mirrored in the board",
        "overcast": "overcast day, soft light from all sides",
        "several": "three lamps",
    }[kind]
    return Light(tuple(lamps), room, dim, words)


def change_light(rng: Generator, light: Light, middle: Sequence[float], eye: Sequence[float]) -> Light:
    """The light of one still: as in the empty picture, or in half of the stills another."""
    kind = str(
        rng.choice(
            ["same", "lamp", "shadow", "less", "glare", "off", "warmer"], p=[0.45, 0.1, 0.2, 0.08, 0.07, 0.05, 0.05]
        )
    )
    words = f"{light.words}; "
    match kind:
        case "lamp":
            more = replace(_lamp(rng, middle, _any_colour(rng), "ceiling"), share=float(rng.uniform(0.3, 1.2)))
            return replace(light, lamps=(*light.lamps, more), words=words + "another lamp switched on")
        case "shadow":
            return replace(light, shadows=_shadows(rng, light, middle), words=words + "shadow of a person on the board")
        case "less":
            share = float(rng.uniform(0.3, 0.7))
            lamps = (replace(light.lamps[0], share=light.lamps[0].share * share), *light.lamps[1:])
            return replace(light, lamps=lamps, dim=light.dim * share, words=words + "daylight going")
        case "glare":
            more = _mirrored(rng, middle, eye, _any_colour(rng))
            return replace(light, lamps=(*light.lamps, more), words=words + "another lamp mirrored in the board")
        case "off":
            return replace(light, lamps=light.lamps[1:], dim=light.dim * 0.6, words=words + "lamp off")
        case "warmer":
            lamps = tuple(replace(lamp, colour=_any_colour(rng)) for lamp in light.lamps)
            return replace(light, lamps=lamps, words=words + "light of another colour")
    return light


def mirrored_lamps(rng: Generator, light: Light, middle: Sequence[float], eye: Sequence[float]) -> Light:
    """The same light with one to three more lamps that the camera sees mirrored in what is glossy."""
    more = [_mirrored(rng, middle, eye, _any_colour(rng)) for _ in range(int(rng.integers(1, 4)))]
    return replace(light, lamps=(*light.lamps, *more))


def _light_colour(rng: Generator, hue: float, most: float) -> Colour:
    return colorsys.hsv_to_rgb(hue + rng.uniform(-0.02, 0.02), rng.uniform(0.05, most), 1.0)


def _any_colour(rng: Generator) -> Colour:
    return _light_colour(rng, *((0.58, 0.25) if rng.random() < 0.4 else (0.09, 0.5)))


def _lamp(rng: Generator, middle: Sequence[float], colour: Colour, kind: str) -> Lamp:
    """A lamp somewhere round the board: high and low ones, points and panels."""
    turn = rng.uniform(0, 2 * np.pi)
    match kind:
        case "window":
            away, height, size = rng.uniform(900, 2200), rng.uniform(500, 1300), rng.uniform(500, 1500, 2)
        case "evening":
            away, height, size = rng.uniform(500, 1200), rng.uniform(450, 1300), np.full(2, rng.uniform(60, 350))
        case "overcast":
            away, height, size = rng.uniform(0, 900), rng.uniform(1500, 2200), rng.uniform(1000, 2500, 2)
        case _:
            away, height = rng.uniform(100, 1100), rng.uniform(800, 1900)
            size = np.full(2, rng.choice([15.0, 60, 150, 400, 900]))
    at = (float(middle[0] + away * np.cos(turn)), float(middle[1] + away * np.sin(turn)), float(height))
    return Lamp(at, (float(size[0]), float(size[1])), colour, 1.0)


def _mirrored(rng: Generator, middle: Sequence[float], eye: Sequence[float], colour: Colour) -> Lamp:
    """A lamp that the camera sees mirrored in the board, if the board is glossy."""
    spot = np.array(middle) + rng.uniform(-160, 160, 2)
    height = rng.uniform(700, 1800)
    at = spot + (spot - np.array(eye[:2])) * height / eye[2]
    size = float(rng.uniform(40, 300))
    return Lamp((float(at[0]), float(at[1]), float(height)), (size, size), colour, float(rng.uniform(0.3, 1.0)))


def _shadows(rng: Generator, light: Light, middle: Sequence[float]) -> tuple[tuple[float, float, float, float], ...]:
    """People between a lamp and a place of the board, above what the camera sees."""
    lamp = light.lamps[int(rng.integers(len(light.lamps)))]
    shadows = []
    for _ in range(int(rng.integers(1, 3))):
        spot = np.append(np.array(middle) + rng.uniform(-230, 230, 2), 0.0)
        share = rng.uniform(0.2, 0.6)
        x, y, height = (float(part) for part in spot + share * (np.array(lamp.at) - spot))
        shadows.append((x, y, max(height, 150.0), float(rng.uniform(50, 160))))
    return tuple(shadows)


def put_light(light: Light, middle: Sequence[float], room: NDArray[np.float32]) -> list[bpy.types.Object]:
    """Put the light into the scene; what it made, to be taken away for the next picture."""
    made = []
    target = Vector((middle[0] * MM, -middle[1] * MM, 0.0))
    for lamp in light.lamps:
        data = bpy.data.lights.new("lamp", "AREA")
        data.shape = "DISK" if lamp.size[0] == lamp.size[1] else "RECTANGLE"
        data.size, data.size_y = lamp.size[0] * MM, lamp.size[1] * MM
        thing = bpy.data.objects.new("lamp", data)
        thing.location = (lamp.at[0] * MM, -lamp.at[1] * MM, lamp.at[2] * MM)
        way = target - thing.location
        thing.rotation_euler = way.to_track_quat("-Z", "Y").to_euler()
        # A lamp of power P that faces a place at distance d lights it with P / (pi d^2) times the cosine there.
        data.energy = light.dim * lamp.share * np.pi * way.length**2 / max(0.25, -way.z / way.length)
        data.color = lamp.colour
        bpy.context.scene.collection.objects.link(thing)
        made.append(thing)
    for x, y, height, radius in light.shadows:
        profile = [(radius * np.cos(a), 1.6 * radius * np.sin(a)) for a in np.linspace(-1.5, 1.5, 12)]
        person = solid("person", lathe("person", profile, 24), material("person", (0.1, 0.1, 0.1)))
        person.location = (x * MM, -y * MM, height * MM)
        person.visible_camera = person.visible_glossy = person.visible_diffuse = False
        made.append(person)
    _put_room(light, room)
    return made


def _put_room(light: Light, room: NDArray[np.float32]) -> None:
    world = bpy.data.worlds.get("room") or bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    background = nodes["Background"]
    # A room of radiance 1 all around lights the board as brightly as a lamp with share pi would.
    background.inputs["Strength"].default_value = light.dim * light.room / np.pi
    if "room" not in bpy.data.images:
        image = bpy.data.images.new("room", room.shape[1], room.shape[0], float_buffer=True)
        rgba = np.ones((*room.shape[:2], 4), np.float32)
        rgba[..., :3] = room
        image.pixels.foreach_set(rgba.ravel())
        image.pack()
        texture = nodes.new("ShaderNodeTexEnvironment")
        texture.image = image
        links.new(texture.outputs["Color"], background.inputs["Color"])
