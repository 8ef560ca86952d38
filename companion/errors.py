"""Every error that Companion raises on purpose, in one family.

    CompanionError
    ├── RefereeError            has a code of the referee protocol (spec: protocol)
    │   ├── BadJson             a line that is no JSON object
    │   ├── BadCommand          a command of the wrong form
    │   ├── BadState            a state that contradicts itself
    │   ├── IllegalAction       an action that the rules do not allow now; names the rule
    │   └── NoGame              a command that needs a game before there is one
    ├── BadLayout               a board layout or a deck of cards that is wrong, and where
    ├── BadSetup                a set-up folder for teaching that is wrong or incomplete
    ├── BadPicture              a picture that is missing, broken or of the wrong kind
    ├── BadTable                a taught table that is missing, broken or of another version
    ├── BadConfig               settings or a pin profile that are wrong, and where
    ├── JournalError            the journal cannot be read or written
    │   └── BrokenGame          a game of the journal that cannot be gone on with; others can
    ├── HardwareError           camera, buttons or lamps that are not there or do not answer
    ├── NotAllowed              something only the operator may do, or not now
    └── StartError              the table cannot start: a port in use, a full disk

The message of each is one sentence for people: what is wrong, what was expected, what came, what to do.
"""

from __future__ import annotations


class CompanionError(Exception):
    """Base of all errors raised on purpose; ``str(error)`` is a sentence for people."""


class RefereeError(CompanionError):
    """An error that the referee protocol answers with its ``code``."""

    code = "bad_command"


class BadJson(RefereeError, ValueError):
    code = "bad_json"


class BadCommand(RefereeError, ValueError):
    code = "bad_command"


class BadState(RefereeError, ValueError):
    code = "bad_state"


class IllegalAction(RefereeError, ValueError):
    """An action that is not allowed.

    rule: the ID of the rule that it breaks (``FLY-4``, ``TURN-1``…); the message names it too.
    """

    code = "illegal_action"

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(f"{rule}: {message}")
        self.rule = rule


class NoGame(RefereeError, LookupError):
    code = "no_game"


class BadLayout(CompanionError, ValueError):
    pass


class BadSetup(CompanionError, ValueError):
    pass


class BadPicture(CompanionError, ValueError):
    pass


class BadTable(CompanionError, ValueError):
    pass


class BadConfig(CompanionError, ValueError):
    pass


class JournalError(CompanionError, OSError):
    pass


class BrokenGame(JournalError):
    """The message names no folder: everybody at the table may read it."""


class HardwareError(CompanionError, OSError):
    pass


class NotAllowed(CompanionError, PermissionError):
    pass


class StartError(CompanionError, OSError):
    pass
