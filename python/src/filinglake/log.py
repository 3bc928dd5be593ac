"""The lake's log: `_lake/N.json`, one file a version over all tables. It alone says which Parquet files a version has."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Optional

from .errors import FilinglakeError, UsageError
from .place import Place

#: The format of the lake's files that this package can read.
FORMAT = 1
_COMMIT = re.compile(r"^(\d{20})\.json$")
_SNAPSHOT = re.compile(r"^(\d{20})\.snapshot\.json$")
_RELEASE = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$")
_DAMAGE_REMEDY = "Restore the file from a copy. `filinglake lake check` lists all that is wrong."


@dataclass(frozen=True)
class Part:
    """A Parquet file of a table. It has the first `columns` columns of the table."""

    file: str
    rows: int
    columns: int
    bytes: int


@dataclass(frozen=True)
class Version:
    """One commit to the lake."""

    version: int
    committed_at: datetime
    run_id: str
    #: Tables that the commit changed, with the rows it added.
    rows_new: dict[str, int]


@dataclass(frozen=True)
class Snapshot:
    """The live parts of every table at one version. Version -1 is a lake without commits."""

    version: int
    committed_at: Optional[datetime]
    tables: dict[str, dict[str, Part]]

    def rows(self, table: str) -> int:
        return sum(part.rows for part in self.tables.get(table, {}).values())


@dataclass(frozen=True)
class Release:
    """A version with a name: `_releases/NAME.json`."""

    name: str
    version: int
    committed_at: Optional[datetime]
    released_at: datetime
    note: Optional[str]


class LakeLog:
    def __init__(self, place: Place) -> None:
        self._place = place

    def newest(self) -> int:
        """The newest version. By names, not by counting up: behind a lost file the rest of the log would look as if it were not there."""
        numbers = (_COMMIT.match(name) for name in self._place.names("_lake"))
        return max((int(match[1]) for match in numbers if match), default=-1)

    def snapshot(self, version: int) -> Snapshot:
        """Raises UsageError `lake-version-unknown`, FilinglakeError `lake-damaged` or `lake-newer`."""
        newest = self.newest()
        if not -1 <= version <= newest:
            raise UsageError(
                "lake-version-unknown",
                f"the lake {self._place.name} has no version {version}",
                f"Its newest version is {newest}; Lake.versions() lists them.",
                exit_code=2,
            )
        start = max((at for at in self._snapshot_versions() if at <= version), default=-1)
        tables: dict[str, dict[str, Part]] = {}
        committed_at: Optional[str] = None
        if start >= 0:
            file = read_json(self._place, f"_lake/{start:020d}.snapshot.json")
            committed_at = file["committed_at"]
            for name, table in file["tables"].items():
                tables[name] = {part["part"]: _part(part) for part in table["parts"]}
        paths = [_commit_path(number) for number in range(start + 1, version + 1)]
        for path, bytes_ in zip(paths, self._place.read_all(paths)):
            commit = _parsed(self._place, path, bytes_)
            committed_at = commit["committed_at"]
            for name, change in commit["tables"].items():
                self._apply(tables.setdefault(name, {}), name, change, commit)
        return Snapshot(version, _time(committed_at), tables)

    def releases(self) -> list[Release]:
        names = [name for name in self._place.names("_releases") if name.endswith(".json")]
        releases = [self._release(f"_releases/{name}") for name in names]
        return sorted(releases, key=lambda release: release.version)

    def release(self, name: str) -> Release:
        """Raises UsageError `release-unknown`, FilinglakeError `lake-damaged` or `lake-newer`."""
        if _RELEASE.match(name) and self._place.read(f"_releases/{name}.json") is not None:
            return self._release(f"_releases/{name}.json")
        known = ", ".join(release.name for release in self.releases()) or "none"
        raise UsageError(
            "release-unknown", f"the lake {self._place.name} has no release '{name}'", f"Its releases: {known}.", exit_code=2
        )

    def _release(self, path: str) -> Release:
        file = read_json(self._place, path)
        released_at = _time(file["released_at"])
        assert released_at is not None
        return Release(file["name"], file["version"], _time(file["committed_at"]), released_at, file["note"])

    def entry(self, version: int) -> Version:
        commit = self._commit(version)
        rows = {name: change["rows_new"] for name, change in commit["tables"].items()}
        committed_at = _time(commit["committed_at"])
        assert committed_at is not None
        return Version(version, committed_at, commit["run_id"], rows)

    def version_at(self, time: datetime) -> int:
        """The newest version that was committed at or before a time. Versions' times never fall."""
        if time.tzinfo is None:
            time = time.replace(tzinfo=timezone.utc)
        before, behind = -1, self.newest() + 1
        while behind - before > 1:
            middle = (before + behind) // 2
            if self.entry(middle).committed_at <= time:
                before = middle
            else:
                behind = middle
        if before < 0:
            raise UsageError(
                "lake-version-unknown",
                f"the lake {self._place.name} had no version at {time.isoformat()}",
                "Lake.versions() lists versions and their times.",
                exit_code=2,
            )
        return before

    def _apply(self, parts: dict[str, Part], table: str, change: dict[str, Any], commit: dict[str, Any]) -> None:
        where = f"lake version {commit['version']}"
        for name in change["remove"]:
            if parts.pop(name, None) is None:
                raise FilinglakeError("lake-damaged", f"{where} removes {table}/{name}, which is not in the lake", _DAMAGE_REMEDY)
        for part in change["add"]:
            parts[part["part"]] = _part(part)
        # The commit states the rows of each table: a log that was changed or mixed up does not add up.
        rows, promised = sum(part.rows for part in parts.values()), commit["promises"].get(table, 0)
        if rows != promised:
            raise FilinglakeError(
                "lake-damaged", f"{where} states {promised} rows of {table}, its parts have {rows}", _DAMAGE_REMEDY
            )

    def _snapshot_versions(self) -> list[int]:
        matches = (_SNAPSHOT.match(name) for name in self._place.names("_lake"))
        return [int(match[1]) for match in matches if match]

    def _commit(self, version: int) -> dict[str, Any]:
        return read_json(self._place, _commit_path(version))


def _commit_path(version: int) -> str:
    return f"_lake/{version:020d}.json"


def read_json(place: Place, path: str) -> dict[str, Any]:
    """Reads a file of the lake. Raises FilinglakeError `lake-damaged` or `lake-newer`."""
    return _parsed(place, path, place.read(path))


def _parsed(place: Place, path: str, content: Optional[bytes]) -> dict[str, Any]:
    where = f"{place.name}/{path}"
    if content is None:
        raise FilinglakeError("lake-damaged", f"{where} is missing", _DAMAGE_REMEDY)
    try:
        value: dict[str, Any] = json.loads(content)
    except ValueError as cause:
        raise FilinglakeError("lake-damaged", f"{where} is not JSON", _DAMAGE_REMEDY) from cause
    if value["format"] > FORMAT:
        raise FilinglakeError(
            "lake-newer", f"{where} was written by a newer filinglake (format {value['format']})", "Update this package."
        )
    return value


def _part(entry: dict[str, Any]) -> Part:
    return Part(entry["part"], entry["rows"], entry["columns"], entry["bytes"])


def _time(text: Optional[str]) -> Optional[datetime]:
    # Python before 3.11 reads no "Z".
    return None if text is None else datetime.fromisoformat(text.replace("Z", "+00:00"))
