"""The live stream: every new snapshot as a server-sent event, and polling for those who cannot have one."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator

from flask import Blueprint, Response, jsonify, request
from werkzeug.exceptions import ServiceUnavailable

from companion.table.outside import Desk
from companion.table.snapshot import Snapshot

RUN_HEADER = "Companion-Run"
"""Which start of the server answers; nobody else's answers have it."""
RETRY_MS = 2000
LOOK_S = 0.5
"""How often a stream looks whether its reader has gone or the server stops, in seconds."""

ALIVE = b": still here\nevent: alive\ndata: 1\n\n"
"""A comment for those who look at the stream, an event because a page is not told of comments."""


class Streams:
    """The open streams: counted, and ended together when the server stops."""

    def __init__(self, limit: int, heartbeat_s: float) -> None:
        self.limit = limit
        self._places = threading.BoundedSemaphore(limit)
        self._heartbeat_s = heartbeat_s
        self._stopping = threading.Event()

    def enter(self) -> bool:
        """Take a place; False when all are taken or the server stops. Whoever got one must ``leave``."""
        return not self._stopping.is_set() and self._places.acquire(blocking=False)

    def leave(self) -> None:
        self._places.release()

    def stop(self) -> None:
        """End all streams within ``LOOK_S`` and take no new ones."""
        self._stopping.set()

    def events(self, desk: Desk, run: str, known: int | None, gone: Callable[[], bool]) -> Iterator[bytes]:
        """The text of a stream.

        run: names this run of the server, so that a page can tell that it was started anew. known: the version that
        the reader has. gone: whether the reader has hung up.
        """
        hello = json.dumps({"run": run, "heartbeat_s": self._heartbeat_s})
        yield f"retry: {RETRY_MS}\nevent: hello\ndata: {hello}\n\n".encode()
        snapshot: Snapshot | None = desk.snapshot()
        quiet_since = time.monotonic()
        while not (self._stopping.is_set() or gone()):
            if snapshot is not None and snapshot["version"] != known:
                known = snapshot["version"]
                yield as_event(snapshot)
                quiet_since = time.monotonic()
            elif time.monotonic() - quiet_since >= self._heartbeat_s:
                yield ALIVE
                quiet_since = time.monotonic()
            snapshot = desk.wait(-1 if known is None else known, LOOK_S)


def as_event(snapshot: Snapshot) -> bytes:
    """A snapshot as a server-sent event; its id is the version."""
    return f"id: {snapshot['version']}\ndata: {json.dumps(snapshot, separators=(',', ':'))}\n\n".encode()


def stream_pages(desk: Desk, streams: Streams, run: str) -> Blueprint:
    """``/stream`` and ``/snapshot.json``."""
    pages = Blueprint("stream", __name__)

    @pages.get("/stream")
    def stream() -> Response:
        if not streams.enter():
            raise ServiceUnavailable(
                "too many pages are open for this one to be live; it asks for news instead", retry_after=30
            )
        known = request.headers.get("Last-Event-ID", type=int)
        # Waitress tells so; another server ends the stream at its next write.
        gone = request.environ.get("waitress.client_disconnected", lambda: False)
        response = Response(streams.events(desk, run, known, gone), mimetype="text/event-stream")
        response.headers["X-Accel-Buffering"] = "no"
        response.call_on_close(streams.leave)
        return response

    @pages.get("/snapshot.json")
    def snapshot() -> Response:
        newest = desk.snapshot()
        unchanged = newest["version"] == request.args.get("version", type=int)
        response = Response(status=204) if unchanged else jsonify(newest)
        response.headers[RUN_HEADER] = run
        return response

    return pages
