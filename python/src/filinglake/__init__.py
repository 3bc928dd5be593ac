"""Read lakes of SEC EDGAR filings, and start the exports that fill them.

    import filinglake

    lake = filinglake.fetch(tickers=["AAPL"], forms=["10-K"], tables=["sections"], since="2020")
    lake.sections("1A")                    # a pandas DataFrame

    lake = filinglake.open("./lake")
    lake.tables()                          # {"filings": 240, "documents": 1892, ...}
    lake.pandas("filings")                 # of the version that was the newest when you opened the lake
    lake.table("filings", version=12)      # a DuckDB relation

    with filinglake.export("annual-reports.yaml") as run:
        for event in run:
            print(event)
"""

from .errors import (
    ExportIncomplete,
    ExportInterrupted,
    ExportStopped,
    FilinglakeError,
    KeyRefused,
    ServiceUnreachable,
    UsageError,
)
from .fetching import fetch
from .lake import Lake, open_lake
from .log import Release, Version
from .mapping import ROWS_SCHEMA, map_batches, map_documents
from .runs import Run, export, resume, retry, status
from .subjects import Company, Filing

open = open_lake  # noqa: A001 - read as filinglake.open(path)

__version__ = "0.1.0"

__all__ = [
    "Company",
    "ExportIncomplete",
    "ExportInterrupted",
    "ExportStopped",
    "Filing",
    "FilinglakeError",
    "KeyRefused",
    "Lake",
    "ROWS_SCHEMA",
    "Release",
    "Run",
    "ServiceUnreachable",
    "UsageError",
    "Version",
    "export",
    "fetch",
    "map_batches",
    "map_documents",
    "open",
    "open_lake",
    "resume",
    "retry",
    "status",
]
