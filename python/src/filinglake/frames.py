"""Tables, sections and panels of a lake as frames of pandas, polars and Arrow: whole, or in batches if they are larger than memory."""

from __future__ import annotations

import difflib
import html
import re
import warnings
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Literal, Optional, Union, overload

from .errors import FilinglakeError, UsageError
from .links import Files, link_rows

if TYPE_CHECKING:
    # A method of Frames is called `pandas`: another name for the module.
    import duckdb
    import pandas as pd
    import polars as pl
    import pyarrow

    from .log import Release

    #: As in lake.py, which imports this file.
    VersionOrTime = Union[int, datetime]

_NO_TICKER = (
    "Give its CIK, or export the table entity_tickers. "
    "A catalog has tickers only from SEC's company_tickers_exchange.json or submissions JSON: ingest one of these first."
)

#: What a method makes: the name of the library.
FrameKind = Literal["pandas", "polars", "arrow"]
AnyFrame = Union["pd.DataFrame", "pl.DataFrame", "pyarrow.Table"]
#: How a panel counts time.
Period = Literal["year", "quarter", "ttm", "first_reported"]

#: Kinds of sections that have the substance. The others say where it stands, or that there is none.
_TEXT_KINDS = ("text", "mixed")
_SECTION_COLUMNS = (
    "accession_number, cik, entity_name, form_type, filing_date, report_date, section, title, kind, text"
)


