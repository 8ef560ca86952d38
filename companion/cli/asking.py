"""Questions to whoever is at the keyboard."""

from __future__ import annotations

import sys

import click

from companion.errors import StartError


def asked(question: str, instead: str) -> str:
    """The answer to a question, in small letters; the question goes to standard error.

    Raises StartError where nobody is at the keyboard. instead: what can be done then.
    """
    click.echo(f"{question} ", nl=False, err=True)
    line = sys.stdin.readline()
    if not line:
        raise StartError(f"nobody is at the keyboard to answer; {instead}")
    return line.strip().lower()
