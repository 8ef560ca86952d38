"""What holds for all tests."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

# Before anything imports numpy, which Hypothesis does not; see companion.cli.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# No test is timed: what takes 10 ms may take 400 beside three others on two cores.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture
def as_nobody() -> Iterator[None]:
    """Without the rights of root, whom no folder stops."""
    if os.geteuid() == 0:
        os.seteuid(65534)
        yield
        os.seteuid(0)
    else:
        yield
