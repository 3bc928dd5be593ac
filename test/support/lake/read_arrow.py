"""Holds files that filinglake wrote against what DuckDB for Python makes of the same query, and prints JSON.

usage: read_arrow.py < [{"sql", "arrow", "parquet", "unlike"}, ...]

For each: rows, columns, and `problems`, which is empty where the Arrow file, read by pyarrow and by polars, and the Parquet file hold
the same values as DuckDB's own Arrow table, in columns of the same types. `unlike`: columns that pyarrow can't read of DuckDB's Parquet
(arrays of a fixed length with one that is null).
"""

import json
import sys

import duckdb
import polars
import pyarrow as pa
import pyarrow.parquet


def plain(kind):
    """A type without differences that mean nothing to a reader: sizes of offsets, names of items."""
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return pa.string()
    if pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind):
        return pa.binary()
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return pa.list_(pa.field("item", plain(kind.value_type)))
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(pa.field("item", plain(kind.value_type)))
    if pa.types.is_map(kind):
        return pa.list_(pa.field("item", pa.struct([("key", plain(kind.key_type)), ("value", plain(kind.item_type))])))
    if pa.types.is_struct(kind):
        return pa.struct([pa.field(one.name, plain(one.type)) for one in kind])
    return kind


def values(column):
    if pa.types.is_map(column.type):
        return [None if one is None else [{"key": k, "value": v} for k, v in one] for one in column.to_pylist()]
    if pa.types.is_timestamp(column.type) and column.type.unit == "ns":
        return column.cast(pa.int64()).to_pylist()  # a datetime has microseconds
    return column.to_pylist()


def compare(sql, arrow, parquet, unlike):
    problems = []
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'; SET enable_progress_bar = false")
    theirs = connection.sql(sql).to_arrow_table()
    with open(arrow, "rb") as file:
        ours = pa.ipc.open_stream(file).read_all()
    ours.validate(full=True)
    in_polars = polars.read_ipc_stream(arrow)
    if in_polars.shape != (theirs.num_rows, theirs.num_columns):
        problems.append(f"polars sees {in_polars.shape}")
    if ours.column_names != theirs.column_names:
        problems.append(f"columns {ours.column_names}, not {theirs.column_names}")
    for name in theirs.column_names:
        one, other = ours[name], theirs[name]
        if plain(one.type) != plain(other.type):
            problems.append(f"{name} is {one.type}, not {other.type}")
        elif values(one) != values(other):
            at = next(i for i, (a, b) in enumerate(zip(values(one), values(other))) if a != b)
            problems.append(f"{name}, row {at}: {values(one)[at]!r}, not {values(other)[at]!r}")
        elif not pa.types.is_null(one.type) and in_polars[name].null_count() != other.null_count:
            problems.append(f"{name} in polars: {in_polars[name].null_count()} nulls, not {other.null_count}")
    stored = pyarrow.parquet.read_table(parquet, columns=[name for name in theirs.column_names if name not in unlike])
    for name in stored.column_names:
        if pa.types.is_decimal(theirs[name].type) and pa.types.is_floating(stored[name].type):
            continue  # DuckDB writes HUGEINT as a double
        if values(stored[name]) != values(theirs[name]):
            problems.append(f"{name} differs in Parquet")
    return {"rows": ours.num_rows, "columns": ours.num_columns, "problems": problems}


print(json.dumps([compare(**one) for one in json.load(sys.stdin)]))
