"""The right to send commands: a key, tried slowly, kept in a signed cookie."""

from __future__ import annotations

import hmac
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable

from flask import Blueprint, Request, Response, jsonify, redirect, render_template, request
from itsdangerous import BadSignature, URLSafeTimedSerializer
from werkzeug.exceptions import Forbidden, TooManyRequests
from werkzeug.wrappers import Response as BaseResponse

COOKIE = "companion-operator"
COOKIE_DAYS = 60
TRIES = 6
TRIES_SECONDS = 60.0
ADDRESSES = 1000

NO_RIGHT = "only the table's operator may do this; open the operator link, or enter the key at /operator"


class OperatorRight:
    """Gives, and recognises, the right to send commands."""

    def __init__(self, key: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._key = key.encode()
        self._signer = URLSafeTimedSerializer(key, salt="companion operator")
        self._tries = Tries(clock)

    def holds(self, request: Request) -> bool:
        """Whether the request carries the cookie that was given for this very key."""
        try:
            return bool(self._signer.loads(request.cookies.get(COOKIE, ""), max_age=COOKIE_DAYS * 86400) == "operator")
        except BadSignature:
            return False

    def require(self, request: Request) -> None:
        """Raises Forbidden, with a sentence, for a request without the right."""
        if not self.holds(request):
            raise Forbidden(NO_RIGHT)

    def check(self, key: str, address: str) -> None:
        """Raises Forbidden for a wrong key, TooManyRequests for too many of them from one address."""
        wait = self._tries.wait(address)
        if wait > 0:
            seconds = int(wait) + 1
            raise TooManyRequests(f"too many wrong keys; try again in {seconds} seconds", retry_after=seconds)
        if not hmac.compare_digest(key.strip().encode(), self._key):
            self._tries.failed(address)
            raise Forbidden("this is not the operator key; the machine prints it when the table starts")

    def give(self, response: BaseResponse) -> None:
        """Lay the cookie into an answer."""
        value = self._signer.dumps("operator")
        response.set_cookie(COOKIE, str(value), max_age=COOKIE_DAYS * 86400, httponly=True, samesite="Strict")


class Tries:
    """Counts wrong keys by address; may be called from any thread."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures: OrderedDict[str, deque[float]] = OrderedDict()

    def wait(self, address: str) -> float:
        """Seconds until this address may try again; 0 when it may now."""
        with self._lock:
            times = self._failures.get(address)
            if times is None or len(times) < TRIES:
                return 0.0
            return max(0.0, times[0] + TRIES_SECONDS - self._clock())

    def failed(self, address: str) -> None:
        with self._lock:
            self._failures.setdefault(address, deque(maxlen=TRIES)).append(self._clock())
            self._failures.move_to_end(address)
            if len(self._failures) > ADDRESSES:
                self._failures.popitem(last=False)


def operator_pages(right: OperatorRight) -> Blueprint:
    """``/operator`` (the form, and the link with a key) and ``/right`` (whether this browser has it)."""
    pages = Blueprint("operator", __name__)

    @pages.get("/operator")
    def form() -> BaseResponse | str:
        key = request.args.get("key")
        return render_template("operator.html", error=None) if key is None else enter_with(key)

    @pages.post("/operator")
    def enter() -> BaseResponse:
        return enter_with(request.form.get("key", ""))

    @pages.get("/right")
    def tell() -> Response:
        return jsonify(operator=right.holds(request))

    def enter_with(key: str) -> BaseResponse:
        try:
            right.check(key, request.remote_addr or "")
        except (Forbidden, TooManyRequests) as error:
            wait = {"Retry-After": str(error.retry_after)} if isinstance(error, TooManyRequests) else None
            return Response(render_template("operator.html", error=error.description), error.code, wait)
        response = redirect("/", 303)
        right.give(response)
        return response

    return pages
