from __future__ import annotations

import socket

import pytest

from companion.wiring.addresses import for_tablets
from web.guard import allowed_host, own_names


@pytest.mark.parametrize("host", ["", "0.0.0.0"])
def test_tablets_find_the_page_under_names_that_are_let_in(host: str) -> None:
    first, *others = for_tablets(host, 8123)
    assert first == f"http://{socket.gethostname().split('.')[0].lower()}.local:8123"
    assert len(others) <= 1
    assert all(allowed_host(address.removeprefix("http://"), own_names()) for address in (first, *others))


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "::1"])
def test_what_only_this_machine_reaches_has_no_address_for_tablets(host: str) -> None:
    assert for_tablets(host, 8123) == []
