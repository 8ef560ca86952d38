"""Companion: rules, referee, journal and session of a board-game table companion."""
