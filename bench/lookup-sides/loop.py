"""The bare loop: urllib, json, pyarrow. Nothing is checked, nothing can be gone on with, one page after the other is written."""
import json
import os
import sys
import urllib.request

import pyarrow as pa
import pyarrow.parquet as pq

from measured import report

given = json.loads(sys.argv[1])
text = pa.string()
FILINGS = pa.schema(
    [(name, text) for name in ("accession_number", "cik", "form_type", "filing_date", "acceptance_datetime", "entity_name", "report_date")]
    + [("size", pa.int64())]
)
DOCUMENTS = pa.schema(
    [(name, text) for name in ("document_id", "accession_number", "filename", "description", "type")]
    + [("sequence", pa.int32())]
)


def writer(name, schema):
    return pq.ParquetWriter(os.path.join(given["folder"], name + ".parquet"), schema, compression="zstd")


filings = writer("filings", FILINGS)
documents = writer("documents", DOCUMENTS) if given["documents"] else None
rows = requests = 0
while True:
    size = given["page_size"]
    url = f"{given['url']}/plain/filings?api_key=fl_bench&offset={rows}&limit={size}"
    with urllib.request.urlopen(url) as answer:
        page = json.load(answer)["filings"]
    requests += 1
    rows += len(page)
    filings.write_table(pa.Table.from_pylist(page, schema=FILINGS))
    if documents:
        named = [{**document, "accession_number": filing["accession_number"]} for filing in page for document in filing["documents"]]
        documents.write_table(pa.Table.from_pylist(named, schema=DOCUMENTS))
    if len(page) < size:
        break
filings.close()
if documents:
    documents.close()
report(rows, requests)
