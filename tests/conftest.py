"""What holds for all tests."""

import os

# Before anything imports numpy; see companion.cli.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
