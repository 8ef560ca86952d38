"""What Blender renders: boards, pieces, tables, light, cameras and hands."""
