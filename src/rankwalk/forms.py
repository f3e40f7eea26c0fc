"""A story as text and as HTML, for wherever no widget runs: GitHub, print, nbval, a screen reader."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from rankwalk.messages import say
from rankwalk.story import ROWS_TOLD, STEPS, Story, Table


def text(story: Story, step: int) -> str:
    """Return the step that is shown, then the whole walk in a line a step.

    Where the sentences do not name every passage of a long list, a line a passage follows them.

    Args:
        story: what to tell.
        step: which step is shown, 1 to 5.
    """
    shown = story.steps[step - 1]
    return "\n".join(
        [
            *([story.question] if story.question else []),
            _heading(story, step),
            shown.upshot,
            *shown.sentences,
            *(_lines(story.table) if len(story.table.rows) > ROWS_TOLD else []),
            "",
            *(
                f"{number} · {each.title} · {each.upshot}"
                for number, each in enumerate(story.steps, start=1)
            ),
            story.scope,
        ]
    )


def html(story: Story, step: int) -> str:
    """Return the same as plain tables, which read well without a style sheet.

    Args:
        story: what to tell.
        step: which step is shown, 1 to 5; the others follow in a table.
    """
    shown = story.steps[step - 1]
    question = f"<p><b>{escape(story.question)}</b></p>" if story.question else ""
    return (
        f'<div lang="{escape(story.lang)}">'
        f"<p><i>{escape(story.guide)}</i></p>{question}"
        f"<p><b>{escape(_heading(story, step))}</b></p>"
        f"<p>{_sentences((shown.upshot, *shown.sentences))}</p>"
        f"{_passages(story)}{_steps(story)}"
        f"<p><small>{escape(story.scope)}</small></p></div>"
    )


@dataclass(frozen=True, slots=True)
class Still:
    """One step as a notebook shows it without a player: what is known so far, and no later step.

    Attributes:
        story: what to tell.
        step: which step, 1 to 5.
    """

    story: Story
    step: int

    def __repr__(self) -> str:
        shown = self.story.steps[self.step - 1]
        return "\n".join([_heading(self.story, self.step), shown.upshot, *shown.sentences])

    def _repr_html_(self) -> str:
        shown = self.story.steps[self.step - 1]
        return (
            f'<div lang="{escape(self.story.lang)}">'
            f"<p><b>{escape(_heading(self.story, self.step))}</b></p>"
            f"{_passages(self.story, self.step)}"
            f"<p>{_sentences((shown.upshot, *shown.sentences))}</p></div>"
        )


def _heading(story: Story, step: int) -> str:
    return f"{step} / {STEPS} · {story.steps[step - 1].title}"


def _sentences(sentences: tuple[str, ...]) -> str:
    return "<br>".join(escape(sentence) for sentence in sentences)


def _row(cells: list[str], tag: str = "td") -> str:
    return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>"


def _lines(table: Table) -> list[str]:
    """Return a table as text, a line a row: "A · Keyword search: 1. rank 1 · …"."""
    return [
        " · ".join(
            [
                cells[0],
                *(
                    f"{head}: {cell}"
                    for head, cell in zip(table.head[1:], cells[1:], strict=True)
                    if cell
                ),
            ]
        )
        for _, cells in table.rows
    ]


def _passages(story: Story, step: int = STEPS) -> str:
    """Return the table of passages as far as ``step`` has come."""
    table = story.table.until(step, [id for id, _ in story.badges])
    rows = [[f"<bdi>{escape(cell) or '–'}</bdi>" for cell in cells] for _, cells in table.rows]
    notes = _sentences(tuple(words for _, words in table.notes))
    below = f"<p><small>{notes}</small></p>" if notes else ""
    return _table([escape(head) for head in table.head], rows) + below


def _steps(story: Story) -> str:
    head = [say(f"walk.table.{name}", story.lang) for name in ("step", "title", "upshot")]
    rows = [
        [str(number), escape(step.title), escape(step.upshot)]
        for number, step in enumerate(story.steps, start=1)
    ]
    return _table(head, rows)


def _table(head: list[str], rows: list[list[str]]) -> str:
    body = "".join(_row(row) for row in rows)
    return f"<table><thead>{_row(head, 'th')}</thead><tbody>{body}</tbody></table>"
