"""A lake, read at one version: the same rows in every table, whatever exports commit meanwhile."""

from __future__ import annotations

import os
import re
from datetime import datetime
from typing import TYPE_CHECKING, Any, Optional, Union

from .errors import FilinglakeError, UsageError
from .frames import Frames, require
from .log import LakeLog, Release, Snapshot, Version, read_json
from .place import Folder, place_of

if TYPE_CHECKING:
    import duckdb

#: A version number, or a time: the version that was the newest then. Times without a zone are UTC.
VersionOrTime = Union[int, datetime]

#: Of each connection. DuckDB would print a bar on standard output during long queries.
_SESSION = "SET TimeZone = 'UTC'; SET enable_progress_bar = false"

_VIEW = re.compile(r'^CREATE OR REPLACE TEMP VIEW "([^"]+)" AS$', re.MULTILINE)
_OTHER = re.compile(
    r'^CREATE OR REPLACE (?:TEMP MACRO (?=")|VIEW "(?P<schema>[^"]+)"\.)"(?P<name>[^"]+)"(?P<parameters>\([^)]*\))? AS(?P<rows> TABLE)?$',
    re.MULTILINE,
)


def open_lake(
    path: Union[str, "os.PathLike[str]"], version: Optional[VersionOrTime] = None, release: Optional[str] = None
) -> "Lake":
    """Opens the lake in a folder or a bucket (`s3://…`), at its newest version, at an older one, or at a release.

    Parts of a lake in a bucket are copied to this machine's disk when a query names their table.

    Raises FilinglakeError `lake-missing`, `lake-newer` or `lake-damaged`, UsageError `lake-version-unknown` or `release-unknown`.
    """
    return Lake(path, version, release)


