"""Where a lake lies: a folder on this machine's disk, or a bucket of S3. Files of a bucket are read by way of copies on this disk."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Optional, Protocol, Union
from urllib.parse import urlparse
from urllib.request import url2pathname

from .errors import FilinglakeError, UsageError

_REQUESTS_AT_ONCE = 16


class Place(Protocol):
    #: The folder or URL.
    name: str
    #: The folder that DuckDB reads: the lake's own, or that of the copies.
    folder: Path

    def read(self, path: str) -> Optional[bytes]:
        """A small file of the lake; None if it does not exist."""

    def read_all(self, paths: Iterable[str]) -> list[Optional[bytes]]:
        """Several of them, in their order."""

    def names(self, folder: str) -> list[str]:
        """Names of the files directly in a folder."""

    def make_readable(self, parts: Mapping[str, Optional[int]]) -> list[str]:
        """Lets DuckDB read parts (with their bytes, if known) in `folder`. Returns the missing ones."""


def place_of(text: Union[str, "os.PathLike[str]"]) -> Place:
    """Raises UsageError `lake-place-unknown`."""
    text = os.fspath(text)
    scheme = re.match(r"^([A-Za-z][A-Za-z0-9+.-]+)://", text)
    if scheme is None:
        return Folder(Path(text).resolve())
    if scheme.group(1).lower() == "file":
        return Folder(Path(url2pathname(urlparse(text).path)).resolve())
    if scheme.group(1).lower() == "s3":
        return Bucket(text)
    raise UsageError("lake-place-unknown", f"a lake can't lie in {text}", "Name a folder, file://… or s3://BUCKET/PREFIX.")


class Folder:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = str(folder)

    def read(self, path: str) -> Optional[bytes]:
        try:
            return (self.folder / path).read_bytes()
        except FileNotFoundError:
            return None

    def read_all(self, paths: Iterable[str]) -> list[Optional[bytes]]:
        return [self.read(path) for path in paths]

    def names(self, folder: str) -> list[str]:
        return [path.name for path in (self.folder / folder).glob("*") if path.is_file()]

    def make_readable(self, parts: Mapping[str, Optional[int]]) -> list[str]:
        return [path for path in parts if not (self.folder / path).exists()]


class Bucket:
    """With the settings of the filinglake command: docs/guide/object-storage.md. Credentials are found as in the AWS tools."""

    def __init__(self, url: str) -> None:
        self.name = url.rstrip("/")
        self._root = self.name[len("s3://") :]
        self._system = _file_system()
        key = hashlib.sha256(f"{_endpoint() or ''}\n{self.name}".encode()).hexdigest()[:16]
        self.folder = _cache_folder() / "python" / key

    def read(self, path: str) -> Optional[bytes]:
        try:
            with self._system.open_input_stream(f"{self._root}/{path}") as stream:
                return bytes(stream.read())
        except FileNotFoundError:
            return None
        except OSError as cause:
            raise self._unreadable(path, cause) from cause

    def read_all(self, paths: Iterable[str]) -> list[Optional[bytes]]:
        with ThreadPoolExecutor(_REQUESTS_AT_ONCE) as pool:
            return list(pool.map(self.read, paths))

    def names(self, folder: str) -> list[str]:
        from pyarrow.fs import FileSelector, FileType

        try:
            found = self._system.get_file_info(FileSelector(f"{self._root}/{folder}", allow_not_found=True))
        except OSError as cause:
            raise self._unreadable(folder, cause) from cause
        return [info.base_name for info in found if info.type == FileType.File]

    def make_readable(self, parts: Mapping[str, Optional[int]]) -> list[str]:
        # A part never changes, so a copy of the right size is the part.
        wanted = [path for path, size in parts.items() if not _is_copy(self.folder / path, size)]
        with ThreadPoolExecutor(_REQUESTS_AT_ONCE) as pool:
            return [path for path, found in zip(wanted, pool.map(self._copy, wanted, [parts[path] for path in wanted])) if not found]

    def _copy(self, path: str, size: Optional[int]) -> bool:
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        draft, name = tempfile.mkstemp(dir=target.parent, suffix=".draft")
        try:
            with os.fdopen(draft, "wb") as file, self._system.open_input_stream(f"{self._root}/{path}") as stream:
                while chunk := stream.read(1 << 20):
                    file.write(chunk)
            if size is not None and os.path.getsize(name) != size:
                raise FilinglakeError("part-damaged", f"{self.name}/{path} has not the {size} bytes that the log states")
            os.replace(name, target)
            return True
        except FileNotFoundError:
            return False
        except OSError as cause:
            raise self._unreadable(path, cause) from cause
        finally:
            if os.path.exists(name):
                os.remove(name)

    def _unreadable(self, path: str, cause: OSError) -> FilinglakeError:
        return FilinglakeError(
            "lake-unreadable",
            f"{self.name}/{path} can't be read: {cause}",
            "Check the endpoint, the credentials and their rights: docs/guide/object-storage.md.",
        )


def _is_copy(file: Path, size: Optional[int]) -> bool:
    try:
        found = file.stat().st_size
        return size is None or found == size
    except FileNotFoundError:
        return False


def _endpoint() -> Optional[str]:
    names = ("FILINGLAKE_S3_ENDPOINT", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
    return next((os.environ[name] for name in names if os.environ.get(name)), None)


def _file_system() -> Any:
    try:
        from pyarrow.fs import S3FileSystem
    except ImportError:
        raise FilinglakeError(
            "package-missing", "pyarrow is not installed", "Run: pip install pyarrow"
        ) from None
    options: dict[str, Any] = {}
    endpoint = _endpoint()
    if endpoint is not None:
        parsed = urlparse(endpoint)
        options.update(endpoint_override=parsed.netloc, scheme=parsed.scheme)
    region = os.environ.get("FILINGLAKE_S3_REGION") or os.environ.get("AWS_REGION") or (None if endpoint is None else "us-east-1")
    if region is not None:
        options["region"] = region
    if os.environ.get("FILINGLAKE_S3_PATH_STYLE") == "false":
        options["force_virtual_addressing"] = True
    return S3FileSystem(**options)


def _cache_folder() -> Path:
    given = os.environ.get("FILINGLAKE_S3_CACHE")
    if given:
        return Path(given)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(os.environ.get("FILINGLAKE_CACHE") or cache / "filinglake") / "buckets"
