"""A lake, read at one version: the same rows in every table, whatever exports commit meanwhile."""

from __future__ import annotations

import contextlib
import difflib
import os
import re
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from .errors import FilinglakeError, UsageError
from .frames import Frames, require
from .log import LakeLog, Release, Snapshot, Version, read_json
from .place import Folder, place_of
from .subjects import Company, Filing

if TYPE_CHECKING:
    import duckdb

#: A version number, or a time: the version that was the newest then. Times without a zone are UTC.
VersionOrTime = Union[int, datetime]

#: The first with the lambdas of the views
_OLDEST_DUCKDB = (1, 3)

#: A statement of lake.sql, up to its body. Each names only what stands before it.
_STATEMENT = re.compile(
    r'^CREATE OR REPLACE (?:TEMP MACRO|TEMP VIEW|VIEW "(?P<schema>[^"]+)"\.) ?"(?P<name>[^"]+)"(?P<parameters>\([^)]*\))? AS(?P<rows> TABLE)?$',
    re.MULTILINE,
)


class _Statement(NamedTuple):
    """A table, view or macro of lake.sql."""

    schema: Optional[str]
    name: str
    #: Of a macro, in parentheses
    parameters: Optional[str]
    #: ` TABLE` for a macro of rows
    rows: str
    body: str

    def is_named_in(self, text: str) -> bool:
        return re.search(rf"\b{re.escape(self.schema or self.name)}\b", text, re.IGNORECASE) is not None

    def is_table(self) -> bool:
        """Whether it reads files; an empty table reads nothing."""
        return "getvariable('lake')" in self.body or self.body.startswith("SELECT NULL::")


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
        self._made: set[tuple[int, str]] = set()
        self._parsed: tuple[bytes, list[_Statement]] = (b"", [])
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

    def filing(self, accession_number: str) -> "Filing":
        """A filing, with its texts and frames; the number with dashes or without. Raises UsageError `filing-unknown`."""
        return Filing(self, accession_number)

    def company(self, company: Union[str, int]) -> "Company":
        """A company by its CIK or ticker. Raises UsageError `company-unknown`."""
        return Company(self, company)

    def close(self) -> None:
        """Closes DuckDB's connections: relations of this lake can't be read any more."""
        for connection in [*self._cursors.values(), *([self._connection] if self._connection else [])]:
            connection.close()
        self._connection = None
        self._cursors, self._made = {}, set()

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
        self._require(name)
        unreadable = self._make(number, name)
        if name in unreadable:
            raise unreadable[name]
        return self._db().sql(f"SELECT * FROM {_schema(number)}.{_quoted(name)}")

    def sql(self, query: str, version: Optional[VersionOrTime] = None) -> "duckdb.DuckDBPyRelation":
        """The answer to a query over the tables of one version, as a DuckDB relation."""
        number = self._number(version)
        unreadable = self._make(number, query, everything=isinstance(self._place, Folder))
        return self._asked(self._cursor(number), query, unreadable)

    def _keep(self, name: str, query: str, version: Optional[VersionOrTime]) -> None:
        """Keeps the answer to a query as a table, for others that read it several times."""
        number = self._number(version)
        unreadable = self._make(number, query, everything=isinstance(self._place, Folder))
        self._asked(self._cursor(number), f"CREATE OR REPLACE TEMP TABLE {_quoted(name)} AS {query}", unreadable)

    def _has(self, name: str) -> bool:
        return any(one.name == name for one in self._statements())

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
            raise _sql_error(cause) from cause
        except duckdb.Error as cause:
            raise _sql_error(cause) from cause

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

            if tuple(int(part) for part in duckdb.__version__.split(".")[:2]) < _OLDEST_DUCKDB:
                raise FilinglakeError(
                    "package-missing",
                    f"DuckDB {duckdb.__version__} is too old: the views of a lake need 1.3",
                    'pip install --upgrade "duckdb>=1.3"',
                )
            self._connection = duckdb.connect()
            _begin(self._connection)
        return self._connection

    def _cursor(self, version: int) -> "duckdb.DuckDBPyConnection":
        """Has a search path of its own, so that a query of one version never sees another's tables."""
        cursor = self._cursors.get(version)
        if cursor is None:
            self._db().execute(f"CREATE SCHEMA IF NOT EXISTS {_schema(version)}")
            cursor = self._cursors[version] = self._db().cursor()
            _begin(cursor)
            cursor.execute(f"SET schema = {_text(f'v{version}')}")
        return cursor

    def _make(self, version: int, query: str, everything: bool = False) -> dict[str, FilinglakeError]:
        """Makes what a query names, and what that names, in the order of lake.sql.

        In a bucket, a table needs copies of its parts: only tables that are needed get one. Returns what could not be made: only a
        query that needs it fails.
        """
        wanted = _closed(self._statements(), query, everything)
        unreadable: dict[str, FilinglakeError] = {}
        cursor = self._cursor(version)
        for statement in wanted:
            name = statement.name
            if (version, name) in self._made and statement.schema is None:
                continue
            try:
                if statement.is_table():
                    cursor.execute(f"CREATE OR REPLACE VIEW {_schema(version)}.{_quoted(name)} AS {self._select(version, statement)}")
                else:
                    lost = next((error for other, error in unreadable.items() if _names(statement.body, other)), None)
                    if lost is not None:
                        raise lost
                    self._make_over_tables(cursor, version, statement)
            except FilinglakeError as error:
                unreadable[name] = error
                continue
            self._made.add((version, name))
        return unreadable

    def _make_over_tables(self, cursor: "duckdb.DuckDBPyConnection", version: int, statement: _Statement) -> None:
        name = _quoted(statement.name)
        if statement.parameters is not None:
            head = f"MACRO {_schema(version)}.{name}{statement.parameters} AS{statement.rows}"
        elif statement.schema is None:
            head = f"VIEW {_schema(version)}.{name} AS"
        else:
            cursor.execute(f"CREATE SCHEMA IF NOT EXISTS {_quoted(statement.schema)}")
            head = f"VIEW {_quoted(statement.schema)}.{name} AS"
        cursor.execute(f"CREATE OR REPLACE {head} {statement.body}")

    def _select(self, version: int, statement: _Statement) -> str:
        """The rows of a table at a version."""
        columns = self._columns_of_table(statement)
        tables = self._snapshot(version).tables
        # A view has the name of the table: SQL reads the table itself as ..._as_filed.
        stored = statement.name if statement.name in tables else statement.name.removesuffix("_as_filed")
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
        return " UNION ALL ".join(selects)

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

    def _require(self, name: str) -> _Statement:
        """The table or view of a name. Raises FilinglakeError `table-unknown`."""
        readable = {one.name: one for one in self._statements() if one.schema is None and one.parameters is None}
        if name not in readable:
            near = difflib.get_close_matches(name, readable, n=1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            raise FilinglakeError(
                "table-unknown", f"the lake {self._place.name} has no table '{name}'{hint}", f"Its tables: {', '.join(sorted(readable))}."
            )
        return readable[name]

    def _columns_of(self, name: str) -> list[tuple[str, str]]:
        statement = self._require(name)
        if statement.is_table():
            return self._columns_of_table(statement)
        if name not in self._columns:
            rows = self.table(name)
            self._columns[name] = [(column, str(type_)) for column, type_ in zip(rows.columns, rows.types)]
        return self._columns[name]

    def _columns_of_table(self, statement: _Statement) -> list[tuple[str, str]]:
        """From lake.sql, which filinglake writes with each commit. A column never changes its type or place."""
        known = self._columns.get(statement.name)
        if known is not None:
            return known
        import duckdb

        self._db().execute(f"SET VARIABLE lake = {_text(str(self.path))}")
        select = statement.body
        if not isinstance(self._place, Folder):
            select, sampled = _of_first_files(select)
            self._place.make_readable({path: None for path in sampled if not (self.path / path).exists()})
        try:
            rows = self._db().execute(f"DESCRIBE {select}").fetchall()
        except duckdb.IOException as cause:
            raise FilinglakeError(
                "part-missing",
                f"{statement.name} can't be read: {cause}",
                "`filinglake lake check` lists what is missing or damaged.",
            ) from cause
        self._columns[statement.name] = [(row[0], row[1]) for row in rows]
        return self._columns[statement.name]

    def _statements(self) -> list[_Statement]:
        """The statements of lake.sql, which is of the newest version."""
        content = self._place.read("lake.sql")
        if content is None:
            remedy = "Run `filinglake lake log --delta`: it writes the file anew."
            raise FilinglakeError("lake-sql-missing", f"{self._place.name}/lake.sql is missing", remedy)
        if self._parsed[0] != content:
            text = content.decode("utf-8")
            found = [
                _Statement(
                    *(match["schema"], match["name"], match["parameters"], match["rows"] or ""),
                    body=text[match.end() :].split(";\n", 1)[0].strip(),
                )
                for match in _STATEMENT.finditer(text)
            ]
            self._parsed = (content, found)
        return self._parsed[1]


def _begin(connection: "duckdb.DuckDBPyConnection") -> None:
    """DuckDB would print a bar on standard output during long queries."""
    import duckdb

    connection.execute("SET TimeZone = 'UTC'")
    # In a notebook without ipywidgets it has no bar, and refuses each of its settings.
    with contextlib.suppress(duckdb.InvalidInputException):
        connection.execute("SET enable_progress_bar = false")


def _sql_error(cause: Exception) -> UsageError:
    """DuckDB's first line, and the line of the query that it points at."""
    lines = [line.strip() for line in str(cause).splitlines() if line.strip() not in ("", "^")]
    at = next((line for line in lines if line.startswith("LINE ")), None)
    message = lines[0] if at is None else f"{lines[0]} ({at})"
    return UsageError("sql-invalid", message, "lake.tables() and lake.columns(TABLE) list what there is.", exit_code=2)


def _closed(statements: list[_Statement], query: str, everything: bool) -> list[_Statement]:
    """The statements that a query needs, in their order. A statement needs only earlier ones, so one pass from the end finds all."""
    wanted: list[_Statement] = []
    asking = query
    for statement in reversed(statements):
        if (everything and statement.schema is None) or statement.is_named_in(asking):
            wanted.append(statement)
            asking += f"\n{_WORDS_OF_NO_NAME.sub(' ', statement.body)}"
    return wanted[::-1]


#: Texts and comments of SQL name no table.
_WORDS_OF_NO_NAME = re.compile(r"'(?:[^']|'')*'|--[^\n]*")


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
