"""A filing and a company of a lake: what the lake has of them, shown in a notebook."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, Optional, Union

from .errors import FilinglakeError, UsageError

if TYPE_CHECKING:
    from .frames import AnyFrame, FrameKind, Frames


class _Subject:
    """Reads the version that the lake had when it was asked for."""

    def __init__(self, lake: "Frames") -> None:
        self._lake = lake
        self.version = lake.version

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        return self._lake.sql(query, self.version).fetchall()

    def _frame(self, query: str, frame: "FrameKind") -> "AnyFrame":
        return self._lake._framed_sql(query, self.version, frame)

    def _facts(self) -> dict[str, str]:
        raise NotImplementedError

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{html.escape(name)}</th><td style='text-align:left'>{html.escape(value)}</td></tr>"
            for name, value in self._facts().items()
        )
        return f"<table>{rows}</table>"


class Filing(_Subject):
    """A filing: `lake.filing("0000320193-24-000123")`. Raises UsageError `filing-unknown`."""

    def __init__(self, lake: "Frames", accession_number: str) -> None:
        super().__init__(lake)
        digits = re.sub(r"\D", "", accession_number)
        number = f"{digits[:10]}-{digits[10:12]}-{digits[12:]}" if len(digits) == 18 else accession_number
        self._of = f"accession_number = {_text(number)}"
        found = self._rows(f"SELECT form_type, cik, entity_name, filing_date, report_date FROM filings WHERE {self._of}")
        if not found:
            raise UsageError("filing-unknown", f"the lake has no filing {accession_number}", "Numbers: lake.pandas('filings').", exit_code=2)
        self.accession_number = number
        self.form_type: Optional[str]
        self.cik: Optional[str]
        self.company: Optional[str]
        self.filing_date: Optional[date]
        self.report_date: Optional[date]
        self.form_type, self.cik, self.company, self.filing_date, self.report_date = found[0]

    def __repr__(self) -> str:
        return f"Filing({self.accession_number!r}, {self.form_type!r}, {self.company!r}, {self.filing_date})"

    @property
    def sections(self) -> list[str]:
        """Codes of the sections whose text the lake has, in their order."""
        number = r"TRY_CAST(regexp_extract(section, '\d+') AS INTEGER)"
        query = f"SELECT section FROM section_contents WHERE {self._of} AND text IS NOT NULL ORDER BY regexp_extract(section, '^I*'), {number}, section"
        return [row[0] for row in self._rows(query)]

    def section(self, code: str) -> str:
        """The text of a section: `filing.section("1A")`. Raises UsageError `argument-invalid`, FilinglakeError `text-missing`."""
        own = self._lake._section_codes([code], self.version)[0]
        return self._one(f"SELECT text FROM section_contents WHERE {self._of} AND section = {_text(own)}", f"section {own}")

    def text(self, filename: Optional[str] = None) -> str:
        """The readable text of a document, or of the main one. Raises FilinglakeError `text-missing`."""
        which = "sequence = 1" if filename is None else f"filename = {_text(filename)}"
        query = f"""SELECT coalesce(c.text, c.content) FROM documents d JOIN document_contents c USING (document_id)
            WHERE d.{self._of} AND d.{which}"""
        return self._one(query, filename or "the main document")

    def documents(self, frame: "FrameKind" = "pandas") -> "AnyFrame":
        """Its documents, in their order."""
        return self._frame(f"SELECT * FROM documents WHERE {self._of} ORDER BY sequence", frame)

    def statements(self, frame: "FrameKind" = "pandas") -> "AnyFrame":
        """Its values of items, as it states them; those that were read from its pages are `printed`. Raises FilinglakeError `table-empty`."""
        self._lake._require_fundamentals(self.version)
        filed = "SELECT * FROM fundamentals_as_filed"
        if self._lake.tables(self.version).get("printed_fundamentals", 0) > 0:
            filed = f"""SELECT * FROM ({filed} UNION ALL BY NAME FROM printed_fundamentals) WHERE {self._of} QUALIFY row_number() OVER (
                PARTITION BY registrant, item, fiscal_period, period_end ORDER BY value IS NULL, coalesce(method = 'printed', false)) = 1"""
        return self._frame(f"SELECT * FROM ({filed}) WHERE {self._of} ORDER BY statement, item, period_end", frame)

    def _one(self, query: str, what: str) -> str:
        found = self._rows(query)
        if found and found[0][0] is not None:
            return str(found[0][0])
        raise FilinglakeError(
            "text-missing",
            f"the lake has no text of {what} of {self.accession_number}",
            f"Sections with text: {', '.join(self.sections) or 'none'}. Texts of documents need `documents: {{ text: true }}` in the export.",
        )

    def _facts(self) -> dict[str, str]:
        documents = self._rows(f"SELECT count(*) FROM documents WHERE {self._of}")[0][0]
        return {
            "filing": self.accession_number,
            "form": self.form_type or "",
            "company": f"{self.company or ''} ({self.cik or 'no CIK'})",
            "filed": f"{self.filing_date or ''}",
            "period": f"{self.report_date or ''}",
            "documents": f"{documents:,}",
            "sections": ", ".join(self.sections) or "none with text",
        }


class Company(_Subject):
    """A company: `lake.company("AAPL")`, or by CIK. Raises UsageError `company-unknown`."""

    def __init__(self, lake: "Frames", company: Union[str, int]) -> None:
        super().__init__(lake)
        self.cik = lake._ciks([company], self.version)[0]
        self._of = f"cik = {_text(self.cik)}"
        query = f"SELECT entity_name FROM filings WHERE {self._of} ORDER BY filing_date DESC, accession_number DESC LIMIT 1"
        found = self._rows(query)
        if not found:
            raise UsageError("company-unknown", f"the lake has no filing of {company}", "Its CIKs: lake.pandas('filings')['cik'].", exit_code=2)
        #: As in its newest filing
        self.name: Optional[str] = found[0][0]

    def __repr__(self) -> str:
        return f"Company({self.cik!r}, {self.name!r})"

    @property
    def tickers(self) -> list[str]:
        """Of today; empty if the lake has none."""
        return [row[0] for row in self._rows(f"SELECT ticker FROM entity_tickers WHERE {self._of} ORDER BY position")]

    def filings(self, frame: "FrameKind" = "pandas") -> "AnyFrame":
        """Its filings, oldest first."""
        return self._frame(f"SELECT * FROM filings WHERE {self._of} ORDER BY filing_date, accession_number", frame)

    def names(self, frame: "FrameKind" = "pandas") -> "AnyFrame":
        """Its names, oldest first, with the days on which filings had them."""
        return self._frame(f"FROM names_of({_text(self.cik)})", frame)

    def tickers_on(self, day: Union[str, date], frame: "FrameKind" = "pandas") -> "AnyFrame":
        """Its tickers on a day, by class, as filings state them."""
        return self._frame(f"FROM ticker_of({_text(self.cik)}, {_text(str(day))})", frame)

    def cusips(self, first: Union[str, date], last: Union[str, date], frame: "FrameKind" = "pandas") -> "AnyFrame":
        """Its CUSIPs from one day to another, by class."""
        return self._frame(f"FROM cusips_of({_text(self.cik)}, {_text(str(first))}, {_text(str(last))})", frame)

    def same_company(self, frame: "FrameKind" = "pandas") -> "AnyFrame":
        """Former names, notices of successors, and other CIKs that filings show to be the same company."""
        return self._frame(f"FROM same_company({_text(self.cik)})", frame)

    def panel(self, items: Union[str, Sequence[str]], **options: Any) -> "AnyFrame":
        """As `lake.panel(items)`, of this company."""
        return self._lake.panel(items, companies=[self.cik], version=self.version, **options)

    def _facts(self) -> dict[str, str]:
        forms = self._rows(
            f"""SELECT form_type, count(*), min(filing_date), max(filing_date) FROM filings WHERE {self._of}
            GROUP BY form_type ORDER BY count(*) DESC, form_type LIMIT 20"""
        )
        return {
            "company": f"{self.name or ''} ({self.cik})",
            "tickers": ", ".join(self.tickers) or "none in the lake",
            **{f"{form}": f"{count:,}, {first} to {last}" for form, count, first, last in forms},
        }


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
