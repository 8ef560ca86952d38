"""The operator's key: made once for a table, kept in its folder where only its owner can read it."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from companion.errors import StartError

FILE_NAME = "operator.key"
KEY_BYTES = 9


def operator_key(folder: Path) -> str:
    """The key that gives a page the right to change things; made when the table has none yet.

    Raises StartError when it can be neither read nor written.
    """
    file = folder / FILE_NAME
    try:
        if file.exists():
            key = file.read_text(encoding="ascii").strip()
            if key:
                return key
        key = secrets.token_urlsafe(KEY_BYTES)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as out:
            out.write(f"{key}\n")
            out.flush()
            # It is shown next: after a pulled plug the link that people have must still be right.
            os.fsync(out.fileno())
    except (OSError, UnicodeDecodeError) as error:
        raise StartError(f"{file}: the operator's key can be neither read nor kept ({error})") from None
    return key
