"""Imports go one way: this reads them, without importing anything, and says which line does not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
TOPS = ("companion", "vision", "hardware", "web")

# Libraries that only some parts may import; those of the Pi only within the functions that need them.
ONLY_IN = {"cv2": "vision", "fpdf": "companion.cli", "flask": "web", "waitress": "web", "sqlite3": "companion.journal"}
LATE_IN = {"gpiozero": "hardware", "lgpio": "hardware", "picamera2": "hardware", "libcamera": "hardware"}

# What each part may import of the project besides itself; the first line that a module is in counts.
VALUES = ("companion.errors", "companion.squares", "companion.boards", "companion.observation")
PICTURES = (
    "vision.frames",
    "vision.geometry",
    "vision.grid",
    "vision.table",
    "vision.markers",
    "vision.logarithms",
    "vision.gaussians",
    "vision.quantiles",
    "vision.parabola",
    "vision.noise",
)
MAY = {
    "companion.cli": TOPS,
    "companion.bench": TOPS,
    "companion.wiring": TOPS,
    "companion.games": (*VALUES, "companion.typed_toml"),
    "companion": ("companion",),
    "vision.light": (*VALUES, *PICTURES),
    "vision.finding": (*VALUES, *PICTURES),
    "vision.reading": (*VALUES, *PICTURES, "vision.light", "vision.finding", "companion.games.*.pieces"),
    "vision": (*VALUES, "companion.games.*.pieces"),
    "hardware": (*VALUES, "companion.typed_toml"),
    "web": (*VALUES, "companion.table"),
}
ONLY_FOR_CLI = ("companion.wiring", "companion.bench", "companion.cli")


class Import(NamedTuple):
    module: str
    imports: str
    line: str
    loading: bool


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {name_of(path): path for top in TOPS for path in (ROOT / top).rglob("*.py")}


def imports_of(module: str, path: Path) -> Iterator[Import]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    typing = [node for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)]
    late = {inner for node in (*functions, *typing) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names]
            if isinstance(node, ast.ImportFrom):
                assert not node.level, f"{path}:{node.lineno}: imports are written in full"
                full = [f"{node.module}.{name}" for name in names]
                names = [name if name in MODULES else str(node.module) for name in full]
            for name in dict.fromkeys(names):
                yield Import(module, name, f"{path.relative_to(ROOT)}:{node.lineno} imports {name}", node not in late)


IMPORTS = [found for module, path in sorted(MODULES.items()) for found in imports_of(module, path)]


def within(name: str, *packages: str) -> bool:
    """Whether a module is one of the packages or in one; ``*`` stands for one part of a name."""
    parts = name.split(".")
    return any(
        len(wanted) <= len(parts) and all(w in ("*", p) for w, p in zip(wanted, parts, strict=False))
        for wanted in (package.split(".") for package in packages)
    )


def test_each_library_is_imported_only_where_it_belongs() -> None:
    homes = ONLY_IN | LATE_IN
    found = {library for library in homes for i in IMPORTS if within(i.imports, library)}
    wrong = [i.line for i in IMPORTS for lib in homes if within(i.imports, lib) and not within(i.module, homes[lib])]
    assert not wrong, "\n".join(wrong)
    assert found == homes.keys(), "a library in the list that nobody imports"


def test_libraries_of_the_pi_are_imported_at_the_last_moment() -> None:
    wrong = [i.line for i in IMPORTS if i.loading and within(i.imports, *LATE_IN)]
    assert not wrong, "\n".join(wrong)


def test_imports_within_the_project_go_one_way() -> None:
    wrong = []
    for i in IMPORTS:
        part = next(part for part in MAY if within(i.module, part))
        if i.imports in MODULES and not within(i.imports, part, *MAY[part]):
            wrong.append(f"{i.line}, which {part} may not")
        if within(i.imports, *ONLY_FOR_CLI) and not within(i.module, *ONLY_FOR_CLI):
            wrong.append(f"{i.line}, which only the command line may")
    assert not wrong, "\n".join(wrong)


def test_no_modules_import_each_other_in_a_circle() -> None:
    loads = {module: {i.imports for i in IMPORTS if i.loading and i.module == module} - {module} for module in MODULES}
    while loads:
        leaves = [module for module, others in loads.items() if not others & loads.keys()]
        assert leaves, f"a circle among {', '.join(sorted(loads))}"
        for leaf in leaves:
            del loads[leaf]
