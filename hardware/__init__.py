"""Buttons, lamps and the camera, and their simulated twins."""
