"""The scene in Blender: board, table and camera, and how a picture of it is rendered."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix
from numpy.random import Generator
from numpy.typing import NDArray

from training.rendering.camera import Camera
from training.rendering.camera_effects import Linear, wide_lens
from training.rendering.solids import MM, linear, material, solid
from training.rendering.tables import SIDE_MM
from training.rendering.things import BOARD_MM

Image = NDArray[np.uint8]


def start_scene(samples: int, threads: int) -> None:
    """An empty scene with the renderer set up for speed."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.threads_mode, scene.render.threads = "FIXED", threads
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_depth = "16"
    scene.render.use_persistent_data = True
    cycles = scene.cycles
    cycles.device = "CPU"
    cycles.samples = samples
    cycles.use_adaptive_sampling, cycles.adaptive_threshold, cycles.adaptive_min_samples = True, 0.06, 4
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_prefilter, cycles.denoising_quality = "NONE", "FAST"
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 3, 1, 1
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.blur_glossy, cycles.sample_clamp_indirect = 1.0, 3.0
    scene.camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(scene.camera)


def blurred(by_motion: bool) -> None:
    """Whether what moves from frame 0 to frame 2 of Blender's time is blurred by that."""
    scene = bpy.context.scene
    scene.render.use_motion_blur, scene.render.motion_blur_shutter = by_motion, 2.0
    scene.frame_set(1)


def put_board(rng: Generator, size_mm: tuple[float, float], picture: Image) -> str:
    """Put the board, its printed face up at height 0; how glossy it is, in words."""
    gloss = float(rng.choice([rng.uniform(0.12, 0.3), rng.uniform(0.3, 0.55), rng.uniform(0.55, 0.9)]))
    card = material("card", linear((60, 80, 110)), 0.8)
    paint = material("print", (1, 1, 1), gloss, picture=picture, specular=float(rng.uniform(0.2, 0.6)))
    width, height = size_mm[0] * MM, size_mm[1] * MM
    low = -BOARD_MM * MM
    corners = [(0, 0), (width, 0), (width, -height), (0, -height)]
    points = [(x, y, z) for z in (0.0, low) for x, y in corners]
    faces = [(3, 2, 1, 0), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    mesh = bpy.data.meshes.new("board")
    mesh.from_pydata(points, [], faces)
    _lay_picture(mesh, (width, height))
    mesh.materials.append(paint)
    mesh.materials.append(card)
    for face in list(mesh.polygons)[1:]:
        face.material_index = 1
    solid("board", mesh)
    return f"board roughness {gloss:.2f}"


def put_table(rng: Generator, size_mm: tuple[float, float], picture: Image) -> None:
    """Put the table under the board, larger than any camera sees, turned somehow."""
    half, low = SIDE_MM / 2 * MM, -BOARD_MM * MM
    mesh = bpy.data.meshes.new("table")
    mesh.from_pydata([(-half, -half, 0), (half, -half, 0), (half, half, 0), (-half, half, 0)], [], [(0, 1, 2, 3)])
    _lay_picture(mesh, (2 * half, 2 * half), (-half, half))
    paint = material("table", (1, 1, 1), float(rng.uniform(0.25, 0.95)), picture=picture)
    table = solid("table", mesh, paint)
    table.location = (size_mm[0] / 2 * MM, -size_mm[1] / 2 * MM, low)
    table.rotation_euler = (0, 0, rng.normal(0, 0.15))


def _lay_picture(mesh: bpy.types.Mesh, size: tuple[float, float], left_top: tuple[float, float] = (0.0, 0.0)) -> None:
    layer = mesh.uv_layers.new(name="print")
    for loop in mesh.loops:
        x, y, _ = mesh.vertices[loop.vertex_index].co
        layer.data[loop.index].uv = ((x - left_top[0]) / size[0], 1 + (y - left_top[1]) / size[1])


def render(camera: Camera, scale: float, scratch: Path, seed: int) -> Linear:
    """What the camera sees through a lens that does not bend, as linear light: RGB, size as ``wide_lens`` says."""
    scene = bpy.context.scene
    size, field = wide_lens(camera.lens, scale)
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.render.resolution_percentage = 100
    data = scene.camera.data
    data.sensor_fit, data.angle = "HORIZONTAL", field
    data.clip_start, data.clip_end = 0.1, 100.0
    # Blender's camera looks along -z with y up; the pose's along z with y down, on a board with y down.
    turn = camera.pose.rotation.T * [1, -1, -1]
    turn[1:] *= -1
    x, y, height = camera.pose.eye
    scene.camera.matrix_world = Matrix.Translation((x * MM, -y * MM, height * MM)) @ Matrix(turn.tolist()).to_4x4()
    scene.cycles.seed = seed
    scene.render.filepath = str(scratch / "light.exr")
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(scene.render.filepath)
    pixels = np.empty(size[0] * size[1] * 4, np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return np.ascontiguousarray(pixels.reshape(size[1], size[0], 4)[::-1, :, :3])
