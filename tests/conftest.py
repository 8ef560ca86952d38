"""What holds for all tests."""

import os

from hypothesis import settings

# Before anything imports numpy, which Hypothesis does not; see companion.cli.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# No test is timed: what takes 10 ms may take 400 beside three others on two cores.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
