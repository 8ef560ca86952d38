"""The server that carries the page: waitress, with a place for every stream and threads to spare for pages."""

from __future__ import annotations

import contextlib
import errno
import socket
import threading
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.server import create_server

from companion.errors import StartError
from web.application import LARGEST_BODY, STREAMS
from web.stream import Streams

PAGE_THREADS = 8
CONNECTIONS = 400
IDLE_S, IDLE_LOOK_S = 20, 5
"""A connection on which nothing has been asked for so long is closed, and how often it is looked for such: while all
there may be are open, nobody else is answered."""
STOP_LOOK_S = 0.25
UNSENT_BYTES = 512 * 1024
"""How much may wait for a slow reader before its stream waits too; below waitress's limit for writing to disk."""


class Server:
    """A running page. ``start`` returns once the port is taken; ``stop`` once nothing runs any more."""

    def __init__(self, app: Flask, host: str, port: int, max_streams: int) -> None:
        self._app = app
        self._host = host
        self._port = port
        self._threads = max_streams + PAGE_THREADS
        self._sockets: Any = {}
        self._waitress: Any = None
        self._stopping = threading.Event()
        self._loop: threading.Thread | None = None

    @property
    def port(self) -> int:
        """The port it listens on; another than asked for only when 0 was asked for."""
        return self._port

    def start(self) -> None:
        """Take the port and answer from now on. Raises StartError when it cannot be had."""
        listening = listen(self._host, self._port)
        self._port = listening.getsockname()[1]
        self._waitress = create_server(
            self._app,
            map=self._sockets,
            sockets=[listening],
            threads=self._threads,
            connection_limit=CONNECTIONS,
            channel_timeout=IDLE_S,
            cleanup_interval=IDLE_LOOK_S,
            # The application refuses what is too large, with a sentence; this is only the last resort.
            max_request_body_size=16 * LARGEST_BODY,
            max_request_header_size=32 * 1024,
            outbuf_high_watermark=UNSENT_BYTES,
            # Reading ahead is how waitress notices that the reader of a stream has gone.
            channel_request_lookahead=1,
            ident=None,
        )
        self._loop = threading.Thread(target=self._serve, name="page", daemon=True)
        self._loop.start()

    def stop(self, timeout: float = 5.0) -> None:
        """End streams and requests, close the port. Raises TimeoutError when that takes longer than ``timeout`` s."""
        if self._loop is None:
            return
        streams: Streams = self._app.extensions[STREAMS]
        streams.stop()
        # What is being answered may be finished; what does not end by itself, ends with its connection.
        self._waitress.task_dispatcher.shutdown(timeout=timeout / 3)
        self._stopping.set()
        self._loop.join(timeout / 3)
        self._waitress.task_dispatcher.shutdown(timeout=timeout / 3)
        if self._loop.is_alive() or self._waitress.task_dispatcher.threads:
            raise TimeoutError(f"the page did not stop within {timeout:g} seconds")
        self._loop = None

    def _serve(self) -> None:
        # Not waitress's own loop, which can only be left by a signal. It looks whether to stop now and then: whoever
        # wanted to wake it up could find the pipe for that closed already.
        while not self._stopping.is_set():
            wasyncore.loop(timeout=STOP_LOOK_S, use_poll=True, map=self._sockets, count=1)
        for channel in list(self._waitress.active_channels.values()):
            channel.handle_close()
        wasyncore.close_all(self._sockets, ignore_all=True)


def serve(app: Flask, host: str = "", port: int = 8000) -> Server:
    """Start the page of ``create_app`` in threads of its own.

    host: the address to listen on; "" for all of the machine's. port: 0 for any free one.
    Raises StartError when the port cannot be had.
    """
    streams: Streams = app.extensions[STREAMS]
    server = Server(app, host, port, streams.limit)
    server.start()
    return server


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises StartError with what is wrong and what to do."""
    if not 0 <= port <= 65535:
        raise StartError(f"{port} is no port: a number from 1 to 65535 was expected; use --port")
    try:
        if host == "" and socket.has_dualstack_ipv6():
            with contextlib.suppress(OSError):  # a kernel may know IPv6 and yet have it switched off
                return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise StartError(_why_not(error, host, port)) from None


def _why_not(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use, perhaps by another companion; stop that, or choose another port with --port"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"port {port} is reserved for the system; choose one above 1023 with --port"
    return f"cannot listen on {host or 'any address'}, port {port}: {error.strerror or error}"
