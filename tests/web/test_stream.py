"""The live stream, as text and over a real server."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

import web.server
from companion.errors import StartError
from web import Server, WebSettings, create_app, serve
from web.stream import Streams

KEY = "sun-pyramid-42"


def parse(text: str) -> dict[str, str]:
    """The fields of one event."""
    return dict(line.split(": ", 1) for line in text.strip().splitlines() if not line.startswith(":"))


def test_a_stream_says_hello_and_then_sends_the_newest_snapshot(desk: Any) -> None:
    events = Streams(1, 10).events(desk, "run-1", None, lambda: False)
    hello = parse(next(events).decode())
    assert hello["event"] == "hello"
    assert json.loads(hello["data"])["run"] == "run-1"
    assert int(hello["retry"]) > 0
    first = parse(next(events).decode())
    assert first["id"] == str(desk.snapshot()["version"])
    assert json.loads(first["data"]) == desk.snapshot()


def test_a_new_snapshot_is_sent_when_it_is_there(desk: Any, building: Any) -> None:
    events = Streams(1, 10).events(desk, "run-1", None, lambda: False)
    next(events), next(events)
    desk.show(building)
    assert json.loads(parse(next(events).decode())["data"]) == desk.snapshot()


def test_a_reader_who_comes_back_gets_only_what_is_new(desk: Any, building: Any) -> None:
    events = Streams(1, 10).events(desk, "run-1", desk.snapshot()["version"], lambda: False)
    next(events)
    desk.show(building)
    assert json.loads(parse(next(events).decode())["data"])["version"] == desk.snapshot()["version"]


def test_a_stream_on_which_nothing_happens_shows_that_it_lives(desk: Any) -> None:
    events = Streams(1, 0.01).events(desk, "run-1", desk.snapshot()["version"], lambda: False)
    next(events)
    assert next(events) == b": still here\nevent: alive\ndata: 1\n\n"


def test_a_stream_ends_when_its_reader_has_gone(desk: Any) -> None:
    assert len(list(Streams(1, 10).events(desk, "run-1", None, lambda: True))) == 1


def test_a_stream_ends_when_the_server_stops(desk: Any) -> None:
    streams = Streams(1, 10)
    streams.stop()
    assert len(list(streams.events(desk, "run-1", None, lambda: False))) == 1
    assert not streams.enter()


def test_a_place_is_free_again_when_a_stream_is_closed(desk: Any) -> None:
    client: FlaskClient = create_app(desk, WebSettings(operator_key=KEY, max_streams=1)).test_client()
    first = client.get("/stream")
    assert first.mimetype == "text/event-stream"
    refused = client.get("/stream")
    assert refused.status_code == 503
    assert int(refused.headers["Retry-After"]) > 0
    assert "too many" in refused.get_json()["error"]
    first.close()
    assert client.get("/stream").status_code == 200


class Reader:
    """Reads a stream over the network."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        self.connection.request("GET", "/stream")
        self.answer = self.connection.getresponse()

    def event(self) -> dict[str, str]:
        lines = []
        while line := self.answer.readline().decode().strip():
            lines.append(line)
        return parse("\n".join(lines))

    def snapshot(self) -> Any:
        """The next snapshot, whatever else comes before."""
        while "event" in (event := self.event()):
            pass
        return json.loads(event["data"])

    def close(self) -> None:
        self.answer.close()
        self.connection.close()


@contextmanager
def readers(server: Server, count: int) -> Iterator[list[Reader]]:
    opened = [Reader(server.port) for _ in range(count)]
    try:
        yield opened
    finally:
        for reader in opened:
            reader.close()


def ask(server: Server, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("GET", path)
    answer = connection.getresponse()
    result = answer.status, answer.read()
    connection.close()
    return result


def test_open_streams_never_block_a_page(desk: Any, building: Any, start: Callable[..., Server]) -> None:
    server = start(create_app(desk, WebSettings(operator_key=KEY, max_streams=24)))
    with readers(server, 24) as opened:
        assert {reader.snapshot()["version"] for reader in opened} == {desk.snapshot()["version"]}
        for path in ("/", "/snapshot.json", "/static/page.js") * 5:
            assert ask(server, path)[0] == 200
        assert ask(server, "/stream")[0] == 503
        desk.show(building)
        assert {reader.snapshot()["version"] for reader in opened} == {desk.snapshot()["version"]}


def test_the_place_of_a_reader_who_hung_up_is_given_to_the_next(desk: Any, start: Callable[..., Server]) -> None:
    app = create_app(desk, WebSettings(operator_key=KEY, max_streams=1))
    freed = threading.Event()
    streams: Streams = app.extensions["companion-streams"]
    leave = streams.leave

    def leave_and_tell() -> None:
        leave()
        freed.set()

    streams.leave = leave_and_tell  # type: ignore[method-assign]
    server = start(app)
    with readers(server, 1) as (reader,):
        reader.snapshot()
    assert freed.wait(10)
    with readers(server, 1) as (reader,):
        assert reader.answer.status == 200


def test_a_server_with_open_streams_stops_in_time(desk: Any) -> None:
    server = serve(create_app(desk, WebSettings(operator_key=KEY)), "127.0.0.1", 0)
    with readers(server, 5) as opened:
        for reader in opened:
            reader.snapshot()
        server.stop(timeout=5)
        assert opened[0].answer.read() == b""
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", server.port), timeout=5)
    server.stop()


def test_a_reader_who_never_reads_does_not_keep_a_server_from_stopping(desk: Any, flying: Any) -> None:
    desk.show(flying, log=[{"seq": 1, "player": None, "text": "x" * 8_000_000}])
    server = serve(create_app(desk, WebSettings(operator_key=KEY, heartbeat_s=0.01)), "127.0.0.1", 0)
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(b"GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert connection.recv(12) == b"HTTP/1.1 200"
        server.stop(timeout=6)


def test_connections_on_which_nothing_is_asked_do_not_keep_others_out_for_long(
    app: Flask, start: Callable[..., Server], desk: Any, building: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web.server, "IDLE_S", 1)
    monkeypatch.setattr(web.server, "IDLE_LOOK_S", 1)
    server = start(app)
    with readers(server, 1) as (reader,):
        reader.snapshot()
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as idle:
            assert idle.recv(1) == b""
        # A stream is none of those, however long nothing happens.
        desk.show(building)
        assert reader.snapshot() == desk.snapshot()


def test_a_port_in_use_is_said_in_one_sentence(desk: Any, server: Server) -> None:
    app = create_app(desk, WebSettings(operator_key=KEY))
    with pytest.raises(StartError, match=rf"port {server.port} is in use.*--port"):
        serve(app, "127.0.0.1", server.port)


def test_an_impossible_port_or_address_is_said_in_one_sentence(desk: Any) -> None:
    app = create_app(desk, WebSettings(operator_key=KEY))
    with pytest.raises(StartError, match="no port"):
        serve(app, "127.0.0.1", 70_000)
    with pytest.raises(StartError, match=r"cannot listen on 192\.0\.2\.1"):
        serve(app, "192.0.2.1", 0)


def test_a_page_on_all_addresses_is_reached_by_its_numbers(desk: Any) -> None:
    server = serve(create_app(desk, WebSettings(operator_key=KEY)), "", 0)
    try:
        assert ask(server, "/snapshot.json")[0] == 200
    finally:
        server.stop()
