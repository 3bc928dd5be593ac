"""The mapper as a step of another engine: batches of documents in, batches of rows out."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, Optional

from .errors import FilinglakeError
from .runs import _command

if TYPE_CHECKING:
    import pyarrow

#: Columns that `map_batches` yields, as Spark and Ray name them. `row` is JSON with the columns of the table.
ROWS_SCHEMA = "file string, `table` string, `row` string"
#: Members of a document that the mapper reads. Other columns of a batch are left out.
_MEMBERS = ("file", "accession_number", "filing_date", "form_type", "name", "type", "content")
#: The mapper ended; 3: some documents could not be read, and its rows say which.
_ENDED = (0, 3)
_ROWS_AT_ONCE = 10_000


def map_documents(
    documents: Iterable[Mapping[str, Any]],
    tables: Sequence[str],
    *,
    command: Optional[Sequence[str]] = None,
) -> Iterator[dict[str, Any]]:
    """Maps documents by one `filinglake map --stdin`: yields {"file", "table", "row"} for each row.

    A document is a mapping with `content`, and with `accession_number`, `form_type`, `filing_date`, `name` and `type` as far as known.
    Documents of a filing must follow each other. Raises FilinglakeError `mapping-failed` if the mapper ended early, so that an
    engine repeats the task: the rows before that are not all of them.
    """
    process = subprocess.Popen(
        [*_command(command), "map", "--stdin", "--co-registrants", "--json", "--tables", ",".join(tables)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdin and process.stdout and process.stderr
    failures: list[BaseException] = []
    said: list[str] = []
    feeder = threading.Thread(target=_feed, args=(process, documents, failures), daemon=True)
    reader = threading.Thread(target=lambda: said.extend(process.stderr or []), daemon=True)
    feeder.start()
    reader.start()
    try:
        for line in process.stdout:
            yield json.loads(line)
        feeder.join()
        status = process.wait()
        reader.join()
        for failure in failures:
            if not isinstance(failure, BrokenPipeError):
                raise failure
        if failures or status not in _ENDED:
            words = "".join(said).strip() or f"it ended with status {status}"
            raise FilinglakeError("mapping-failed", f"the mapper did not finish: {words}", exit_code=status)
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdout, process.stderr):
            pipe.close()


def map_batches(
    batches: Iterable["pyarrow.RecordBatch"],
    tables: Sequence[str],
    *,
    command: Optional[Sequence[str]] = None,
) -> Iterator["pyarrow.RecordBatch"]:
    """The same for Arrow batches: the function for `mapInArrow` of Spark. One mapper serves all batches of a partition."""
    import pyarrow

    schema = pyarrow.schema([(name, pyarrow.string()) for name in ("file", "table", "row")])
    rows: list[dict[str, Any]] = []
    for row in map_documents((document for batch in batches for document in batch.to_pylist()), tables, command=command):
        rows.append({**row, "row": json.dumps(row["row"], ensure_ascii=False, separators=(",", ":"))})
        if len(rows) == _ROWS_AT_ONCE:
            yield pyarrow.RecordBatch.from_pylist(rows, schema)
            rows = []
    # An engine may need a batch to learn the columns, even of a partition without rows.
    yield pyarrow.RecordBatch.from_pylist(rows, schema)


def _feed(process: "subprocess.Popen[str]", documents: Iterable[Mapping[str, Any]], failures: list[BaseException]) -> None:
    assert process.stdin
    try:
        with process.stdin as pipe:
            for document in documents:
                pipe.write(json.dumps(_line(document)) + "\n")
    except BaseException as error:  # noqa: BLE001 - raised again where the rows are read
        failures.append(error)
        # Without its last documents a mapper would end as if it had all.
        if not isinstance(error, BrokenPipeError):
            process.kill()


def _line(document: Mapping[str, Any]) -> dict[str, Any]:
    line = {name: document.get(name) for name in _MEMBERS}
    if isinstance(line["filing_date"], date):
        line["filing_date"] = line["filing_date"].isoformat()[:10]
    if isinstance(line["content"], (bytes, bytearray)):
        line["content"] = bytes(line["content"]).decode("utf-8", errors="replace")
    return line
