"""Errors: a code for programs, a message and a remedy for people. The codes are those of the filinglake command."""

from __future__ import annotations

from typing import Any, Optional


class FilinglakeError(Exception):
    """What happened (`message`), to which input, and what to do (`remedy`). `code` is stable: compare it, not the message."""

    def __init__(
        self,
        code: str,
        message: str,
        remedy: Optional[str] = None,
        exit_code: int = 1,
        result: Optional[dict[str, Any]] = None,
    ) -> None:
        super().__init__(message if remedy is None else f"{message}\n{remedy}")
        self.code = code
        self.message = message
        self.remedy = remedy
        #: As the filinglake command would end.
        self.exit_code = exit_code
        #: The last `done` event of an export, if there was one.
        self.result = result


class UsageError(FilinglakeError):
    """Exit code 2: a wrong definition, option or version."""


class ExportIncomplete(FilinglakeError):
    """Exit code 3: the export ended, but some filings failed or could not be proven complete. `result` has the counts."""


class KeyRefused(FilinglakeError):
    """Exit code 4: the API key is missing, or the service refused it."""


class ServiceUnreachable(FilinglakeError):
    """Exit code 5: the service or Temporal did not answer. `filinglake.resume(id)` continues the run."""


class ExportStopped(FilinglakeError):
    """Exit code 6: the budget of the definition or the quota of the key is used up."""


class ExportInterrupted(FilinglakeError):
    """Exit code 130: the command was interrupted. `filinglake.resume(id)` continues the run."""


_BY_EXIT_CODE = {
    2: UsageError,
    3: ExportIncomplete,
    4: KeyRefused,
    5: ServiceUnreachable,
    6: ExportStopped,
    130: ExportInterrupted,
}


def error_for(
    exit_code: int, code: str, message: str, remedy: Optional[str] = None, result: Optional[dict[str, Any]] = None
) -> FilinglakeError:
    """The exception whose class says which kind of end an exit code is."""
    return _BY_EXIT_CODE.get(exit_code, FilinglakeError)(code, message, remedy, exit_code, result)
