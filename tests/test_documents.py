"""What the documents tell people to type is there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import click
import pytest

from companion.cli import COMMANDS, cli

ROOT = Path(__file__).parents[1]
DOCUMENTS = ("README.md", "CHANGELOG.md", "systemd/README.md")
README = (ROOT / "README.md").read_text(encoding="utf-8")


def command_of(name: str) -> click.Command:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None, f"there is no command {name}"
    return command


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_explains_its_options(name: str) -> None:
    command = command_of(name)
    assert command.help
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"companion {name} {parameter.opts[0]} has no help"
        else:
            shown = (parameter.metavar or str(parameter.name).upper()).strip("[].")
            assert shown in (command.help or ""), f"companion {name} does not explain {shown}"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_in_the_readme(name: str) -> None:
    assert f"companion {name}" in README


@pytest.mark.parametrize("document", DOCUMENTS)
def test_commands_in_the_documents_exist_with_their_options(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    lines = re.findall(r"^ {4,}(?:\S*/)?companion ([a-z]+)(.*?)(?: {2,}.*|#.*)?$", text, re.MULTILINE)
    inline = re.findall(r"`companion ([a-z]+)([^`]*)`", text)
    for name, arguments in lines + inline:
        known = {option for parameter in command_of(name).params for option in parameter.opts} | {"--help"}
        for option in re.findall(r"--[a-z-]+", arguments):
            assert option in known, f"{document}: companion {name} has no {option}"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_files_that_the_documents_point_to_exist(document: str) -> None:
    path = ROOT / document
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (path.parent / target).exists(), f"{document}: there is no {target}"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_targets_that_the_documents_make_exist(document: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    text = (ROOT / document).read_text(encoding="utf-8")
    for target in re.findall(r"(?:`|^ {4,})make ([a-z]+)", text, re.MULTILINE):
        assert target in targets, f"{document}: make {target}"


def test_the_changelog_starts_with_the_version_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    newest = re.search(r"^## \[?([^\] \n]+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest is not None
    assert newest[1] == project["version"]


def test_every_library_that_the_project_needs_is_in_the_readme() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = project["dependencies"] + project["optional-dependencies"]["dev"]
    for requirement in needed:
        name = re.match(r"[a-z-]+", requirement)
        assert name is not None
        assert name[0] in README, f"{name[0]} is not in the README"
