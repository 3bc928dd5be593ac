"""dlt as its documentation has it: the rest_api source with the offset paginator, a filesystem destination, Parquet."""
import json
import os
import sys

given = json.loads(sys.argv[1])
os.environ["DLT_DATA_DIR"] = os.path.join(given["folder"], "dlt")
os.environ["RUNTIME__DLTHUB_TELEMETRY"] = "false"
os.environ["RUNTIME__LOG_LEVEL"] = "ERROR"

import dlt
from dlt.destinations import filesystem
from dlt.sources.rest_api import rest_api_source

from measured import report


def without_documents(filing):
    filing.pop("documents", None)
    return filing


size = given["page_size"]
resource = {
    "name": "filings",
    "primary_key": "accession_number",
    "write_disposition": "append",
    "endpoint": {
        "path": "plain/filings",
        "params": {"api_key": "fl_bench"},
        "data_selector": "filings",
        "paginator": {
            "type": "offset",
            "limit": size,
            "offset_param": "offset",
            "limit_param": "limit",
            "total_path": "count",
        },
    },
}
if not given["documents"]:
    resource["processing_steps"] = [{"map": without_documents}]
source = rest_api_source({"client": {"base_url": given["url"] + "/"}, "resources": [resource]})
pipeline = dlt.pipeline(
    pipeline_name="lookup",
    destination=filesystem(bucket_url="file://" + os.path.join(given["folder"], "out")),
    dataset_name="filings",
    pipelines_dir=os.path.join(given["folder"], "pipelines"),
)
pipeline.run(source, loader_file_format="parquet")
rows = pipeline.last_trace.last_normalize_info.row_counts["filings"]
report(rows, -(-rows // size))
