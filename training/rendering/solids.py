"""Meshes and materials in Blender; lengths in mm, coordinates those of the board with y turned (up the board)."""

from __future__ import annotations

from collections.abc import Sequence

import bmesh
import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

MM = 0.01
"""Blender units a millimetre."""

Colour = tuple[float, float, float]


def linear(bgr: Sequence[float]) -> Colour:
    """A colour of a print (BGR, 0 to 255) as light."""
    blue, green, red = (((part / 255 + 0.055) / 1.055) ** 2.4 if part > 10 else part / 255 / 12.92 for part in bgr)
    return red, green, blue


def material(
    name: str,
    colour: Colour,
    roughness: float = 0.5,
    grain: float = 0.0,
    picture: NDArray[np.uint8] | None = None,
    specular: float = 0.5,
) -> bpy.types.Material:
    """A material of one colour (linear RGB), with grain (0 to 1) like wood, or of a picture (BGR)."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    shader = nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1)
    shader.inputs["Roughness"].default_value = roughness
    shader.inputs["Specular IOR Level"].default_value = specular
    if picture is not None:
        texture = nodes.new("ShaderNodeTexImage")
        texture.image = _image(name, picture)
        links.new(texture.outputs["Color"], shader.inputs["Base Color"])
    elif grain:
        where, fibres = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeTexNoise")
        stretch, mix = nodes.new("ShaderNodeMapping"), nodes.new("ShaderNodeMixRGB")
        stretch.inputs["Scale"].default_value = (40, 6, 40)
        mix.inputs["Color1"].default_value = (*(part * (1 - grain) for part in colour), 1)
        mix.inputs["Color2"].default_value = (*(min(1.0, part * (1 + grain)) for part in colour), 1)
        links.new(where.outputs["Object"], stretch.inputs["Vector"])
        links.new(stretch.outputs["Vector"], fibres.inputs["Vector"])
        links.new(fibres.outputs["Fac"], mix.inputs["Fac"])
        links.new(mix.outputs["Color"], shader.inputs["Base Color"])
    return made


def _image(name: str, picture: NDArray[np.uint8]) -> bpy.types.Image:
    height, width = picture.shape[:2]
    image = bpy.data.images.new(name, width, height)
    rgba = np.ones((height, width, 4), np.float32)
    rgba[..., :3] = picture[::-1, :, ::-1] / np.float32(255)
    image.pixels.foreach_set(rgba.ravel())
    image.pack()
    return image


def solid(name: str, mesh: bpy.types.Mesh, paint: bpy.types.Material | None = None) -> bpy.types.Object:
    """An object of a mesh in the scene."""
    made = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(made)
    if paint is not None and not mesh.materials:
        mesh.materials.append(paint)
    return made


def put(
    thing: bpy.types.Object, at_mm: Sequence[float] | NDArray[np.float64], turn: float = 0.0, height_mm: float = 0.0
) -> None:
    """Put a thing at a place of the board (x, y down the board), turned as ``placing`` turns outlines."""
    thing.location = (at_mm[0] * MM, -at_mm[1] * MM, height_mm * MM)
    thing.rotation_euler = (0, 0, -turn)


def prism(
    name: str, outlines: Sequence[NDArray[np.float64]], heights: Sequence[tuple[float, float]], bevel: float
) -> bpy.types.Mesh:
    """Prisms in one mesh: each of an outline (N x 2 mm), from a height to another, its edges bevelled."""
    shape = bmesh.new()
    for outline, (low, high) in zip(outlines, heights, strict=True):
        floor = [shape.verts.new((x * MM, -y * MM, low * MM)) for x, y in outline]
        roof = [shape.verts.new((x * MM, -y * MM, high * MM)) for x, y in outline]
        faces = [shape.faces.new(floor), shape.faces.new(roof[::-1])]
        for at in range(len(floor)):
            beside = (at + 1) % len(floor)
            faces.append(shape.faces.new((floor[beside], floor[at], roof[at], roof[beside])))
        bmesh.ops.recalc_face_normals(shape, faces=faces)
        if bevel:
            edges = list({edge for face in faces for edge in face.edges})
            bmesh.ops.bevel(
                shape, geom=edges, offset=bevel * MM, segments=2, affect="EDGES", profile=0.5, clamp_overlap=True
            )
    return _finished(name, shape)


def lathe(name: str, profile: Sequence[tuple[float, float]], around: int = 64) -> bpy.types.Mesh:
    """A round body from its closed profile of radius and height, in mm."""
    shape = bmesh.new()
    angles = np.arange(around) * 2 * np.pi / around
    rings = [[shape.verts.new((r * np.cos(a) * MM, r * np.sin(a) * MM, h * MM)) for a in angles] for r, h in profile]
    for ring, above in zip(rings, rings[1:] + rings[:1], strict=True):
        for at in range(around):
            beside = (at + 1) % around
            shape.faces.new((ring[at], ring[beside], above[beside], above[at]))
    bmesh.ops.recalc_face_normals(shape, faces=shape.faces)
    mesh = _finished(name, shape)
    mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), bool))
    mesh.set_sharp_from_angle(angle=np.radians(35))
    return mesh


def box(name: str, size_mm: Sequence[float], bevel: float = 0.0) -> bpy.types.Mesh:
    """A box that stands on the ground in its own middle."""
    half = np.array(size_mm[:2]) / 2
    outline = half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    return prism(name, [outline], [(0, size_mm[2])], bevel)


def torus_part(name: str, radius: float, thick: float) -> bpy.types.Mesh:
    """A ring that stands upright, as a mug's handle."""
    ring = [(radius + thick * np.cos(a), thick * np.sin(a)) for a in np.arange(10) * 2 * np.pi / 10]
    mesh = lathe(name, ring, 24)
    mesh.transform(Matrix.Rotation(np.pi / 2, 4, "X"))
    return mesh


def _finished(name: str, shape: bmesh.types.BMesh) -> bpy.types.Mesh:
    mesh = bpy.data.meshes.new(name)
    shape.to_mesh(mesh)
    shape.free()
    return mesh
