"""Links of a panel's periods to CRSP (PERMNO) and Compustat (GVKEY), by files that the user has. The macro panel_links of the lake decides."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Callable, Union

from .errors import FilinglakeError, UsageError

if TYPE_CHECKING:
    import duckdb

#: A file, or several.
Files = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]
_NEEDS = (
    "A link needs a file of CRSP with PERMNO, NCUSIP or CUSIP, NAMEDT and NAMEENDDT, "
    "or one of Compustat with GVKEY and CIK, CUSIP or LPERMNO."
)


def link_rows(files: Files, ask: Callable[[str], "duckdb.DuckDBPyRelation"]) -> tuple[str, list[str]]:
    """A query of the rows of all files, and which of permno and gvkey they have. Raises UsageError `file-unreadable`; warns of CUSIPs without use."""
    paths = [os.fspath(file) for file in ([files] if isinstance(files, (str, os.PathLike)) else files)]
    linked: set[str] = set()
    for path in paths:
        counts = f"""SELECT count(*), count(gvkey), count(permno), min(problem), count(problem), min(unused_cusip), count(unused_cusip),
            count(coalesce(cusip, symbols[1], cik, CASE WHEN gvkey IS NOT NULL THEN CAST(permno AS VARCHAR) END)) FROM link_files({_text(_rows_of(path))})"""
        try:
            rows, companies, permnos, problem, problems, unused, unuseds, told = ask(counts).fetchall()[0]
        except FilinglakeError as cause:
            raise _unreadable(path, f"can't be read: {cause}") from cause
        if rows == 0:
            raise _unreadable(path, "has no rows")
        if problem is not None:
            raise _unreadable(path, f"has {problems:,} {'row' if problems == 1 else 'rows'} that can't be read: {problem}")
        if told == 0:
            raise _unreadable(path, "has none of NCUSIP, CUSIP, TICKER, CIK and LPERMNO")
        linked |= {"gvkey" if companies else "permno"} | ({"permno"} if permnos else set())
        if unuseds:
            of = f"{unuseds:,} {'CUSIP' if unuseds == 1 else 'CUSIPs'} without use, such as {unused}"
            warnings.warn(f"{path}: {of}: neither eight characters nor nine with their check digit", stacklevel=4)
    return " UNION ALL BY NAME ".join(map(_rows_of, paths)), [key for key in ("permno", "gvkey") if key in linked]


def _rows_of(path: str) -> str:
    """All as text, and every line: a reader that guesses takes the zeros of a CUSIP, or leaves out what stands before a torn line. An empty cell is not a missing column."""
    if not os.path.isfile(path):
        raise _unreadable(path, "is not there")
    name = _text(re.sub(r"[\[*?]", r"[\g<0>]", path))
    rows = f"SELECT {_text(path)} AS link_file, coalesce(CAST(COLUMNS(*) AS VARCHAR), '') FROM"
    if re.search(r"\.(parquet|pq)$", path, re.IGNORECASE):
        return f"{rows} read_parquet({name})"
    if re.search(r"\.(csv|tsv|txt)(\.gz)?$", path, re.IGNORECASE):
        return f"{rows} read_csv({name}, all_varchar = true, header = true, skip = 0, quote = '\"', escape = '\"', comment = '')"
    raise _unreadable(path, "is neither CSV (.csv, .tsv, .txt, also .gz) nor Parquet. Of Stata's files pandas.read_stata makes one")


def _unreadable(path: str, why: str) -> UsageError:
    return UsageError("file-unreadable", f"{path} {why}", _NEEDS, exit_code=2)


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