class Lake(Frames):
    """A lake at one version. Not for use by several threads at once: open it in each."""

    def __init__(
        self, path: Union[str, "os.PathLike[str]"], version: Optional[VersionOrTime] = None, release: Optional[str] = None
    ) -> None:
        if version is not None and release is not None:
            raise UsageError("argument-invalid", "give a version or a release, not both", "Leave one of them out.", exit_code=2)
        self._place = place_of(path)
        #: The folder that DuckDB reads: the lake's own, or that of the copies of a bucket.
        self.path = self._place.folder
        if self._place.read("lake.json") is None:
            raise FilinglakeError(
                "lake-missing", f"there is no lake in {self._place.name}", "Name the folder of a lake. `filinglake export` makes one."
            )
        read_json(self._place, "lake.json")
        self._log = LakeLog(self._place)
        self._snapshots: dict[int, Snapshot] = {}
        self._connection: Optional["duckdb.DuckDBPyConnection"] = None
        self._cursors: dict[int, "duckdb.DuckDBPyConnection"] = {}
        self._columns: dict[str, list[tuple[str, str]]] = {}
        self._views: set[tuple[int, str]] = set()
        if release is not None:
            version = self._log.release(release).version
        #: The version that methods read if they are given none.
        self.version = self._log.newest() if version is None else self._number(version)
        self._snapshot(self.version)

    def __repr__(self) -> str:
        return f"Lake({self._place.name!r}, version={self.version})"

    def __enter__(self) -> "Lake":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes DuckDB's connections: relations of this lake can't be read any more."""
        for connection in [*self._cursors.values(), *([self._connection] if self._connection else [])]:
            connection.close()
        self._connection = None
        self._cursors, self._views = {}, set()

    @property
    def committed_at(self) -> Optional[datetime]:
        """When this version was committed, in UTC; None for a lake without commits."""
        return self._snapshot(self.version).committed_at

    def refresh(self) -> int:
        """Moves on to the newest version and returns it."""
        self.version = self._log.newest()
        return self.version

    def versions(self, limit: Optional[int] = None) -> list[Version]:
        """The versions up to this one, newest first: when, by which run, how many rows were new."""
        numbers = range(self.version, -1, -1)
        return [self._log.entry(number) for number in (numbers if limit is None else numbers[:limit])]

    def releases(self) -> list[Release]:
        """Versions with a name, which stay readable. `filinglake lake release NAME` makes one."""
        return self._log.releases()

    def tables(self, version: Optional[VersionOrTime] = None) -> dict[str, int]:
        """Tables with rows, and how many."""
        snapshot = self._snapshot(self._number(version))
        return {name: snapshot.rows(name) for name in sorted(snapshot.tables) if snapshot.rows(name) > 0}

    def columns(self, table: str) -> list[tuple[str, str]]:
        """Names and DuckDB types of a table's columns."""
        return self._columns_of(table)

    def files(self, table: str, version: Optional[VersionOrTime] = None) -> list[str]:
        """Paths (URLs in a bucket) of the Parquet files that a table has at a version, for Spark, Ray or any other reader."""
        self._columns_of(table)
        parts = self._snapshot(self._number(version)).tables.get(table, {})
        root = str(self.path) if isinstance(self._place, Folder) else self._place.name
        return [os.path.join(root, table, part.file) for part in parts.values()]

    def table(self, name: str, version: Optional[VersionOrTime] = None) -> "duckdb.DuckDBPyRelation":
        """A table as a DuckDB relation: nothing is read until you fetch. Relations of one Lake can be joined, across versions too."""
        number = self._number(version)
        self._make_view(number, name)
        return self._db().sql(f"SELECT * FROM {_schema(number)}.{_quoted(name)}")

    def sql(self, query: str, version: Optional[VersionOrTime] = None) -> "duckdb.DuckDBPyRelation":
        """The answer to a query over the tables of one version, as a DuckDB relation."""
        number = self._number(version)
        unreadable: dict[str, FilinglakeError] = {}
        for name in self._lake_sql():
            # In a bucket, a view needs copies of its table's parts: only tables that the query names get one.
            if not isinstance(self._place, Folder) and not _names(query, name):
                continue
            try:
                self._make_view(number, name)
            except FilinglakeError as error:
                # Only a query that needs the table fails.
                unreadable[name] = error
        cursor = self._cursors.get(number)
        if cursor is None:
            # A cursor has a search path of its own, so that a query of one version never sees another's tables.
            cursor = self._cursors[number] = self._db().cursor()
            cursor.execute(_SESSION)
            cursor.execute(f"SET schema = {_text(f'v{number}')}")
        self._make_named(cursor, number, query)
        return self._asked(cursor, query, unreadable)

    @staticmethod
    def _asked(
        cursor: "duckdb.DuckDBPyConnection", query: str, unreadable: dict[str, FilinglakeError]
    ) -> "duckdb.DuckDBPyRelation":
        import duckdb

        try:
            return cursor.sql(query)
        except duckdb.CatalogException as cause:
            for name, error in unreadable.items():
                if re.search(rf"\b{re.escape(name)}\b", str(cause)):
                    raise error from cause
            raise

    def _number(self, version: Optional[VersionOrTime]) -> int:
        if version is None:
            return self.version
        return self._log.version_at(version) if isinstance(version, datetime) else version

    def _snapshot(self, version: int) -> Snapshot:
        snapshot = self._snapshots.get(version)
        if snapshot is None:
            snapshot = self._snapshots[version] = self._log.snapshot(version)
        return snapshot

    def _db(self) -> "duckdb.DuckDBPyConnection":
        if self._connection is None:
            require("duckdb")
            import duckdb

            self._connection = duckdb.connect()
            self._connection.execute(_SESSION)
        return self._connection

    def _make_view(self, version: int, table: str) -> None:
        if (version, table) in self._views:
            return
        select = self._lake_sql().get(table, "")
        if _is_over_tables(select):
            self._make_view_over_tables(version, table, select)
            return
        columns = self._columns_of(table)
        tables = self._snapshot(version).tables
        # A view has the name of the table: SQL reads the table itself as ..._as_filed.
        stored = table if table in tables else table.removesuffix("_as_filed")
        parts = list(tables.get(stored, {}).values())
        missing = self._place.make_readable({f"{stored}/{part.file}": part.bytes for part in parts})
        if missing:
            self._refuse_missing(version, stored, missing[0].rpartition("/")[2])
        selects = []
        # Parts from before a column was added lack it: it reads as null.
        for count in sorted({min(part.columns, len(columns)) for part in parts}):
            names = [
                _quoted(name) if i < count else f"NULL::{type_} AS {_quoted(name)}" for i, (name, type_) in enumerate(columns)
            ]
            files = [
                _text(str(self.path / stored / part.file)) for part in parts if min(part.columns, len(columns)) == count
            ]
            selects.append(f"SELECT {', '.join(names)} FROM read_parquet([{', '.join(files)}])")
        if not selects:
            selects.append(f"SELECT {', '.join(f'NULL::{t} AS {_quoted(n)}' for n, t in columns)} WHERE false")
        self._db().execute(f"CREATE SCHEMA IF NOT EXISTS {_schema(version)}")
        view = f"{_schema(version)}.{_quoted(table)}"
        self._db().execute(f"CREATE OR REPLACE VIEW {view} AS {' UNION ALL '.join(selects)}")
        self._views.add((version, table))

    def _make_view_over_tables(self, version: int, name: str, select: str) -> None:
        for table in self._lake_sql():
            if table != name and _names(select, table):
                self._make_view(version, table)
        self._db().execute(f"CREATE SCHEMA IF NOT EXISTS {_schema(version)}")
        cursor = self._db().cursor()
        cursor.execute(f"SET schema = {_text(f'v{version}')}")
        self._make_named(cursor, version, select)
        cursor.execute(f"CREATE OR REPLACE VIEW {_schema(version)}.{_quoted(name)} AS {select}")
        cursor.close()
        self._views.add((version, name))

    def _refuse_missing(self, version: int, table: str, part: str) -> None:
        if part not in self._snapshot(self._log.newest()).tables.get(table, {}):
            raise FilinglakeError(
                "lake-version-vacuumed",
                f"version {version} can't be read any more: a vacuum removed parts of it",
                "Read a later version; Lake.refresh() moves to the newest.",
            )
        raise FilinglakeError(
            "part-missing",
            f"Part {table}/{part} is missing.",
            "Restore the file from a copy, or run `filinglake lake repair`: the next export fetches again what the part held.",
        )

    def _columns_of(self, table: str) -> list[tuple[str, str]]:
        """From the view in lake.sql, which filinglake writes with each commit. A column never changes its type or place."""
        known = self._columns.get(table)
        if known is not None:
            return known
        views = self._lake_sql()
        if table not in views:
            raise FilinglakeError(
                "table-unknown", f"the lake {self._place.name} has no table '{table}'", f"Its tables: {', '.join(sorted(views))}."
            )
        import duckdb

        if _is_over_tables(views[table]):
            self._make_view(self.version, table)
            rows = self._db().execute(f"DESCRIBE {_schema(self.version)}.{_quoted(table)}").fetchall()
            self._columns[table] = [(row[0], row[1]) for row in rows]
            return self._columns[table]
        self._db().execute(f"SET VARIABLE lake = {_text(str(self.path))}")
        select = views[table]
        if not isinstance(self._place, Folder):
            select, sampled = _of_first_files(select)
            self._place.make_readable({path: None for path in sampled if not (self.path / path).exists()})
        try:
            rows = self._db().execute(f"DESCRIBE {select}").fetchall()
        except duckdb.IOException as cause:
            raise FilinglakeError(
                "part-missing", f"{table} can't be read: {cause}", "`filinglake lake check` lists what is missing or damaged."
            ) from cause
        self._columns[table] = [(row[0], row[1]) for row in rows]
        return self._columns[table]

    def _lake_sql(self) -> dict[str, str]:
        """The SELECT of each table's view in lake.sql, which is of the newest version."""
        content = self._place.read("lake.sql")
        if content is None:
            remedy = "Run `filinglake lake versions`: it writes the file anew."
            raise FilinglakeError("lake-sql-missing", f"{self._place.name}/lake.sql is missing", remedy)
        text = content.decode("utf-8")
        return {match[1]: _statement(text, match.end()) for match in _VIEW.finditer(text)}

    def _make_named(self, cursor: "duckdb.DuckDBPyConnection", version: int, query: str) -> None:
        """Macros, and views in the schemas of SEC's data sets, that a query names, with those that they name."""
        content = self._place.read("lake.sql")
        text = "" if content is None else content.decode("utf-8")
        others = [(match, _statement(text, match.end())) for match in _OTHER.finditer(text)]
        made: set[str] = set()

        def make(asking: str) -> None:
            for match, body in others:
                name = f"{match['schema']}.{match['name']}"
                if name in made or not _names(asking, match["schema"] or match["name"]):
                    continue
                made.add(name)
                # DuckDB 2 binds a macro when it is made.
                make(body)
                for table in self._lake_sql():
                    if _names(body, table):
                        self._make_view(version, table)
                if match["schema"]:
                    cursor.execute(f"CREATE SCHEMA IF NOT EXISTS {_quoted(match['schema'])}")
                    cursor.execute(f"CREATE OR REPLACE VIEW {_quoted(match['schema'])}.{_quoted(match['name'])} AS {body}")
                else:
                    macro = f"{_schema(version)}.{_quoted(match['name'])}{match['parameters']}"
                    cursor.execute(f"CREATE OR REPLACE MACRO {macro} AS{match['rows'] or ''} {body}")

        make(query)


def _statement(text: str, start: int) -> str:
    """The rest of a statement of lake.sql."""
    return text[start:].split(";\n", 1)[0].strip()


def _is_over_tables(select: str) -> bool:
    """Whether a view of lake.sql reads other views, not files. An empty table reads neither."""
    return select != "" and "getvariable('lake')" not in select and not select.startswith("SELECT NULL::")


def _names(query: str, table: str) -> bool:
    return re.search(rf"\b{re.escape(table)}\b", query, re.IGNORECASE) is not None


_FILE = re.compile(r"getvariable\('lake'\)\|\|'/((?:[^']|'')*)'")
_FILES = re.compile(r"read_parquet\(\[(.*?)\]\)", re.DOTALL)


def _of_first_files(select: str) -> tuple[str, list[str]]:
    """A view that reads one file of each list, which has the same columns, and the paths of these files."""
    sampled: list[str] = []

    def first(files: "re.Match[str]") -> str:
        found = _FILE.search(files[1])
        if found is None:
            return files[0]
        sampled.append(found[1].replace("''", "'"))
        return f"read_parquet([{found[0]}])"

    return _FILES.sub(first, select), sampled


def _schema(version: int) -> str:
    return _quoted(f"v{version}")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
