"""Plain tables as text and as HTML, for wherever no widget runs and for lessons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from unicodedata import east_asian_width


class Table:
    """A small table that a notebook shows as HTML and everything else as text.

    Args:
        head: the columns' titles.
        rows: the cells, each shown by ``str``.
        caption: what the table says; may be empty.
    """

    def __init__(
        self, head: Sequence[object], rows: Iterable[Sequence[object]], caption: str = ""
    ) -> None:
        self.head = [str(cell) for cell in head]
        self.rows = [[str(cell) for cell in row] for row in rows]
        self.caption = caption

    def __repr__(self) -> str:
        """Return the table as aligned lines of text."""
        return text(self.head, self.rows, self.caption)

    def _repr_html_(self) -> str:
        return html(self.head, self.rows, self.caption)


def text(head: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "") -> str:
    """Return aligned lines; a Chinese character is two columns wide."""
    lines = [head, *rows]
    widths = [max(width(line[column]) for line in lines) for column in range(len(head))]
    aligned = [
        "  ".join(
            cell + " " * (room - width(cell)) for cell, room in zip(line, widths, strict=True)
        ).rstrip()
        for line in lines
    ]
    return "\n".join([*([caption] if caption else []), *aligned])


def html(head: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "") -> str:
    """Return a table that reads well without a style sheet; every text is escaped."""
    # A notebook would set the cells to the right, as for numbers; most here are words.
    left = ' style="text-align:left"'
    top = "".join(f"<th{left}>{escape(cell)}</th>" for cell in head)
    body = "".join(
        "<tr>" + "".join(f"<td{left}><bdi>{escape(cell)}</bdi></td>" for cell in row) + "</tr>"
        for row in rows
    )
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def width(cell: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in cell)
