"""Under which addresses a tablet finds the page."""

from __future__ import annotations

import ipaddress
import socket

# Of those that are kept for documents (RFC 5737): no packet is sent to it.
_ELSEWHERE = ("192.0.2.1", 9)


def for_tablets(host: str, port: int) -> list[str]:
    """The addresses of the page for other devices in the network: by the machine's name, and by its number.

    host: what the page listens on, "" being all. None for one that only this machine reaches.
    """
    if host == "localhost" or _only_here(host):
        return []
    name = socket.gethostname().split(".")[0].lower()
    return [f"http://{where}:{port}" for where in (f"{name}.local", _number()) if where is not None]


def _only_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _number() -> str | None:
    """The machine's address in the network that it would send from; None where there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        try:
            out.connect(_ELSEWHERE)
            number = str(out.getsockname()[0])
        except OSError:
            return None
    return None if _only_here(number) else number
