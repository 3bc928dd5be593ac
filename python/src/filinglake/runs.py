"""Exports as subprocesses: `filinglake export --json` prints an event a line, and ends with an exit code that says how."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Optional, Union

from . import command as _packed
from .display import bar, display_here, share_of, words_of
from .errors import FilinglakeError, error_for

Event = dict[str, Any]
Definition = Union[str, "os.PathLike[str]", Mapping[str, Any]]

_INSTALL = "Pass command=[...], or set FILINGLAKE_COMMAND, with the path of the program. A package from `pip install ./python` has one."


class Run:
    """A running export. Iterate over it to follow it, or `wait()` for its end.

    Events are dicts with an `event`: `start`, `progress`, `done`. docs/reference/json-output.md lists their members.
    Leaving a `with` block before the end interrupts the command; the run is kept, and `resume(run.id)` continues it.
    """

    def __init__(self, arguments: Sequence[str], *, command: Optional[Sequence[str]], env: Mapping[str, str], temporary: Optional[str]) -> None:
        self._temporary = temporary
        #: Id of the run, as soon as its `start` event was read; of several exports the last one's.
        self.id: Optional[str] = None
        #: The `done` events: one for each export of the definition.
        self.results: list[Event] = []
        #: The newest `progress` of the events that were read.
        self.progress: dict[str, Any] = {}
        self._errors: list[str] = []
        try:
            self._process = _start([*_command(command), *arguments], env)
        except BaseException:
            self._clean_up()
            raise
        # Read beside the events: a full pipe would stop the command.
        self._reader = threading.Thread(target=self._read_errors, daemon=True)
        self._reader.start()

    @property
    def result(self) -> Optional[Event]:
        """The last `done` event, if there was one."""
        return self.results[-1] if self.results else None

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Event]:
        """Yields events as they come. Raises at the end, unless the export is complete: see `wait`."""
        yield from self._events()
        self._raise_unless_complete()

    def wait(self, check: bool = True, progress: bool = True) -> Optional[Event]:
        """Waits for the end and returns the last `done` event. `progress`: a bar in a notebook, a line on a terminal.

        Raises the subclass of FilinglakeError that belongs to the exit code, with a code, a remedy and the `result`.
        With check=False it raises nothing: look at `exit_code`.
        """
        shown = display_here() if progress else None
        for event in self._events():
            if shown is not None and event.get("event") == "progress":
                shown.show(self.progress)
        if shown is not None and self.result is not None:
            shown.end(self._summary())
        if check:
            self._raise_unless_complete()
        return self.result

    def __repr__(self) -> str:
        return f"<Run {self.id}: {self._summary()}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return bar(f"{self.id}: {self._summary()}", 1.0 if self.result is not None else share_of(self.progress))

    def _summary(self) -> str:
        done = self.result
        if done is None:
            return words_of(self.progress) if self.progress else "starting"
        rows = sum(table["rows_new"] for table in done["tables"].values())
        counts = f"{done['state']} · {rows:,} new rows · {done['requests']:,} requests · {done['failures']:,} failures"
        return " · ".join([counts, *done.get("without", [])])

    @property
    def exit_code(self) -> Optional[int]:
        """Of the command; None while it runs."""
        return self._process.poll()

    def interrupt(self) -> None:
        """Asks the command to leave the run, as Ctrl-C does. Batches under way are committed first."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)

    def close(self) -> None:
        """Interrupts the command if it still runs, and waits until it has ended."""
        self.interrupt()
        for _ in self._events():
            pass

    def _events(self) -> Iterator[Event]:
        assert self._process.stdout is not None
        if not self._process.stdout.closed:
            try:
                for line in self._process.stdout:
                    event = _event(line)
                    if event is None:
                        # npx and the like write lines of their own.
                        self._errors.append(line.rstrip("\n"))
                        continue
                    self._note(event)
                    yield event
            except KeyboardInterrupt:
                # The command is in a session of its own: a terminal's Ctrl-C reaches this process alone.
                self.interrupt()
                raise
            self._process.stdout.close()
        self._process.wait()
        self._reader.join()
        self._clean_up()

    def _note(self, event: Event) -> None:
        if event.get("id") is not None:
            self.id = event["id"]
        if event.get("event") == "progress":
            self.progress = event["progress"]
        if event.get("event") == "done":
            self.results.append(event)

    def _raise_unless_complete(self) -> None:
        exit_code = self._process.wait()
        if exit_code == 0:
            return
        raise _error(exit_code, self._errors, self._worst_result())

    def _worst_result(self) -> Optional[Event]:
        """Of several exports the one that explains the exit code best: the last that is not complete."""
        lacking = [done for done in self.results if done["state"] != "completed" or done["failures"] > 0]
        return lacking[-1] if lacking else self.result

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as stream:
            self._errors.extend(line.rstrip("\n") for line in stream)

    def _clean_up(self) -> None:
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)
            self._temporary = None


