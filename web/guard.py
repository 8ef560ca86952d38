"""Which requests are let in: by the name they were sent to, by the page they come from."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

from flask import Flask, Request, Response, request
from werkzeug.exceptions import BadRequest, Forbidden

from web.settings import WebSettings

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    # "no-referrer" would have browsers send the form of /operator without saying where it comes from.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}

_WRONG_HOST = (
    "this address does not belong to this table; open the page by the machine's own name or IP address, "
    "or add the name to the allowed hosts"
)
_FOREIGN_PAGE = "this was sent by another web page; commands are only taken from the table's own page"


def guard(app: Flask, settings: WebSettings) -> None:
    """Refuse requests for other hosts (DNS rebinding) and commands from other pages; secure every answer."""
    names = own_names() | {name.lower() for name in settings.hosts}

    @app.before_request
    def check() -> None:
        if not allowed_host(request.host, names):
            raise BadRequest(_WRONG_HOST)
        if request.method not in ("GET", "HEAD", "OPTIONS") and not from_own_page(request):
            raise Forbidden(_FOREIGN_PAGE)

    @app.after_request
    def secure(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "no-store")
        return response


def own_names() -> frozenset[str]:
    """The names under which a browser on this machine or on the same network finds it."""
    name = socket.gethostname().lower()
    first = name.split(".")[0]
    return frozenset({"localhost", name, first, f"{first}.local"})


def allowed_host(host: str, names: frozenset[str]) -> bool:
    """Whether a Host header, with or without port, names this machine.

    An IP address is looked up rather than listed, since the machine's addresses change while the server runs.
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name.rstrip(".") in names:
        return True
    try:
        return _is_own(ipaddress.ip_address(name))
    except ValueError:
        return False


def _is_own(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Only an address of this machine can be bound to."""
    if address.is_unspecified or address.is_multicast:
        return False
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.bind((str(address), 0))
    except OSError:
        return False
    return True


def from_own_page(request: Request) -> bool:
    """Whether the request was sent by this server's page, or by something that is no browser."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = request.headers.get("Origin")
    return origin is None or origin == f"{request.scheme}://{request.host}"
