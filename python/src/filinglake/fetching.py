"""One line from companies and forms to an open lake."""

from __future__ import annotations

import hashlib
import json
import os
import re
import warnings
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Optional, Union

from .errors import UsageError
from .lake import Lake, open_lake
from .runs import export

Words = Union[str, int, Sequence[Union[str, int]], None]


def fetch(
    *,
    tickers: Words = None,
    ciks: Words = None,
    forms: Words = None,
    tables: Union[str, Sequence[str]] = ("filings",),
    since: Union[str, int, date, None] = None,
    until: Union[str, int, date, None] = None,
    lake: Union[str, "os.PathLike[str]"] = "./lake",
    catalog: Union[str, "os.PathLike[str]", None] = None,
    base_url: Optional[str] = None,
    api_key: Optional[str] = None,
    agent: Optional[str] = None,
    options: Optional[Mapping[str, Any]] = None,
    progress: bool = True,
    check: bool = True,
    env: Optional[Mapping[str, str]] = None,
    command: Optional[Sequence[str]] = None,
) -> Lake:
    """Fetches filings into a lake, as far as it lacks them, and opens it.

    tickers, ciks  companies; default: all
    forms          form types: "10-K", ["10-K*", "8-K"]; default: all
    tables         tables or groups of tables; "sections" brings their texts too
    since, until   filing dates: "2020", "2020-06", "2020-06-30", "-30d", a date; both included
    lake           folder or s3://bucket/prefix; made if there is none
    catalog        folder that keeps what EDGAR sent: default: `<lake>-catalog`. Without a service, filings come from EDGAR
    base_url       of a service, if one should be asked; default: FILINGLAKE_BASE_URL. api_key: default FILINGLAKE_API_KEY
    agent          name and e-mail for EDGAR: default FILINGLAKE_EDGAR_AGENT
    options        further keys of a definition: {"documents": {"text": True}}
    progress       a bar in a notebook, a line on a terminal
    check          False: open the lake also if the export is not complete

    Call it again for what is new: a filing that the lake has is not requested. Warns if no filing matches. Raises as `Run.wait`, and UsageError
    `agent-missing` if neither a service nor an agent is known.
    """
    select: dict[str, Any] = {}
    companies = {name: values for name, values in (("tickers", _list(tickers)), ("ciks", _list(ciks))) if values}
    if companies:
        select["entity_query"] = companies
    if forms is not None:
        select["form_types"] = _list(forms)
    if since is not None:
        select["date_from"] = _day(since, "since", first=True)
    if until is not None:
        select["date_to"] = _day(until, "until", first=False)
    definition: dict[str, Any] = {"select": select, "tables": _tables(tables), **(options or {})}
    given = dict(env or {})
    service = base_url or given.get("FILINGLAKE_BASE_URL") or os.environ.get("FILINGLAKE_BASE_URL")
    if catalog is not None or not service:
        where = catalog if catalog is not None else f"{os.fspath(lake).rstrip('/')}-catalog"
        definition["service"] = _edgar(where, catalog is not None, agent, given)
    # The same question continues the same export; another one is another export.
    mark = hashlib.sha256(json.dumps(definition, sort_keys=True, default=str).encode()).hexdigest()[:8]
    definition.setdefault("name", f"fetch-{mark}")
    run = export(
        definition, lake=_absolute(lake), base_url=base_url, api_key=api_key, env=given, command=command
    )
    with run:
        run.wait(check=check, progress=progress)
    if (run.progress or {}).get("filings_found") == 0:
        where = service or definition["service"]["catalog"]
        warnings.warn(f"no filing matches {json.dumps(select, default=str)} in {where}", stacklevel=2)
    return open_lake(lake)


def _edgar(catalog: Union[str, "os.PathLike[str]"], may_be_offline: bool, agent: Optional[str], env: dict[str, str]) -> dict[str, Any]:
    """Straight from a catalog of this machine, which EDGAR fills."""
    service: dict[str, Any] = {"catalog": _absolute(catalog)}
    agent = agent or env.get("FILINGLAKE_EDGAR_AGENT") or os.environ.get("FILINGLAKE_EDGAR_AGENT")
    if agent:
        env["FILINGLAKE_EDGAR_AGENT"] = agent
        service["edgar"] = {}
    elif not may_be_offline or not Path(catalog).exists():
        raise UsageError(
            "agent-missing",
            "EDGAR asks everyone who downloads for a name and an e-mail",
            'Give agent="Your Name you@your.domain" (or FILINGLAKE_EDGAR_AGENT); or base_url and api_key of a service.',
            exit_code=2,
        )
    return service


def _absolute(place: Union[str, "os.PathLike[str]"]) -> str:
    text = os.fspath(place)
    return text if "://" in text else os.path.abspath(text)


def _list(words: Words) -> list[str]:
    if words is None:
        return []
    return [str(words)] if isinstance(words, (str, int)) else [str(word) for word in words]


def _tables(tables: Union[str, Sequence[str]]) -> list[str]:
    named = [tables] if isinstance(tables, str) else list(tables)
    # Every other table refers to the filings; an index of sections is seldom wanted without their texts.
    more = ["section_contents"] if "sections" in named else []
    return list(dict.fromkeys(["filings", *named, *more]))


def _day(value: Union[str, int, date], name: str, first: bool) -> str:
    """`2020` is its first day, or its last."""
    text = value.isoformat()[:10] if isinstance(value, date) else str(value)
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}|-\d+[dwmy]|today|yesterday", text):
        return text
    if re.fullmatch(r"\d{4}", text):
        return f"{text}-01-01" if first else f"{text}-12-31"
    if re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", text):
        if first:
            return f"{text}-01"
        year, month = map(int, text.split("-"))
        following = date(year + month // 12, month % 12 + 1, 1)
        return date.fromordinal(following.toordinal() - 1).isoformat()
    raise UsageError(
        "argument-invalid", f"{name} is {value!r}", f"Give {name} as '2020', '2020-06', '2020-06-30', '-30d' or a date.", exit_code=2
    )
