"""The Flask application, put together by hand."""

from __future__ import annotations

import hashlib
import secrets
from importlib import resources
from mimetypes import guess_type

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException, NotFound, ServiceUnavailable
from werkzeug.exceptions import RequestEntityTooLarge as TooLarge

from companion.errors import CompanionError, IllegalAction, JournalError, NoGame, NotAllowed, RefereeError
from companion.table.outside import Desk
from web.commands import command_pages
from web.guard import guard
from web.operator import OperatorRight, operator_pages
from web.settings import WebSettings
from web.stream import Streams, stream_pages

LARGEST_BODY = 64 * 1024
"""Bytes of a request's body; a corrected state with every stone on the board has about 6,000."""

STREAMS = "companion-streams"
"""Where ``app.extensions`` holds the ``Streams``."""


def create_app(desk: Desk, settings: WebSettings) -> Flask:
    """The page of a table.

    desk: the table's session. It is only asked, from many threads; what its snapshots hold is public.
    """
    app = Flask("web", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    run = secrets.token_hex(4)
    right = OperatorRight(settings.operator_key)
    streams = Streams(settings.max_streams, settings.heartbeat_s)
    app.extensions[STREAMS] = streams

    guard(app, settings)
    app.register_blueprint(operator_pages(right))
    app.register_blueprint(command_pages(desk, right))
    app.register_blueprint(stream_pages(desk, streams, run))
    _add_page(app, desk, settings, run)
    _add_files(app)
    _add_errors(app)
    return app


def _add_page(app: Flask, desk: Desk, settings: WebSettings, run: str) -> None:
    @app.get("/")
    def page() -> str:
        return render_template("page.html", title=settings.title, demo=settings.demo, run=run)

    @app.get("/picture.jpg")
    def picture() -> Response:
        jpeg = desk.picture()
        if jpeg is None:
            raise NotFound("there is no picture yet")
        return Response(jpeg, mimetype="image/jpeg")


def _add_files(app: Flask) -> None:
    """Serve what lies in ``static`` from memory: no name in a request is ever taken for a file's."""
    files = {file.name: file.read_bytes() for file in (resources.files("web") / "static").iterdir() if file.is_file()}

    @app.get("/static/<name>")
    def static(name: str) -> Response:
        if name not in files:
            raise NotFound("there is no such file")
        response = Response(files[name], content_type=_content_type(name))
        response.set_etag(hashlib.sha256(files[name]).hexdigest()[:20])
        response.headers["Cache-Control"] = "no-cache"
        response.make_conditional(request)
        return response


def _content_type(name: str) -> str:
    if name.endswith(".js"):
        return "text/javascript; charset=utf-8"
    return guess_type(name)[0] or "application/octet-stream"


def _add_errors(app: Flask) -> None:
    """Every error is answered with one sentence, as JSON."""

    @app.errorhandler(HTTPException)
    def refused(error: HTTPException) -> Response:
        response = jsonify(error=_sentence(error))
        response.status_code = error.code or 500
        if isinstance(error, ServiceUnavailable) and error.retry_after is not None:
            response.headers["Retry-After"] = str(error.retry_after)
        return response

    @app.errorhandler(CompanionError)
    def wrong(error: CompanionError) -> tuple[Response, int]:
        return jsonify(error=str(error)), _status(error)


def _sentence(error: HTTPException) -> str:
    if isinstance(error, TooLarge):
        return f"this is too large; at most {LARGEST_BODY} bytes are taken"
    if error.code == 500:
        return "something went wrong in the companion; the game is safe, and its log says more"
    return error.description or error.name


def _status(error: CompanionError) -> int:
    if isinstance(error, IllegalAction | NoGame | NotAllowed):
        return 409
    if isinstance(error, RefereeError):
        return 400
    return 503 if isinstance(error, JournalError) else 422