def export(
    definition: Definition,
    *names: str,
    lake: Union[str, "os.PathLike[str]", None] = None,
    set: Optional[Mapping[str, Any]] = None,  # noqa: A002 - as the command's option
    wait_for_quota: bool = True,
    worker: bool = True,
    api_key: Optional[str] = None,
    base_url: Optional[str] = None,
    env: Optional[Mapping[str, str]] = None,
    command: Optional[Sequence[str]] = None,
) -> Run:
    """Starts an export, or attaches to its run if it runs already.

    definition      path of a YAML file, or the definition as a dict (paths in a dict must be absolute)
    names           which exports of a file with several; default: all
    lake            folder of the lake; default: that of the definition, else ./lake
    set             values in place of the definition's: {"date_from": "-30d"}
    wait_for_quota  whether to wait for the reset if the quota is used up; else ExportStopped is raised
    worker          False: leave the work to workers that run elsewhere
    api_key         default: the variable FILINGLAKE_API_KEY
    base_url        of the service; default: that of the definition, else FILINGLAKE_BASE_URL
    command         how to start filinglake; default: FILINGLAKE_COMMAND, else the command of this package, else `filinglake` on PATH
    """
    arguments, temporary = ["export"], None
    if isinstance(definition, Mapping):
        temporary = tempfile.mkdtemp(prefix="filinglake-")
        file = Path(temporary) / "definition.yaml"
        # JSON is YAML.
        file.write_text(json.dumps(definition), encoding="utf-8")
        arguments.append(str(file))
    else:
        arguments.append(os.fspath(definition))
    arguments += [*names, "--json"]
    if lake is not None:
        arguments += ["--lake", os.fspath(lake)]
    for name, value in (set or {}).items():
        arguments += ["--set", f"{name}={_set_value(value)}"]
    if not wait_for_quota:
        arguments.append("--no-wait")
    if not worker:
        arguments.append("--no-worker")
    return Run(arguments, command=command, env=_environment(env, api_key, base_url), temporary=temporary)


def resume(
    id: str,  # noqa: A002 - as events call it
    *,
    api_key: Optional[str] = None,
    env: Optional[Mapping[str, str]] = None,
    command: Optional[Sequence[str]] = None,
) -> Run:
    """Continues a run that was interrupted, paused or stopped by its quota, and follows it."""
    return Run(["resume", id, "--json"], command=command, env=_environment(env, api_key, None), temporary=None)


def retry(
    id: str,  # noqa: A002
    *,
    api_key: Optional[str] = None,
    env: Optional[Mapping[str, str]] = None,
    command: Optional[Sequence[str]] = None,
) -> Run:
    """Requests again what an export failed to fetch, and follows that."""
    return Run(["retry", id, "--json"], command=command, env=_environment(env, api_key, None), temporary=None)


def status(*, env: Optional[Mapping[str, str]] = None, command: Optional[Sequence[str]] = None) -> list[dict[str, Any]]:
    """The latest run of each export: dicts with `id`, `name`, `lake`, `state`, `started_at`, `progress`, `worker`."""
    process = _start([*_command(command), "status", "--json"], _environment(env, None, None))
    output, errors = process.communicate()
    if process.returncode != 0:
        raise _error(process.returncode, errors.splitlines(), None)
    runs: list[dict[str, Any]] = json.loads(output)
    return runs


def _command(command: Optional[Sequence[str]]) -> list[str]:
    if command is not None:
        return list(command)
    words = os.environ.get("FILINGLAKE_COMMAND", "").split()
    if words:
        return words
    if _packed.is_packed():
        return _packed.program()
    found = shutil.which("filinglake")
    if found is None:
        raise FilinglakeError("command-missing", "the filinglake command is not on PATH", _INSTALL)
    return [found]


def _environment(env: Optional[Mapping[str, str]], api_key: Optional[str], base_url: Optional[str]) -> dict[str, str]:
    given = {**_packed.environment(os.environ), **(env or {}), "FILINGLAKE_ERRORS": "json"}
    if api_key is not None:
        given["FILINGLAKE_API_KEY"] = api_key
    if base_url is not None:
        given["FILINGLAKE_BASE_URL"] = base_url
    return given


def _start(arguments: Sequence[str], env: Mapping[str, str]) -> "subprocess.Popen[str]":
    try:
        return subprocess.Popen(
            arguments,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )
    except OSError as cause:
        raise FilinglakeError("command-missing", f"{arguments[0]} can't be started: {cause.strerror}", _INSTALL) from cause


def _event(line: str) -> Optional[Event]:
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _error(exit_code: int, lines: Sequence[str], result: Optional[Event]) -> FilinglakeError:
    """The error that the command printed; without one, what its exit code and last event say."""
    for line in reversed(lines):
        try:
            error = json.loads(line)["error"]
            return error_for(exit_code, error["code"], error["message"], error["remedy"], result)
        except (ValueError, TypeError, KeyError):
            continue
    if result is not None:
        return error_for(exit_code, f"export-{_how(exit_code)}", _sentence(exit_code, result), None, result)
    said = "\n".join(lines[-5:]) or f"the command ended with exit code {exit_code}"
    return error_for(exit_code, "command-failed", said, None, None)


def _how(exit_code: int) -> str:
    return {3: "incomplete", 6: "stopped", 130: "interrupted"}.get(exit_code, "failed")


def _sentence(exit_code: int, done: Event) -> str:
    if exit_code == 3:
        return (
            f"{done['id']} ended with {done['failures']} failures, {done.get('filings_deferred', 0)} filings left to the next run "
            f"and {len(done.get('missing', []))} kinds of missing steps"
        )
    reason = done.get("message") or done.get("stopped_by") or done["state"]
    return f"{done['id']} was left: {reason}"


def _set_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(str(item) for item in value)
    return str(value)