class Frames:
    """Methods of a Lake that give frames."""

    if TYPE_CHECKING:
        version: int

        def table(self, name: str, version: Optional[VersionOrTime] = None) -> "duckdb.DuckDBPyRelation": ...
        def sql(self, query: str, version: Optional[VersionOrTime] = None) -> "duckdb.DuckDBPyRelation": ...
        def columns(self, table: str) -> list[tuple[str, str]]: ...
        def tables(self, version: Optional[VersionOrTime] = None) -> dict[str, int]: ...
        def releases(self) -> list["Release"]: ...
        def _keep(self, name: str, query: str, version: Optional[VersionOrTime]) -> None: ...
        def _has(self, name: str) -> bool: ...
        @property
        def committed_at(self) -> Optional[datetime]: ...

    def pandas(
        self,
        table: str,
        version: Optional[VersionOrTime] = None,
        *,
        columns: Optional[Sequence[str]] = None,
        where: Optional[str] = None,
    ) -> "pd.DataFrame":
        """A table as a pandas DataFrame; `columns`: only these; `where`: a condition in SQL. DECIMAL columns become float64."""
        require("pandas")
        frame: "pd.DataFrame" = self._selected(table, version, columns, where).df()
        return frame

    def polars(
        self,
        table: str,
        version: Optional[VersionOrTime] = None,
        *,
        columns: Optional[Sequence[str]] = None,
        where: Optional[str] = None,
    ) -> "pl.DataFrame":
        """A table as a polars DataFrame; `columns`: only these; `where`: a condition in SQL."""
        require("polars")
        require("pyarrow")
        frame: "pl.DataFrame" = self._selected(table, version, columns, where).pl()
        return frame

    def arrow(
        self,
        table: str,
        version: Optional[VersionOrTime] = None,
        *,
        columns: Optional[Sequence[str]] = None,
        where: Optional[str] = None,
    ) -> "pyarrow.Table":
        """A table as a pyarrow Table; `columns`: only these; `where`: a condition in SQL."""
        require("pyarrow")
        return _arrow(self._selected(table, version, columns, where))

    def batches(
        self,
        table: str,
        version: Optional[VersionOrTime] = None,
        *,
        columns: Optional[Sequence[str]] = None,
        where: Optional[str] = None,
        rows: int = 10_000,
    ) -> Iterator["pyarrow.RecordBatch"]:
        """A table in batches of at most some rows, for tables larger than memory: `batch.to_pandas()`, `polars.from_arrow(batch)`."""
        require("pyarrow")
        relation = self._selected(table, version, columns, where)
        read = getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader
        yield from read(rows)

    @overload
    def sections(
        self, code: Union[str, Sequence[str], None] = None, *, pointers: bool = False,
        version: Optional[VersionOrTime] = None, frame: Literal["pandas"] = "pandas",
    ) -> "pd.DataFrame": ...
    @overload
    def sections(
        self, code: Union[str, Sequence[str], None] = None, *, pointers: bool = False,
        version: Optional[VersionOrTime] = None, frame: Literal["polars"],
    ) -> "pl.DataFrame": ...
    @overload
    def sections(
        self, code: Union[str, Sequence[str], None] = None, *, pointers: bool = False,
        version: Optional[VersionOrTime] = None, frame: Literal["arrow"],
    ) -> "pyarrow.Table": ...
    def sections(
        self,
        code: Union[str, Sequence[str], None] = None,
        *,
        pointers: bool = False,
        version: Optional[VersionOrTime] = None,
        frame: FrameKind = "pandas",
    ) -> AnyFrame:
        """Texts of sections with their filings, oldest first: `lake.sections("1A")`, `lake.sections(["7", "7A"])`, all without a code.

        A section whose text stands elsewhere has that text, if the filing has it: in an exhibit or another place of the document.
        One that only says where its text stands, or that there is none, is left out: `pointers=True` takes it in, and the column
        `kind` tells. `Item 1A` and `1a` are 1A; of a 10-Q, risk factors are II-1A. `7` of a 20-F is
        another item: `form_type` tells. Raises FilinglakeError `table-empty` if the lake has no texts of sections, UsageError
        `argument-invalid` for a word that is no code.
        """
        if self.tables(version).get("section_contents", 0) == 0:
            raise FilinglakeError(
                "table-empty",
                "the lake has no texts of sections",
                "Export with tables: [filings, sections, section_contents], or filinglake.fetch(..., tables=['sections']).",
            )
        codes = None if code is None else self._section_codes([code] if isinstance(code, str) else code, version)
        wanted = "true" if codes is None else f"section IN ({', '.join(map(_text, codes))})"
        if not pointers:
            # Services other than filinglake's state no kind.
            kinds = ", ".join(map(_text, _TEXT_KINDS))
            wanted += f" AND (coalesce(kind, 'text') IN ({kinds}) OR source IN ('document', 'exhibit'))"
        query = f"""SELECT {_SECTION_COLUMNS} FROM section_contents JOIN filings USING (accession_number)
            WHERE {wanted} ORDER BY filing_date, accession_number, section"""
        return _framed(self.sql(query, version), frame)

    @overload
    def panel(
        self, items: Union[str, Sequence[str]], *, by: Period = "year", as_of: Union[str, date, None] = None,
        companies: Optional[Sequence[Union[str, int]]] = None, long: bool = False, as_reported: bool = False,
        comparatives: bool = False, printed: bool = True, link: Optional[Files] = None, version: Optional[VersionOrTime] = None, frame: Literal["pandas"] = "pandas",
    ) -> "pd.DataFrame": ...
    @overload
    def panel(
        self, items: Union[str, Sequence[str]], *, by: Period = "year", as_of: Union[str, date, None] = None,
        companies: Optional[Sequence[Union[str, int]]] = None, long: bool = False, as_reported: bool = False,
        comparatives: bool = False, printed: bool = True, link: Optional[Files] = None, version: Optional[VersionOrTime] = None, frame: Literal["polars"],
    ) -> "pl.DataFrame": ...
    @overload
    def panel(
        self, items: Union[str, Sequence[str]], *, by: Period = "year", as_of: Union[str, date, None] = None,
        companies: Optional[Sequence[Union[str, int]]] = None, long: bool = False, as_reported: bool = False,
        comparatives: bool = False, printed: bool = True, link: Optional[Files] = None, version: Optional[VersionOrTime] = None, frame: Literal["arrow"],
    ) -> "pyarrow.Table": ...
    def panel(
        self,
        items: Union[str, Sequence[str]],
        *,
        by: Period = "year",
        as_of: Union[str, date, None] = None,
        companies: Optional[Sequence[Union[str, int]]] = None,
        long: bool = False,
        as_reported: bool = False,
        comparatives: bool = False,
        printed: bool = True,
        link: Optional[Files] = None,
        version: Optional[VersionOrTime] = None,
        frame: FrameKind = "pandas",
    ) -> AnyFrame:
        """Items of statements by company and fiscal period, as they were known at a moment: what `filinglake panel` writes.

        items       names of docs/reference/items.md: ["revenue", "net_income"]
        by          "year", "quarter", "ttm": the last twelve months at the end of each quarter, or "first_reported": each year as
                    its own annual report stated it
        as_of       no filing that EDGAR accepted later counts. A day means its beginning; a time without a zone is Eastern
        companies   CIKs and tickers; default: all
        long        a row for each value, with its method, filing and time
        as_reported leave values per share and counts of shares as filed. Default: all on the newest basis that was known, and
                    split_factor has the largest number of new shares for each old one in the row
        comparatives also periods whose own report the lake lacks: later reports state fewer items of them
        printed     False leaves out values that were read from printed pages, of before XBRL. The column `printed` names the items
                    of a row that were
        link        files of CRSP and Compustat, CSV or Parquet: adds permno, gvkey, how each was found, and why not. Warns of the counts

        accession_number and filing_date are of the filing of a row's newest value. Warns of periods that were left out, and of
        reports without statements: they have no row. Raises UsageError `item-unknown`, `company-unknown` or
        `argument-invalid`, FilinglakeError `table-empty` without fundamentals.
        """
        names = [items] if isinstance(items, str) else list(dict.fromkeys(items))
        if by not in ("year", "quarter", "ttm", "first_reported"):
            raise UsageError("argument-invalid", f"by is {by!r}", "Give by='year', 'quarter', 'ttm' or 'first_reported'.", exit_code=2)
        self._require_fundamentals(version)
        self._refuse_unknown_items(names, version)
        ciks = "NULL" if companies is None else f"[{', '.join(map(_text, self._ciks(companies, version)))}]"
        values = f"FROM panel_values({_text(by)}, {_text(_moment(as_of))}, {ciks}, [{', '.join(map(_text, names))}])"
        if not printed:
            values = f"FROM (SELECT * REPLACE (has_tagged_report AS has_own_report) {values} WHERE method <> 'printed')"
        linked: list[str] = []
        if link:
            values, linked = self._linked(link, values, comparatives, as_of, version)
        rows = values if comparatives else f"{values} WHERE has_own_report"
        keys, notes = "".join(f"{key}, " for key in linked), "".join(f", {key}_by, {key}_note" for key in linked)
        head, order = f"cik, ticker, {keys}fiscal_year, fiscal_period, period_end", "ORDER BY TRY_CAST(cik AS BIGINT), cik, period_end"
        value = "as_filed" if as_reported else "value"
        if long:
            place = f"list_position([{', '.join(map(_text, names))}], item)"
            query = f"SELECT {head}, item, {value} AS value, unit, method, known_from, accession_number, filing_date, split_factor{notes} {rows} {order}, {place}"
        else:
            amounts = ", ".join(f"max({value}) FILTER (item = {_text(name)}) AS {_quoted(name)}" for name in names)
            money = "unit NOT LIKE '%/%' AND unit NOT ILIKE '%share%'"
            has_pages = printed and self.tables(version).get("printed_fundamentals", 0) > 0
            pages = "string_agg(item, ' ' ORDER BY item) FILTER (method = 'printed') AS printed," if has_pages else ""
            newest = [f"arg_max({name}, {{t: known_from, n: accession_number}}) AS {name}" for name in ("accession_number", "filing_date")]
            query = f"""SELECT {head}, max(known_from) AS known_from, {', '.join(newest)},
                string_agg(DISTINCT unit, ' ' ORDER BY unit) FILTER ({money}) AS currency,
                arg_max(split_factor, abs(ln(split_factor))) AS split_factor, {pages} {amounts}{notes} {rows} GROUP BY {head}{notes} {order}"""
        if not comparatives:
            left = f"SELECT count(DISTINCT (cik, period_end)), count(DISTINCT cik) {values} WHERE NOT has_own_report"
            periods, owners = self.sql(left, version).fetchall()[0]
            if periods:
                of = f"{periods:,} {'period' if periods == 1 else 'periods'} of {owners:,} {'company' if owners == 1 else 'companies'}"
                warnings.warn(f"{of} left out: only later reports state them. comparatives=True has them", stacklevel=2)
        self._warn_of_missing_statements(version)
        return _framed(self.sql(query, version), frame)

    def _linked(
        self, files: Files, values: str, comparatives: bool, as_of: Union[str, date, None], version: Optional[VersionOrTime]
    ) -> tuple[str, list[str]]:
        """The values with the columns of their links, and which there are."""
        rows, linked = link_rows(files, lambda query: self.sql(query, version))
        self._keep("kept_panel", values, version)
        known = "NULL"
        if self._has("security_spans"):
            moment = "NULL" if as_of is None else _text(_moment(as_of))
            self._keep("kept_known", f"FROM security_spans({moment}, ['cusip', 'ticker'], NULL)", version)
            known = _text("FROM kept_known")
        periods = f"SELECT cik, period_end FROM kept_panel WHERE {comparatives} OR has_own_report"
        self._keep("kept_links", f"FROM panel_links({_text(periods)}, {_text(rows)}, {known})", version)
        for key, sentence in self.sql("FROM link_counts('FROM kept_links')", version).fetchall():
            if key in linked:
                warnings.warn(sentence, stacklevel=3)
        return "FROM (FROM kept_panel LEFT JOIN kept_links USING (cik, period_end))", linked

    def who_was(
        self, ticker: str, day: Union[str, date], version: Optional[VersionOrTime] = None, frame: FrameKind = "pandas"
    ) -> AnyFrame:
        """Companies that had a ticker on a day, with their name of that day: `lake.who_was("TWTR", "2015-06-30")`."""
        return self._framed_sql(f"FROM who_was({_text(ticker)}, {_text(str(day))})", version, frame)

    def _framed_sql(self, query: str, version: Optional[VersionOrTime], frame: FrameKind) -> AnyFrame:
        return _framed(self.sql(query, version), frame)

    def _require_fundamentals(self, version: Optional[VersionOrTime]) -> None:
        if not any(self.tables(version).get(name, 0) for name in ("fundamentals", "printed_fundamentals")):
            raise FilinglakeError(
                "table-empty",
                "the lake has no fundamentals",
                "Export with tables: [filings, fundamentals], or run `filinglake remap --tables statements` on a lake with documents.",
            )

    def _warn_of_missing_statements(self, version: Optional[VersionOrTime]) -> None:
        """A panel has no row of a report without statements, so this is said beside it."""
        if "coverage" not in self.tables(version):
            return
        counts = self.sql(
            """SELECT filings, count(*) FILTER (reason IS NULL) AS having, count(reason) AS lacking,
                string_agg(DISTINCT replace(reason, '_', ' '), ', ' ORDER BY replace(reason, '_', ' ')) AS reasons
            FROM wanted_rows WHERE rows = 'statements' GROUP BY filings HAVING lacking > 0 ORDER BY filings""",
            version,
        )
        for filings, having, lacking, reasons in counts.fetchall():
            kind = filings if having + lacking == 1 else f"{filings}s"
            warnings.warn(
                f"{having + lacking:,} {kind}: {having:,} with statements, {lacking:,} without ({reasons}): the view wanted_rows lists them",
                stacklevel=3,
            )

    def _refuse_unknown_items(self, names: Sequence[str], version: Optional[VersionOrTime]) -> None:
        if not names:
            raise UsageError("argument-missing", "items names no item", "Give for example ['revenue'].", exit_code=2)
        known = {row[0] for row in self.sql("SELECT DISTINCT item FROM fundamentals", version).fetchall()}
        for name in names:
            if name not in known:
                near = difflib.get_close_matches(name, sorted(known), 3)
                hint = f"Did you mean {' or '.join(near)}?" if near else "docs/reference/items.md lists the items."
                raise UsageError("item-unknown", f"the lake has no item '{name}'", hint, exit_code=2)

    def _section_codes(self, words: Sequence[str], version: Optional[VersionOrTime]) -> list[str]:
        """Codes as the lake writes them. One that no filing of the lake has is kept if a report could have it."""
        of_lake = {row[0].upper(): row[0] for row in self.sql("SELECT DISTINCT section FROM section_contents", version).fetchall()}
        codes: list[str] = []
        for word in words:
            code = re.sub(r"^ITEM\s+", "", word.strip().upper()).rstrip(".:")
            if code not in of_lake and not re.fullmatch(r"(II?-)?(1[0-9]|[1-9])[A-K]?", code):
                has = ", ".join(sorted(of_lake.values()))
                raise UsageError("argument-invalid", f"{word!r} is no code of a section", f"The lake has {has}.", exit_code=2)
            codes.append(of_lake.get(code, code))
        return codes

    def _ciks(self, companies: Sequence[Union[str, int]], version: Optional[VersionOrTime]) -> list[str]:
        words = [companies] if isinstance(companies, (str, int)) else list(companies)
        found: list[str] = []
        for word in map(str, words):
            if word.isdigit():
                found.append(str(int(word)))
                continue
            query = f"SELECT DISTINCT cik FROM entity_tickers WHERE replace(ticker, '-', '.') = {_text(word.upper().replace('-', '.'))}"
            ciks = self.sql(query, version).fetchall()
            if not ciks:
                # Of no list of today: filings may state it, or have stated it.
                value = _text(word.upper().replace(".", "-").replace("/", "-"))
                ciks = self.sql(f"SELECT DISTINCT cik FROM identities WHERE kind = 'ticker' AND value = {value} AND cik IS NOT NULL", version).fetchall()
            if len(ciks) != 1:
                how = "no company" if not ciks else f"{len(ciks)} companies"
                hint = _NO_TICKER if not ciks else "Give its CIK."
                raise UsageError("company-unknown", f"{how} of the lake has the ticker {word}", hint, exit_code=2)
            found.append(ciks[0][0])
        return found

    def _selected(
        self, table: str, version: Optional[VersionOrTime], columns: Optional[Sequence[str]], where: Optional[str]
    ) -> "duckdb.DuckDBPyRelation":
        relation = self.table(table, version)
        if where is not None:
            relation = relation.filter(where)
        if columns is None:
            return relation
        if isinstance(columns, str):
            columns = [columns]
        known = [name for name, _ in self.columns(table)]
        for name in columns:
            if name not in known:
                near = difflib.get_close_matches(name, known, 3)
                hint = f"Did you mean {' or '.join(near)}?" if near else f"Its columns: {', '.join(known)}."
                raise UsageError("column-unknown", f"the table {table} has no column '{name}'", hint, exit_code=2)
        return relation.project(", ".join(map(_quoted, columns)))

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        at = self.committed_at
        names = [release.name for release in self.releases() if release.version == self.version]
        rows = "".join(
            f"<tr><td style='text-align:left'>{html.escape(name)}</td><td>{count:,}</td></tr>" for name, count in self.tables().items()
        )
        when = "" if at is None else f", committed {at:%Y-%m-%d %H:%M} UTC"
        release = f" ({', '.join(map(html.escape, names))})" if names else ""
        return (
            f"<div><strong>{html.escape(repr(self))}</strong>: version {self.version}{release}{when}"
            f"<table><thead><tr><th style='text-align:left'>table</th><th>rows</th></tr></thead><tbody>{rows}</tbody></table></div>"
        )


