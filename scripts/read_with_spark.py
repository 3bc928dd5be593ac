"""Reads Delta tables with Spark: figures of each as JSON, a line a table. Called by scripts/spark.ts."""
import json
import os
import sys

from pyspark.sql import SparkSession, functions as F

request = json.load(sys.stdin)
builder = (
    SparkSession.builder.master("local[1]")
    .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
    .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.session.timeZone", "UTC")
    # Logs of a few commits: 50 tasks for each of them would be all that Spark does.
    .config("spark.databricks.delta.snapshotPartitions", "1")
    .config("spark.sql.shuffle.partitions", "1")
    .config("spark.ui.showConsoleProgress", "false")
)
jars = os.environ.get("SPARK_JARS")
builder = builder.config("spark.jars", jars) if jars else builder.config("spark.jars.packages", request["packages"])
if request["store"]:
    # Credentials are those of the environment.
    builder = (
        builder.config("spark.hadoop.fs.s3a.endpoint", request["store"])
        .config("spark.hadoop.fs.s3a.endpoint.region", "us-east-1")
        .config("spark.hadoop.fs.s3a.path.style.access", "true")
        .config("spark.hadoop.fs.s3a.connection.ssl.enabled", "false")
    )
spark = builder.getOrCreate()
spark.sparkContext.setLogLevel("ERROR")

for table in request["tables"]:
    reader = spark.read.format("delta")
    if table["delta_version"] is not None:
        reader = reader.option("versionAsOf", table["delta_version"])
    frame = reader.load(os.path.join(request["lake"], table["name"]))
    figures = [F.count("*").alias("rows")]
    for name, kind in frame.dtypes:
        figures.append(F.count(F.col(name)).alias(f"{name} values"))
        if kind in ("string", "binary"):
            figures.append(F.sum(F.octet_length(F.col(name))).alias(f"{name} bytes"))
        if kind.startswith("decimal"):
            figures.append(F.max(F.col(name)).cast("double").alias(f"{name} largest"))
        if kind in ("timestamp", "timestamp_ntz"):
            figures.append(F.unix_micros(F.max(F.col(name)).cast("timestamp")).alias(f"{name} latest"))
    row = frame.agg(*figures).collect()[0].asDict()
    print(json.dumps({"table": table["name"], "figures": row}), flush=True)
