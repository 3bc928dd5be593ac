"""Reads every table of a lake with the readers that others use, and prints what each saw as JSON.

usage: read_with_others.py LAKE < {"tables": {name: [[column, type], ...]}, "delta": {name: delta_version}, "readers": [...]}

For each table and reader: the number of rows, the smallest and largest value of each column, and a checksum over all
values of all rows in no order. The checksum is the one that `checksumSql` in the test beside this file computes in SQL.
"""

import datetime
import hashlib
import json
import os
import sys

import deltalake
import duckdb
import polars
import pyarrow
import pyarrow.dataset


def written(value, kind):
    """A value as text, the same in every reader."""
    if value is None:
        return "\\N"
    if kind == "BLOB":
        return value.hex().upper()
    if kind == "BOOLEAN":
        return "true" if value else "false"
    if kind in ("TIMESTAMP", "TIMESTAMPTZ"):
        if value.tzinfo is not None:
            value = value.astimezone(datetime.timezone.utc)
        return value.strftime("%Y-%m-%dT%H:%M:%S.%f")
    if kind.startswith("DECIMAL"):
        return f"{value:.12f}"
    if kind == "DATE":
        return value.isoformat()
    return str(value)


def seen(table, columns):
    """What a reader saw, from its rows as a pyarrow table."""
    texts = []
    for name, kind in columns:
        texts.append([written(value, kind) for value in table.column(name).to_pylist()])
    checksum = 0
    for row in zip(*texts):
        digest = hashlib.md5("\x1f".join(row).encode("utf-8")).hexdigest()
        checksum += int(digest[:15], 16)
    extremes = {}
    for (name, _), values in zip(columns, texts):
        filled = [value for value in values if value != "\\N"]
        extremes[name] = [min(filled), max(filled)] if filled else None
    return {"rows": table.num_rows, "checksum": str(checksum), "extremes": extremes}


def by_deltalake(lake, name, version):
    table = deltalake.DeltaTable(f"{lake}/{name}", version=version)
    return pyarrow.table(deltalake.QueryBuilder().register("t", table).execute("SELECT * FROM t").read_all())


def by_polars(lake, name, version):
    return polars.read_delta(f"{lake}/{name}", version=version).to_arrow()


def by_pyarrow(lake, name, version):
    """The Parquet files that the Delta log names, without Delta's own reading of them."""
    table = deltalake.DeltaTable(f"{lake}/{name}", version=version)
    files = table.file_uris()
    if not files:
        return pyarrow.schema(table.schema().to_arrow()).empty_table()
    return pyarrow.dataset.dataset(files, format="parquet").to_table()


def by_duckdb(connection, name):
    return connection.sql(f'SELECT * FROM "{name}"').to_arrow_table()


def main():
    lake = os.path.abspath(sys.argv[1])
    asked = json.load(sys.stdin)
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'; SET enable_progress_bar = false")
    quoted = lake.replace("'", "''")
    connection.execute(f"SET VARIABLE lake = '{quoted}'")
    with open(f"{lake}/lake.sql", encoding="utf-8") as script:
        connection.execute(script.read())
    result = {}
    for name, columns in asked["tables"].items():
        version = asked["delta"].get(name)
        readers = {"deltalake": by_deltalake, "polars": by_polars, "pyarrow": by_pyarrow}
        result[name] = {
            reader: seen(read(lake, name, version), columns)
            for reader, read in readers.items()
            if reader in asked["readers"]
        }
        if version is None and "duckdb" in asked["readers"]:
            result[name]["duckdb"] = seen(by_duckdb(connection, name), columns)
    json.dump(result, sys.stdout)


main()
