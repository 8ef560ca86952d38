"""Frames in, observations out."""