def _moment(as_of: Union[str, date, None]) -> str:
    """Eastern time without a zone, as EDGAR states times."""
    if as_of is None:
        return "9999-12-31"
    if isinstance(as_of, datetime):
        if as_of.tzinfo is not None:
            from zoneinfo import ZoneInfo

            as_of = as_of.astimezone(ZoneInfo("America/New_York")).replace(tzinfo=None)
        return as_of.isoformat(" ")
    return as_of.isoformat() if isinstance(as_of, date) else as_of


def _framed(relation: "duckdb.DuckDBPyRelation", frame: FrameKind) -> Any:
    if frame == "pandas":
        require("pandas")
        return relation.df()
    if frame == "polars":
        require("polars")
        require("pyarrow")
        return relation.pl()
    if frame == "arrow":
        require("pyarrow")
        return _arrow(relation)
    raise UsageError("argument-invalid", f"frame is {frame!r}", "Give frame='pandas', 'polars' or 'arrow'.", exit_code=2)


def _arrow(relation: "duckdb.DuckDBPyRelation") -> "pyarrow.Table":
    # DuckDB before 1.4 has only the older name.
    read = getattr(relation, "to_arrow_table", None) or relation.fetch_arrow_table
    return read()


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def require(module: str) -> None:
    """Says which package to install, instead of an ImportError out of DuckDB."""
    from importlib.util import find_spec

    if find_spec(module) is None:
        raise FilinglakeError("package-missing", f"{module} is not installed", f"Run: pip install {module}")
