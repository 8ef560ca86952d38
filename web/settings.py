"""What the page needs to know of its table that is not in a snapshot."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.errors import BadConfig

SHORTEST_KEY = 8


@dataclass(frozen=True)
class WebSettings:
    """Settings of the page.

    operator_key: who knows it may send commands; chosen at random by the caller and kept with the table. At least 8
    characters, without blanks at either end.
    hosts: further names under which the page may be opened, without port, beside localhost, the machine's own name
    and its addresses (a router's ``table.fritz.box``).
    max_streams: live streams open at the same time; whoever comes later polls.
    heartbeat_s: seconds between two signs of life on a stream on which nothing happens.
    Raises BadConfig for a key that is too short and numbers that are not positive.
    """

    operator_key: str = field(repr=False)
    title: str = "Companion"
    demo: bool = False
    hosts: frozenset[str] = frozenset()
    max_streams: int = 32
    heartbeat_s: float = 10.0

    def __post_init__(self) -> None:
        if len(self.operator_key) < SHORTEST_KEY or self.operator_key != self.operator_key.strip():
            raise BadConfig(f"the operator key must have {SHORTEST_KEY} characters or more, no blanks at either end")
        if self.max_streams < 1 or self.heartbeat_s <= 0:
            raise BadConfig("max_streams must be 1 or more, heartbeat_s more than 0")
