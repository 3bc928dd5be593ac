"""The progress of an export: a bar in a notebook, a line on a terminal, nothing elsewhere."""

from __future__ import annotations

import html
import shutil
import sys
from typing import Any, Optional, Protocol


class Display(Protocol):
    def show(self, progress: dict[str, Any]) -> None: ...

    def end(self, text: str) -> None: ...


def display_here() -> Optional[Display]:
    """For the place that this runs in; None if nobody looks."""
    if _in_notebook():
        return _Notebook()
    return _Terminal() if sys.stderr is not None and sys.stderr.isatty() else None


def words_of(progress: dict[str, Any]) -> str:
    """`running · 120 filings · 340 of 1,002 requests`."""
    sent, pending = progress.get("requests", 0), progress.get("requests_pending", 0)
    state = str(progress.get("state", "running")).replace("_", " ")
    words = [state, f"{progress.get('filings_found', 0):,} filings", f"{sent:,} of {sent + pending:,} requests"]
    if progress.get("failures"):
        words.append(f"{progress['failures']:,} failures")
    if progress.get("waiting_until"):
        words.append(f"until {str(progress['waiting_until'])[:16].replace('T', ' ')} UTC")
    return " · ".join(words)


def share_of(progress: dict[str, Any]) -> float:
    """Of the requests that are known to be needed, from 0 to 1."""
    sent, pending = progress.get("requests", 0), progress.get("requests_pending", 0)
    return sent / (sent + pending) if sent + pending > 0 else 0.0


def bar(text: str, share: float) -> str:
    """HTML of a bar."""
    return (
        f"<div><progress max='1' value='{share:.3f}' style='width:20em;vertical-align:middle'></progress> "
        f"<span>{html.escape(text)}</span></div>"
    )


def _in_notebook() -> bool:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    # IPython on a terminal has no kernel.
    return shell is not None and getattr(shell, "kernel", None) is not None


class _Notebook:
    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, progress: dict[str, Any]) -> None:
        self._put(bar(words_of(progress), share_of(progress)))

    def end(self, text: str) -> None:
        self._put(f"<div>{html.escape(text)}</div>")

    def _put(self, content: str) -> None:
        from importlib import import_module

        # IPython has no types.
        shown: Any = import_module("IPython.display")
        if self._handle is None:
            self._handle = shown.display(shown.HTML(content), display_id=True)
        else:
            self._handle.update(shown.HTML(content))


class _Terminal:
    def show(self, progress: dict[str, Any]) -> None:
        width = shutil.get_terminal_size().columns - 1
        sys.stderr.write(f"\r\x1b[K{words_of(progress)[:width]}")
        sys.stderr.flush()

    def end(self, text: str) -> None:
        sys.stderr.write(f"\r\x1b[K{text}\n")
        sys.stderr.flush()
