"""A desk without a table, and browsers to look at it with."""

from __future__ import annotations

import copy
import json
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from companion.errors import CompanionError
from companion.table.outside import Command
from companion.table.snapshot import Snapshot
from web import Server, WebSettings, create_app, serve

SNAPSHOTS = Path(__file__).parent / "snapshots"
KEY = "sun-pyramid-42"
JPEG = b"\xff\xd8\xff\xe0 a picture"


class FakeDesk:
    """A table that shows what it is given and notes what it is asked."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._news = threading.Condition()
        self.asked: list[Command] = []
        self.refuse: CompanionError | None = None
        self.jpeg: bytes | None = JPEG

    def snapshot(self) -> Snapshot:
        with self._news:
            return self._snapshot

    def wait(self, version: int, timeout: float) -> Snapshot | None:
        with self._news:
            changed = self._news.wait_for(lambda: self._snapshot["version"] != version, timeout)
            return self._snapshot if changed else None

    def do(self, command: Command) -> Snapshot:
        if self.refuse is not None:
            raise self.refuse
        self.asked.append(command)
        return self.snapshot()

    def picture(self) -> bytes | None:
        return self.jpeg

    def show(self, snapshot: Snapshot, **changes: Any) -> None:
        """Show another snapshot, as the next version."""
        with self._news:
            newer = copy.deepcopy(snapshot)
            newer.update(changes)  # type: ignore[typeddict-item]
            newer["version"] = self._snapshot["version"] + 1
            self._snapshot = newer
            self._news.notify_all()


def load(name: str) -> Snapshot:
    snapshot: Snapshot = json.loads((SNAPSHOTS / f"{name}.json").read_text(encoding="utf-8"))
    return snapshot


@pytest.fixture
def flying() -> Snapshot:
    """In the middle of a game, before a flight."""
    return load("flying")


@pytest.fixture
def building() -> Snapshot:
    """In the middle of a game, a pyramid may be built."""
    return load("building")


@pytest.fixture
def over() -> Snapshot:
    """A game that has ended."""
    return load("over")


@pytest.fixture
def desk(flying: Snapshot) -> FakeDesk:
    return FakeDesk(flying)


@pytest.fixture
def app(desk: FakeDesk) -> Flask:
    return create_app(desk, WebSettings(operator_key=KEY, title="Table 1"))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser without the operator's right."""
    return app.test_client()


@pytest.fixture
def operator(app: Flask) -> FlaskClient:
    """A browser with it."""
    client = app.test_client()
    assert client.get(f"/operator?key={KEY}").status_code == 303
    return client


@pytest.fixture
def start() -> Iterator[Callable[..., Server]]:
    """Starts real servers on free ports, and stops them in the end."""
    running: list[Server] = []

    def start(app: Flask, port: int = 0) -> Server:
        running.append(serve(app, "127.0.0.1", port))
        return running[-1]

    yield start
    for server in running:
        server.stop()


@pytest.fixture
def server(app: Flask, start: Callable[..., Server]) -> Server:
    return start(app)


@pytest.fixture
def address(server: Server) -> str:
    return f"http://127.0.0.1:{server.port}"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    assert path, "the page's tests need Chromium: apt-get install chromium, or give its path in CHROMIUM"
    flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
    flags += ["--disable-component-update", "--disable-sync"]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, headless=True, args=flags)
        yield chromium
        chromium.close()


class Visit:
    """A page that a browser has open, with everything that must not happen noted."""

    def __init__(self, context: BrowserContext) -> None:
        self.page: Page = context.new_page()
        self.console: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.console.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.console.append(f"error: {error}"))
        self.page.on("request", lambda request: self.requests.append(request.url))


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Callable[..., Visit]]:
    """Opens the page in a browser of its own, with the operator's right or without; ``prepare`` is told of it first."""
    contexts: list[BrowserContext] = []

    def open_page(
        operator: bool = False,
        width: int = 1280,
        height: int = 800,
        prepare: Callable[[BrowserContext], None] = lambda context: None,
    ) -> Visit:
        context = browser.new_context(viewport={"width": width, "height": height})
        context.set_default_timeout(10_000)
        contexts.append(context)
        prepare(context)
        visit = Visit(context)
        visit.page.goto(f"{address}/operator?key={KEY}" if operator else f"{address}/")
        return visit

    yield open_page
    for context in contexts:
        context.close()
