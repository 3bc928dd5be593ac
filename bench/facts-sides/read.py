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
elif engine == "spark":
    import os
    from urllib.parse import urlsplit

    from pyspark.sql import SparkSession, functions

    # Spark reads no HTTP: the same server, as a bucket.
    settings = {
        "fs.s3a.endpoint": "http://" + urlsplit(urls[0]).netloc,
        "fs.s3a.endpoint.region": "us-east-1",
        "fs.s3a.path.style.access": "true",
        "fs.s3a.connection.ssl.enabled": "false",
        "fs.s3a.aws.credentials.provider": "org.apache.hadoop.fs.s3a.AnonymousAWSCredentialsProvider",
    }
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.memory", "3g").config("spark.ui.showConsoleProgress", "false")
    jars = os.environ.get("SPARK_JARS")
    for name in ["spark.driver.host", "spark.driver.bindAddress"]:
        builder = builder.config(name, "127.0.0.1")
    builder = builder.config("spark.jars", jars) if jars else builder.config("spark.jars.packages", sys.argv[6])
    for name, value in settings.items():
        builder = builder.config("spark.hadoop." + name, value)
    spark = builder.getOrCreate()
    began = time.time()
    frame = spark.read.parquet(*["s3a://lake" + urlsplit(url).path for url in urls])
    # A digest, so that Spark reads all these columns.
    digest = functions.max(functions.xxhash64(*COLUMNS))
    rows = frame.where(where).agg(functions.count("*"), digest).collect()[0][0]
    spark.stop()
else:
    import daft

    rows = daft.read_parquet(urls).where(daft.sql_expr(where)).select(*COLUMNS).to_arrow().num_rows
print(json.dumps({"rows": rows, "seconds": round(time.time() - began, 2)}))
