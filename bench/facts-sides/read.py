"""Reads facts over HTTP with one engine: ENGINE QUESTION WHERE URLS HTTPFS. Prints the number of rows and the seconds."""
import json
import sys
import time

engine, question, where, urls = sys.argv[1], sys.argv[2], sys.argv[3], json.loads(sys.argv[4])
COLUMNS = ["accession_number", "entity_cik", "concept", "period_end", "unit", "value_number"]
began = time.time()
if engine == "duckdb":
    import duckdb

    con = duckdb.connect()
    con.execute(f"LOAD '{sys.argv[5]}'")
    rows = len(con.execute(f"SELECT {', '.join(COLUMNS)} FROM read_parquet(?) WHERE {where}", [urls]).fetchall())
elif engine == "polars":
    import polars as pl

    frame = pl.scan_parquet(urls)
    rows = frame.filter(pl.sql_expr(where)).select(COLUMNS).collect().height
else:
    import daft

    rows = daft.read_parquet(urls).where(daft.sql_expr(where)).select(*COLUMNS).to_arrow().num_rows
print(json.dumps({"rows": rows, "seconds": round(time.time() - began, 2)}))
