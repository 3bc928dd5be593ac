"""Reads tables and views of a lake by doors of Python.

Arguments: none. Standard input: {"lake", "asked": {door: [[name, what the door is given]]}}. Standard output: for each door and name
the columns with their types in DuckDB's names, and the rows; or the error.
"""

import base64
import datetime
import decimal
import json
import os
import signal
import sys

GIVEN = json.load(sys.stdin)
LAKE = os.path.abspath(GIVEN["lake"])


def cell(value):
    if value is None or isinstance(value, (bool, str, float)):
        return value
    if isinstance(value, (int, decimal.Decimal)):
        return format(value, "f") if isinstance(value, decimal.Decimal) else str(value)
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(value).decode()
    if isinstance(value, datetime.datetime):
        if value.tzinfo is not None:
            value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return value.isoformat()
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, dict):
        return {name: cell(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [cell(each) for each in value]
    return str(value)


def type_name(kind):
    """DuckDB's name of a type of Arrow."""
    import pyarrow.types as types

    if types.is_decimal(kind):
        return f"DECIMAL({kind.precision},{kind.scale})"
    if types.is_timestamp(kind):
        return "TIMESTAMP" if kind.tz is None else "TIMESTAMPTZ"
    if types.is_dictionary(kind):
        return type_name(kind.value_type)
    names = {"bool": "BOOLEAN", "int32": "INTEGER", "int64": "BIGINT", "double": "DOUBLE", "date32[day]": "DATE", "int16": "SMALLINT"}
    if str(kind) in names:
        return names[str(kind)]
    if str(kind) in ("string", "large_string", "string_view"):
        return "VARCHAR"
    if str(kind) in ("binary", "large_binary", "binary_view"):
        return "BLOB"
    return None


def of_arrow(table):
    columns = [column.to_pylist() for column in table.columns]
    fields = [[field.name, type_name(field.type)] for field in table.schema]
    rows = [[cell(value) for value in row] for row in zip(*columns)] if columns else []
    return {"columns": fields, "rows": rows}


def of_pandas(frame):
    import pandas

    def plain(value):
        if isinstance(value, (list, tuple, dict)) or hasattr(value, "tolist") and getattr(value, "ndim", 0) > 0:
            return value.tolist() if hasattr(value, "tolist") else value
        if pandas.isna(value):
            return None
        if isinstance(value, pandas.Timestamp):
            return value.to_pydatetime()
        return value.item() if hasattr(value, "item") else value

    rows = [[cell(plain(value)) for value in row] for row in frame.astype(object).itertuples(index=False, name=None)]
    return {"columns": [[name, None] for name in frame.columns], "rows": rows, "floats": True}


def of_relation(relation):
    read = getattr(relation, "to_arrow_table", None) or relation.fetch_arrow_table
    return of_arrow(read())


_opened = {}


def lake():
    import filinglake

    return _opened.setdefault("lake", filinglake.open(LAKE))


def script():
    """A connection of DuckDB after `.read lake.sql`."""
    if "script" not in _opened:
        import duckdb

        con = _opened["script"] = duckdb.connect()
        con.execute("SET TimeZone = 'UTC'")
        con.execute("SET VARIABLE lake = '" + LAKE.replace("'", "''") + "'")
        with open(f"{LAKE}/lake.sql", encoding="utf-8") as text:
            con.execute(text.read())
    return _opened["script"]


def delta_scan(table):
    if "delta" not in _opened:
        import duckdb

        con = _opened["delta"] = duckdb.connect()
        con.execute("SET TimeZone = 'UTC'")
        con.execute(f"LOAD '{GIVEN['extension']}'")
    path = f"{LAKE}/{table}".replace("'", "''")
    return of_relation(_opened["delta"].sql(f"SELECT * FROM delta_scan('{path}')"))


def by_deltalake(table):
    import deltalake
    import pyarrow

    builder = deltalake.QueryBuilder().register("t", deltalake.DeltaTable(f"{LAKE}/{table}"))
    return of_arrow(pyarrow.table(builder.execute("SELECT * FROM t").read_all()))


def by_pyarrow(table):
    """The Parquet files that the Delta log names."""
    import deltalake
    import pyarrow.dataset

    files = deltalake.DeltaTable(f"{LAKE}/{table}").file_uris()
    return of_arrow(pyarrow.dataset.dataset(files, format="parquet").to_table())


def by_polars(table):
    import polars

    return of_arrow(polars.read_delta(f"{LAKE}/{table}").to_arrow())


def by_batches(table):
    import pyarrow

    batches = list(lake().batches(table, rows=2))
    # Nothing has no batch, and so no columns.
    return of_arrow(pyarrow.Table.from_batches(batches)) if batches else {"columns": [], "rows": []}


def by_file(path):
    import pyarrow

    with open(path, "rb") as file:
        return of_arrow(pyarrow.ipc.open_stream(file).read_all())


DOORS = {
    "arrow file": by_file,
    "python sql": lambda source: of_relation(lake().sql(f"SELECT * FROM {source}")),
    "python table": lambda name: of_relation(lake().table(name)),
    "python arrow": lambda name: of_arrow(lake().arrow(name)),
    "python polars": lambda name: of_arrow(lake().polars(name).to_arrow()),
    "python pandas": lambda name: of_pandas(lake().pandas(name)),
    "python batches": by_batches,
    # Of methods that have no SQL: what they are given.
    "python panel": lambda given: of_arrow(lake().panel(frame="arrow", **json.loads(given))),
    "python sections": lambda code: of_arrow(lake().sections(code, pointers=True, frame="arrow")),
    "lake.sql": lambda source: of_relation(script().sql(f"SELECT * FROM {source}")),
    "deltalake": by_deltalake,
    "polars": by_polars,
    "pyarrow": by_pyarrow,
    "delta_scan": delta_scan,
}


# A cell that ends never must not keep the others waiting; after two of them the door is left. Of CPU: a busy machine changes nothing.
SECONDS = 5
_late = {}


def too_late(*_):
    raise TimeoutError(f"no answer in {SECONDS} seconds of CPU")


signal.signal(signal.SIGPROF, too_late)


def answer(door, source):
    if _late.get(door, 0) == 2:
        return {"error": "not asked: two others had no answer in time"}
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return DOORS[door](source)
    except BaseException as error:  # also what Rust panics with
        if isinstance(error, (TimeoutError, RecursionError)):
            _late[door] = _late.get(door, 0) + 1
        return {"error": f"{type(error).__name__}: {error}"[:1000]}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


json.dump(
    {door: {name: answer(door, source) for name, source in asked} for door, asked in GIVEN["asked"].items()}, sys.stdout
)
