"""The web page of a table: a Flask application over a ``Desk``, and the server that carries it."""

from __future__ import annotations

from web.application import create_app
from web.server import Server, serve
from web.settings import WebSettings

__all__ = ["Server", "WebSettings", "create_app", "serve"]
